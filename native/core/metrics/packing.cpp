#include "metrics/packing.hpp"

namespace otherwords {
namespace {

constexpr std::uint32_t no_number = std::numeric_limits<std::uint32_t>::max();
constexpr std::int64_t fraction = 256;  // parts of a value that prices are counted in
constexpr unsigned rounds_at_root = 100;
constexpr unsigned rounds_below = 20;
constexpr unsigned rounds_between_drops = 8;
constexpr unsigned rounds_between_tries = 8;
constexpr unsigned patience = 8;               // rounds without a lower bound before steps are halved
constexpr unsigned last_shift = 8;             // how often they are
constexpr std::int64_t most_work = 4'000'000;  // items looked at before a search gives up
constexpr std::size_t most_items = 100'000;    // more are not searched at all

}  // namespace

void PackingChoice::clear(std::size_t positions, std::span<const std::uint32_t> capacities) {
  covered_.assign(positions, 0);
  left_.assign(capacities.begin(), capacities.end());
  items.clear();
  value = 0;
}

bool PackingChoice::fits(const PackingItem& item, std::span<const std::uint32_t> uses) const {
  for (std::uint32_t p = item.begin; p < item.end; ++p)
    if (covered_[p]) return false;
  for (std::size_t u = 0; u < uses.size(); ++u) {
    // An item may use a thing several times: a phrase with two words of one kind.
    const auto before = std::count(uses.begin(), uses.begin() + static_cast<long>(u), uses[u]);
    if (left_[uses[u]] <= static_cast<std::uint64_t>(before)) return false;
  }
  return true;
}

void PackingChoice::take(std::uint32_t number, const PackingItem& item,
                         std::span<const std::uint32_t> uses) {
  std::fill(covered_.begin() + item.begin, covered_.begin() + item.end, std::uint8_t{1});
  for (const std::uint32_t use : uses) --left_[use];
  items.push_back(number);
  value += item.value;
}

void PackingProblem::clear(std::size_t positions) {
  positions_ = positions;
  items_.clear();
  uses_.clear();
  capacity_.clear();
}

std::uint32_t PackingProblem::resource(std::uint32_t capacity) {
  capacity_.push_back(capacity);
  return static_cast<std::uint32_t>(capacity_.size() - 1);
}

void PackingProblem::add(std::uint32_t begin, std::uint32_t end, std::int64_t value,
                         std::span<const std::uint32_t> uses) {
  const auto first = static_cast<std::uint32_t>(uses_.size());
  uses_.insert(uses_.end(), uses.begin(), uses.end());
  items_.push_back({begin, end, first, static_cast<std::uint32_t>(uses_.size()), value});
}

void PackingSearch::allow_work() { work_ = most_work; }

bool PackingSearch::solve(std::int64_t unit) {
  unit_ = std::max<std::int64_t>(unit, 1);
  active_.assign(items_.size(), 1);
  index_by_end();
  by_value_ = by_end_;
  // Items with a high value and few uses come first.
  std::stable_sort(by_value_.begin(), by_value_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return items_[a].value * (1 + static_cast<std::int64_t>(uses(b).size())) >
           items_[b].value * (1 + static_cast<std::int64_t>(uses(a).size()));
  });
  removed_.clear();
  fixed_.clear();
  fixed_value_ = 0;
  room_.assign(capacity_.begin(), capacity_.end());
  price_.assign(capacity_.size(), 0);
  best_.clear();
  best_value_ = 0;
  try_choice({});
  return items_.size() <= most_items && search(rounds_at_root);
}

void PackingSearch::index_by_end() {
  ends_.assign(positions_ + 2, 0);
  for (std::uint32_t i = 0; i < items_.size(); ++i)
    if (active_[i]) ++ends_[items_[i].end + 1];
  std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
  by_end_.resize(ends_.back());
  auto next = ends_;
  for (std::uint32_t i = 0; i < items_.size(); ++i)
    if (active_[i]) by_end_[next[items_[i].end]++] = i;
  cells_.resize(by_end_.size());
  for (std::size_t k = 0; k < by_end_.size(); ++k) {
    const PackingItem& item = items_[by_end_[k]];
    cells_[k] = {item.value * fraction, item.begin, item.first_use, item.end_use};
  }
  reduced_.resize(by_end_.size());
}

