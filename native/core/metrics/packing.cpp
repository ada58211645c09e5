#include "metrics/packing.hpp"

#include <algorithm>
#include <numeric>

namespace otherwords {
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
