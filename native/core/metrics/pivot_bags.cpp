#include "metrics/pivot_bags.hpp"

namespace otherwords {
namespace {

constexpr std::uint64_t own_word = std::uint64_t{1} << 63;
constexpr double unseen = 0.5;  // N(w) of a word that the table does not have (PEM §4.2)

constexpr std::uint64_t longer(std::uint64_t gram, std::uint64_t word) {
  return mix(gram * 0x9e3779b97f4a7c15ULL + word + 1);
}

std::int64_t units(double weight) { return std::llround(weight * Bag::one); }

}  // namespace

void Bag::clear() {
  grams_.clear();
  std::fill(slots_.begin(), slots_.end(), 0);
  totals_.fill(0);
}

std::size_t Bag::slot_of(std::uint64_t gram) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = gram & mask;
  while (slots_[slot] && grams_[slots_[slot] - 1].hash != gram) slot = (slot + 1) & mask;
  return slot;
}

void Bag::grow() {
  slots_.assign(std::max<std::size_t>(256, 4 * slots_.size()), 0);
  for (std::size_t i = 0; i < grams_.size(); ++i)
    slots_[slot_of(grams_[i].hash)] = static_cast<std::uint32_t>(i) + 1;
}

void Bag::add(std::uint64_t gram, unsigned order, std::int64_t weight) {
  if (2 * grams_.size() >= slots_.size()) grow();
  std::uint32_t& slot = slots_[slot_of(gram)];
  if (slot == 0) {
    grams_.push_back({gram, 0, order});
    slot = static_cast<std::uint32_t>(grams_.size());
  }
  grams_[slot - 1].weight += weight;
}

void Bag::prune(std::int64_t threshold) {
  for (Gram& gram : grams_) {
    if (gram.weight <= threshold) gram.weight = 0;
    totals_[gram.order - 1] += gram.weight;
  }
}

std::int64_t Bag::weight(std::uint64_t gram) const {
  if (slots_.empty()) return 0;
  const std::uint32_t slot = slots_[slot_of(gram)];
  return slot ? grams_[slot - 1].weight : 0;
}

std::int64_t Bag::take(std::uint64_t gram) {
  const std::uint32_t slot = slots_.empty() ? 0 : slots_[slot_of(gram)];
  return slot ? std::exchange(grams_[slot - 1].weight, 0) : 0;
}

void Bag::compare(const Bag& left, const Bag& right, std::size_t orders, double* sums) {
  std::array<std::int64_t, max_orders> common{};
  const bool left_is_smaller = left.grams_.size() <= right.grams_.size();
  const Bag& smaller = left_is_smaller ? left : right;
  const Bag& larger = left_is_smaller ? right : left;
  for (const Gram& gram : smaller.grams_)
    common[gram.order - 1] += std::min(gram.weight, larger.weight(gram.hash));
  for (std::size_t n = 0; n < orders; ++n) {
    sums[3 * n] = static_cast<double>(common[n]) / one;
    sums[3 * n + 1] = static_cast<double>(left.totals_[n]) / one;
    sums[3 * n + 2] = static_cast<double>(right.totals_[n]) / one;
  }
}

PivotBags::PivotBags(const PivotTable& table, double total, const BagOptions& options)
    : table_(table), total_(std::max(total, 1.0)), options_(options) {}

const std::vector<Segment>& PivotBags::segment(std::span<const std::string_view> words) {
  const std::size_t longest = options_.longest, size = words.size();
  keys_.resize(size * longest);
  entries_.resize(size * longest);
  phrase_keys(words, longest, keys_.data());
  table_.find_all(keys_, entries_);
  best_.assign(size + 1, -std::numeric_limits<double>::infinity());
  from_.assign(size + 1, 0);
  best_[0] = 0;
  for (std::size_t end = 1; end <= size; ++end)
    for (std::size_t begin = end - std::min(end, longest); begin < end; ++begin) {
      const PivotTable::Entry& entry = entries_[begin * longest + (end - begin) - 1];
      if (!entry.found() && end - begin > 1) continue;
      const double count = entry.found() ? entry.count : unseen;
      const double score = best_[begin] + std::log(count / total_);
      if (score > best_[end]) {
        best_[end] = score;
        from_[end] = static_cast<std::uint32_t>(begin);
      }
    }
  segments_.clear();
  for (auto end = static_cast<std::uint32_t>(size); end > 0; end = from_[end])
    segments_.push_back({from_[end], end, entries_[from_[end] * longest + (end - from_[end]) - 1]});
  std::reverse(segments_.begin(), segments_.end());
  return segments_;
}

void PivotBags::add_choice(const PivotTable::Edge& edge) {
  std::uint32_t ids[PivotTable::longest_phrase];
  const std::size_t length = table_.pivot_phrase(edge.pivot, ids);
  if (length == 0) return;  // a damaged table
  const auto begin = static_cast<std::uint32_t>(codes_.size());
  codes_.insert(codes_.end(), ids, ids + length);
  choices_.push_back({begin, static_cast<std::uint32_t>(codes_.size()), edge.forward});
}