// Completes a choice: the fixed items, those to try first, then all others that fit.
void PackingSearch::try_choice(std::span<const std::uint32_t> first) {
  choice_.clear(positions_, capacity_);
  for (const std::uint32_t number : fixed_) choice_.take(number, items_[number], uses(number));
  for (const auto numbers : {first, std::span<const std::uint32_t>(by_value_)})
    for (const std::uint32_t number : numbers)
      if (active_[number] && choice_.fits(items_[number], uses(number)))
        choice_.take(number, items_[number], uses(number));
  if (choice_.value <= best_value_) return;
  best_value_ = choice_.value;
  best_ = choice_.items;
}

// The best choice of disjoint active items, each worth its value less the prices of its uses.
std::int64_t PackingSearch::cover() {
  worth_.assign(positions_ + 1, 0);
  last_.assign(positions_ + 1, no_number);
  for (std::uint32_t p = 1; p <= positions_; ++p) {
    std::int64_t best = worth_[p - 1];
    std::uint32_t by = no_number;
    for (std::uint32_t k = ends_[p]; k < ends_[p + 1]; ++k) {
      if (!active_[by_end_[k]]) continue;
      const Cell& cell = cells_[k];
      std::int64_t reduced = cell.value;
      for (std::uint32_t u = cell.first_use; u < cell.end_use; ++u) reduced -= price_[uses_[u]];
      reduced_[k] = reduced;
      if (worth_[cell.begin] + reduced > best) {
        best = worth_[cell.begin] + reduced;
        by = by_end_[k];
      }
    }
    worth_[p] = best;
    last_[p] = by;
  }
  path_.clear();
  for (auto p = static_cast<std::uint32_t>(positions_); p > 0;)
    if (last_[p] == no_number) {
      --p;
    } else {
      path_.push_back(last_[p]);
      p = items_[last_[p]].begin;
    }
  work_ -= static_cast<std::int64_t>(by_end_.size() + positions_);
  return worth_[positions_];
}

// The bound of all choices that have an item is that of the cover that goes through it.
void PackingSearch::drop_hopeless(std::int64_t bound) {
  rest_.assign(positions_ + 1, 0);
  std::size_t k = by_end_.size();
  for (auto p = static_cast<std::uint32_t>(positions_); p > 0; --p) {
    rest_[p - 1] = std::max(rest_[p - 1], rest_[p]);
    for (; k > ends_[p]; --k)
      if (const std::uint32_t number = by_end_[k - 1]; active_[number]) {
        std::int64_t& from = rest_[items_[number].begin];
        from = std::max(from, rest_[p] + reduced_[k - 1]);
      }
  }
  const std::int64_t others = bound - worth_[positions_];
  for (k = 0; k < by_end_.size(); ++k) {
    const std::uint32_t number = by_end_[k];
    const PackingItem& item = items_[number];
    const std::int64_t through = worth_[item.begin] + reduced_[k] + rest_[item.end];
    if (active_[number] && cannot_improve(others + through)) remove(number);
  }
  if (!fixed_.empty()) return;
  // At the root nothing comes back.
  const auto gone = [&](std::uint32_t number) { return !active_[number]; };
  std::erase_if(by_value_, gone);
  removed_.clear();
  index_by_end();
}

bool PackingSearch::cannot_improve(std::int64_t bound) const {
  return bound < (best_value_ / unit_ + 1) * unit_ * fraction;
}

// How often the cover uses what. True if that is within the capacities.
bool PackingSearch::count_uses() {
  used_.assign(capacity_.size(), 0);
  for (const std::uint32_t number : path_)
    for (const std::uint32_t use : uses(number)) ++used_[use];
  bool within = true;
  for (std::size_t r = 0; r < capacity_.size(); ++r) within &= used_[r] <= std::int64_t{room_[r]};
  return within;
}

// A step along the subgradient (Polyak's, halved `shift` times): what is used too much gets
// dearer. False if nothing moves.
bool PackingSearch::reprice(std::int64_t bound, unsigned shift) {
  std::int64_t squares = 0;
  for (std::size_t r = 0; r < capacity_.size(); ++r) {
    const std::int64_t slope = used_[r] - std::int64_t{room_[r]};
    if (slope > 0 || price_[r] > 0) squares += slope * slope;
  }
  if (squares == 0) return false;
  const std::int64_t gap = std::max<std::int64_t>(bound - best_value_ * fraction, 1);
  bool moved = false;
  for (std::size_t r = 0; r < capacity_.size(); ++r) {
    const std::int64_t slope = used_[r] - std::int64_t{room_[r]};
    const std::int64_t step = slope * gap / (squares << shift);
    const std::int64_t price = std::max<std::int64_t>(0, price_[r] + step);
    moved |= price != price_[r];
    price_[r] = price;
  }
  return moved;
}

// Lowers the Lagrangian bound on what the active items can add, until it cannot beat the best
// choice or no longer falls.
PackingSearch::Bound PackingSearch::bound(unsigned rounds) {
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  unsigned shift = 0, failures = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    std::int64_t value = fixed_value_ * fraction + cover();
    for (std::size_t r = 0; r < capacity_.size(); ++r) value += price_[r] * room_[r];
    if (cannot_improve(value)) return Bound::closed;
    if (count_uses() || round % rounds_between_tries == 0) try_choice(path_);
    if (cannot_improve(value)) return Bound::closed;
    if (work_ <= 0) return Bound::out_of_work;
    if (round % rounds_between_drops == rounds_between_drops - 1) drop_hopeless(value);
    if (value < lowest) {
      lowest = value;
      failures = 0;
    } else if (++failures == patience) {
      failures = 0;
      if (++shift > last_shift) break;
    }
    if (!reprice(value, shift)) break;
  }
  return cannot_improve(lowest) ? Bound::closed : Bound::open;
}

// Of the last path: the item with the dearest uses, for it is what the capacities are about;
// where prices have emptied the path, any item. None if there are no items left.
std::uint32_t PackingSearch::branching_item() const {
  std::uint32_t dearest = no_number;
  if (path_.empty()) {
    const auto any = std::find(active_.begin(), active_.end(), std::uint8_t{1});
    return any == active_.end() ? no_number : static_cast<std::uint32_t>(any - active_.begin());
  }
  std::int64_t most = -1;
  for (const std::uint32_t number : path_) {
    std::int64_t sum = 0;
    for (const std::uint32_t use : uses(number))
      sum += price_[use] + (used_[use] > std::int64_t{room_[use]} ? fraction : 0);
    if (sum > most) {
      most = sum;
      dearest = number;
    }
  }
  return dearest;
}

void PackingSearch::remove(std::uint32_t number) {
  if (!active_[number]) return;
  active_[number] = 0;
  removed_.push_back(number);
}

void PackingSearch::include(std::uint32_t number) {
  const PackingItem& item = items_[number];
  fixed_.push_back(number);
  fixed_value_ += item.value;
  for (const std::uint32_t use : uses(number)) --room_[use];
  for (const std::uint32_t i : by_end_) {
    if (!active_[i]) continue;
    const PackingItem& other = items_[i];
    bool out = other.begin < item.end && item.begin < other.end;
    const auto theirs = uses(i);
    for (std::size_t u = 0; !out && u < theirs.size(); ++u)
      out = room_[theirs[u]] < static_cast<std::uint64_t>(
                                   std::count(theirs.begin(), theirs.end(), theirs[u]));
    if (out) remove(i);
  }
  work_ -= static_cast<std::int64_t>(by_end_.size());
}