// The translations above the threshold; if all fall, the first of the most likely (PEM §6.1).
void PivotBags::add_translations(const PivotTable::Entry& entry) {
  const std::size_t first = choices_.size();
  PivotTable::Edge likeliest{0, 0, 0};
  for (std::size_t i = entry.first_edge; i < entry.end_edge; ++i) {
    const PivotTable::Edge edge = table_.edge(i);
    if (edge.forward > options_.edge_threshold) add_choice(edge);
    if (edge.forward > likeliest.forward) likeliest = edge;
  }
  if (choices_.size() == first && likeliest.forward > 0) add_choice(likeliest);
  if (!options_.renormalise) return;
  double sum = 0;
  for (std::size_t c = first; c < choices_.size(); ++c) sum += choices_[c].probability;
  for (std::size_t c = first; c < choices_.size(); ++c) choices_[c].probability /= sum;
}

void PivotBags::add_itself(std::span<const std::string_view> phrase) {
  const auto begin = static_cast<std::uint32_t>(codes_.size());
  for (const std::string_view word : phrase) {
    const std::uint64_t hash = hash64(word);
    const std::uint32_t id = table_.find_word(hash);
    codes_.push_back(id < table_.vocabulary() ? id : hash | own_word);
  }
  choices_.push_back({begin, static_cast<std::uint32_t>(codes_.size()), 1.0});
}

void PivotBags::build_network(std::span<const std::string_view> words) {
  codes_.clear();
  choices_.clear();
  columns_.assign(1, 0);
  for (const Segment& part : segment(words)) {
    add_translations(part.entry);
    if (choices_.size() == columns_.back())
      add_itself(words.subspan(part.begin, part.end - part.begin));
    columns_.push_back(static_cast<std::uint32_t>(choices_.size()));
  }
}

template <typename Use>
void PivotBags::extend(Path path, std::size_t column, std::uint32_t at, std::uint32_t end,
                       const Use& use) const {
  for (; at < end; ++at) {
    path.codes[path.length++] = codes_[at];
    path.hash = longer(path.hash, codes_[at]);
    use(path);
    if (path.length == options_.orders) return;
  }
  if (++column + 1 >= columns_.size()) return;
  const double weight = path.weight;
  for (std::uint32_t c = columns_[column]; c < columns_[column + 1]; ++c) {
    path.weight = weight * choices_[c].probability;
    extend(path, column, choices_[c].begin, choices_[c].end, use);
  }
}

// Every n-gram of every path through the network, with the probability of its span of it.
template <typename Use>
void PivotBags::each_gram(const Use& use) const {
  for (std::size_t column = 0; column + 1 < columns_.size(); ++column)
    for (std::uint32_t c = columns_[column]; c < columns_[column + 1]; ++c)
      for (std::uint32_t at = choices_[c].begin; at < choices_[c].end; ++at)
        extend({{}, 0, 0, choices_[c].probability}, column, at, choices_[c].end, use);
}

void PivotBags::make(std::span<const std::string_view> words, Bag& bag) {
  bag.clear();
  build_network(words);
  bag.known = std::any_of(segments_.begin(), segments_.end(),
                          [](const Segment& part) { return part.entry.found(); });
  each_gram([&](const Path& path) {
    bag.add(path.hash, static_cast<unsigned>(path.length), units(path.weight));
  });
  bag.prune(units(options_.gram_threshold));
}

std::vector<std::pair<std::string, double>> PivotBags::list(
    std::span<const std::string_view> words) {
  Bag bag;
  make(words, bag);
  const auto text_of = [&](Code code) -> std::string_view {
    if (!(code & own_word)) return table_.word(static_cast<std::uint32_t>(code));
    for (const std::string_view word : words)
      if ((hash64(word) | own_word) == code) return word;
    return {};
  };
  std::vector<std::pair<std::string, double>> out;
  each_gram([&](const Path& path) {
    const std::int64_t weight = bag.take(path.hash);
    if (weight == 0) return;
    std::string text;
    for (std::size_t i = 0; i < path.length; ++i)
      text.append(i ? " " : "").append(text_of(path.codes[i]));
    out.emplace_back(std::move(text), static_cast<double>(weight) / Bag::one);
  });
  return out;
}

void make_word_bag(std::span<const std::uint64_t> words, std::size_t orders, Bag& bag) {
  bag.clear();
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint64_t hash = 0;
    for (std::size_t n = 1; n <= orders && i + n <= words.size(); ++n) {
      hash = longer(hash, words[i + n - 1]);
      bag.add(hash, static_cast<unsigned>(n), units(1));
    }
  }
  bag.prune(0);
}

}  // namespace otherwords