void PackingSearch::undo(std::size_t removed, std::uint32_t included) {
  for (; removed_.size() > removed; removed_.pop_back()) active_[removed_.back()] = 1;
  if (included == no_number) return;
  fixed_.pop_back();
  fixed_value_ -= items_[included].value;
  for (const std::uint32_t use : uses(included)) ++room_[use];
}

bool PackingSearch::search(unsigned rounds) {
  const Bound found = bound(rounds);
  if (found != Bound::open) return found == Bound::closed;
  const std::uint32_t number = branching_item();
  if (number == no_number) return true;
  const std::size_t removed = removed_.size();
  const auto prices = price_;
  include(number);
  const bool with = search(rounds_below);
  undo(removed, number);
  if (!with) return false;
  price_ = prices;
  remove(number);
  const bool without = search(rounds_below);
  undo(removed, no_number);
  return without;
}

namespace {

constexpr std::uint32_t no_place = 0xffffffff;

}  // namespace

void Packing::take_in_order(std::span<const std::uint32_t> order) {
  PackingChoice choice;
  choice.clear(positions_, capacity_);
  for (const std::uint32_t number : order)
    if (choice.fits(items_[number], uses(number)))
      choice.take(number, items_[number], uses(number));
  chosen_ = choice.items;
  std::sort(chosen_.begin(), chosen_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return items_[a].begin < items_[b].begin; });
}

bool Packing::solve(std::int64_t unit) {
  rest_.resize(items_.size());
  std::iota(rest_.begin(), rest_.end(), 0u);
  arrange(positions_ + 1, [&](std::uint32_t number) { return items_[number].end; });
  drop_unfit();
  while (drop_slack() && drop_dominated()) {
  }
  split();
  std::vector<std::span<const std::uint32_t>> parts;
  for (std::size_t begin = 0, end; begin < rest_.size(); begin = end) {
    const std::uint32_t part = find(items_[rest_[begin]].begin);
    for (end = begin + 1; end < rest_.size() && find(items_[rest_[end]].begin) == part;) ++end;
    parts.push_back(std::span<const std::uint32_t>(rest_).subspan(begin, end - begin));
  }
  // The smallest first: one that takes all the work there is must not leave others unsolved.
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.size() < b.size(); });
  chosen_.clear();
  bool proven = true;
  search_.allow_work();
  for (const auto part : parts) proven &= solve_part(part, unit);
  std::sort(chosen_.begin(), chosen_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return items_[a].begin < items_[b].begin; });
  return proven;
}

// Forgets items that use more of something than there is.
void Packing::drop_unfit() {
  std::erase_if(rest_, [&](std::uint32_t number) {
    const auto mine = uses(number);
    return std::any_of(mine.begin(), mine.end(), [&](std::uint32_t use) {
      return std::count(mine.begin(), mine.end(), use) > std::int64_t{capacity_[use]};
    });
  });
}

// Forgets what cannot run out: resources that no choice of disjoint items uses up.
bool Packing::drop_slack() {
  struct Demand {
    std::uint32_t disjoint = 0, end = 0, most = 0;  // `most` is the most uses by one item
  };
  std::vector<Demand> demands(capacity_.size());
  for (const std::uint32_t number : rest_) {
    const auto mine = uses(number);
    for (const std::uint32_t use : mine) {
      Demand& demand = demands[use];
      const auto times = static_cast<std::uint32_t>(std::count(mine.begin(), mine.end(), use));
      demand.most = std::max(demand.most, times);
      if (demand.disjoint > 0 && items_[number].begin < demand.end) continue;
      ++demand.disjoint;
      demand.end = items_[number].end;
    }
  }
  const auto slack = [&](std::uint32_t use) {
    return std::uint64_t{demands[use].disjoint} * demands[use].most <= capacity_[use];
  };
  bool dropped = false;
  for (const std::uint32_t number : rest_) {
    PackingItem& item = items_[number];
    std::uint32_t kept = item.first_use;
    for (std::uint32_t u = item.first_use; u < item.end_use; ++u)
      if (!slack(uses_[u])) uses_[kept++] = uses_[u];
    dropped |= kept < item.end_use;
    item.end_use = kept;
  }
  return dropped;
}

// Forgets items that are worth no more than single positions inside them that are free to take.
bool Packing::drop_dominated() {
  std::vector<std::int64_t> free(positions_, 0);
  std::vector<std::uint32_t> by(positions_, no_place);
  for (const std::uint32_t number : rest_) {
    const PackingItem& item = items_[number];
    if (item.end - item.begin > 1 || !uses(number).empty()) continue;
    if (item.value <= free[item.begin]) continue;
    free[item.begin] = item.value;
    by[item.begin] = number;
  }
  const std::size_t before = rest_.size();
  std::erase_if(rest_, [&](std::uint32_t number) {
    const PackingItem& item = items_[number];
    const std::int64_t inside =
        std::accumulate(free.begin() + item.begin, free.begin() + item.end, std::int64_t{0});
    return item.value <= inside && by[item.begin] != number;
  });
  return rest_.size() < before;
}

std::uint32_t Packing::find(std::uint32_t node) {
  while (parents_[node] != node) node = parents_[node] = parents_[parents_[node]];
  return node;
}

void Packing::join(std::uint32_t a, std::uint32_t b) {
  a = find(a);
  b = find(b);
  parents_[std::max(a, b)] = std::min(a, b);
}

// Puts items that compete for a position or a resource, directly or by way of others, together.
void Packing::split() {
  parents_.resize(positions_ + capacity_.size());
  std::iota(parents_.begin(), parents_.end(), 0u);
  for (const std::uint32_t number : rest_) {
    const PackingItem& item = items_[number];
    for (std::uint32_t p = item.begin + 1; p < item.end; ++p) join(item.begin, p);
    for (const std::uint32_t use : uses(number))
      join(item.begin, static_cast<std::uint32_t>(positions_) + use);
  }
  arrange(parents_.size(), [&](std::uint32_t number) { return find(items_[number].begin); });
}

// Sorts the rest by a whole number below `numbers`; those with the same one stay in their order.
template <typename NumberOf>
void Packing::arrange(std::size_t numbers, NumberOf number_of) {
  starts_.assign(numbers + 1, 0);
  for (const std::uint32_t item : rest_) ++starts_[number_of(item) + 1];
  std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
  arranged_.resize(rest_.size());
  for (const std::uint32_t item : rest_) arranged_[starts_[number_of(item)]++] = item;
  rest_.swap(arranged_);
}

bool Packing::solve_part(std::span<const std::uint32_t> items, std::int64_t unit) {
  if (items.size() == 1) {
    chosen_.push_back(items[0]);
    return true;
  }
  // Positions keep their order, so that the spans of the part stay spans.
  places_.assign(positions_ + capacity_.size(), no_place);
  for (const std::uint32_t number : items)
    for (std::uint32_t p = items_[number].begin; p < items_[number].end; ++p) places_[p] = 0;
  std::uint32_t positions = 0;
  for (std::size_t p = 0; p < positions_; ++p)
    if (places_[p] != no_place) places_[p] = positions++;
  search_.clear(positions);
  std::vector<std::uint32_t> mine;
  for (const std::uint32_t number : items) {
    const PackingItem& item = items_[number];
    mine.clear();
    for (const std::uint32_t use : uses(number)) {
      std::uint32_t& place = places_[positions_ + use];
      if (place == no_place) place = search_.resource(capacity_[use]);
      mine.push_back(place);
    }
    search_.add(places_[item.begin], places_[item.end - 1] + 1, item.value, mine);
  }
  const bool proven = search_.solve(unit);
  for (const std::uint32_t number : search_.chosen()) chosen_.push_back(items[number]);
  return proven;
}

}  // namespace otherwords
