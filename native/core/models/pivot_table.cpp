#include "models/pivot_table.hpp"

#include "prefetch.hpp"
#include "require.hpp"

namespace otherwords {
namespace {

// Bytes of a row besides its key or pivot phrase: a code of the count and the number of edges,
// or a count of 32 bits and that; two codes, or two doubles. No two widths are the same.
constexpr std::size_t quantised_entry = 2, exact_entry = 5;
constexpr std::size_t quantised_edge = 2, exact_edge = 16;

// Calls use(i, j) for every pivot phrase that edge i of `a` and edge j of `b` both lead to,
// until it returns false.
template <typename Use>
void common_pivots(const PivotTable& table, const PivotTable::Entry& a,
                   const PivotTable::Entry& b, Use use) {
  std::size_t i = a.first_edge, j = b.first_edge;
  while (i < a.end_edge && j < b.end_edge) {
    const auto left = table.edge(i), right = table.edge(j);
    if (left.pivot == right.pivot && !use(left, right)) return;
    i += left.pivot <= right.pivot;
    j += right.pivot <= left.pivot;
  }
}

}  // namespace

PivotTable::PivotTable(const Arrays& arrays) : arrays_(arrays) {
  quantised_ = arrays.edges.width < exact_edge;
  key_bytes_ = arrays.entries.require_width(2, 4, quantised_ ? quantised_entry : exact_entry,
                                            "entries");
  pivot_bytes_ = arrays.edges.require_width(2, 4, quantised_ ? quantised_edge : exact_edge,
                                            "edges");
  arrays.pivot_words.require_width(1, 4, 0, "pivot_words");
  arrays.word_bounds.require_width(1, 4, 0, "word_bounds");
  const std::size_t buckets = arrays.buckets.size() / 2;
  require(arrays.buckets.size() % 2 == 0 && buckets >= 3 && std::has_single_bit(buckets - 1),
          "pivot table: the number of buckets is no power of two");
  require(arrays.word_bounds.count >= 1, "pivot table: there are no bounds of words");
  bits_ = static_cast<unsigned>(std::countr_zero(buckets - 1));
  require(bits_ <= 32, "pivot table: too many buckets");
  key_mask_ = mask_of(key_bytes_);
  pivot_mask_ = mask_of(pivot_bytes_);
  const auto starts = arrays.pivot_starts;
  require(!starts.empty() && starts.size() <= longest_phrase + 1 && starts[0] == 0,
          "pivot table: the lengths of the pivot phrases are damaged");
  first_words_.push_back(0);
  for (std::size_t l = 1; l < starts.size(); ++l) {
    require(starts[l - 1] <= starts[l], "pivot table: the lengths of the phrases are damaged");
    first_words_.push_back(first_words_.back() + l * (starts[l] - starts[l - 1]));
  }
  require(first_words_.back() == arrays.pivot_words.count,
          "pivot table: the words do not fit the pivot phrases");
}

PivotTable::Entry PivotTable::find(std::uint64_t key) const {
  const std::uint32_t* bucket = &arrays_.buckets[2 * (key >> (64 - bits_))];
  const auto rest = static_cast<std::uint32_t>((key << bits_) >> (64 - 8 * key_bytes_));
  const std::size_t first = bucket[0];
  const std::size_t end = std::min({std::size_t{bucket[2]}, arrays_.entries.count,
                                    first + largest_bucket});
  const std::size_t last = arrays_.entries.width - 1;
  std::size_t edge = bucket[1];
  for (std::size_t i = first; i < end; ++i) {
    const std::uint8_t* row = arrays_.entries[i];
    if (load_masked(row, key_mask_) == rest) {
      const std::size_t most = arrays_.edges.count;
      const double count =
          quantised_ ? count_of(row[key_bytes_]) : load(row + key_bytes_, sizeof(std::uint32_t));
      return {count, static_cast<std::uint32_t>(std::min(edge, most)),
              static_cast<std::uint32_t>(std::min(edge + row[last], most))};
    }
    edge += row[last];
  }
  return {};
}

void PivotTable::prefetch_bucket(std::uint64_t key) const {
  prefetch(&arrays_.buckets[2 * (key >> (64 - bits_))]);
}

void PivotTable::prefetch_entries(std::uint64_t key) const {
  const std::size_t first = arrays_.buckets[2 * (key >> (64 - bits_))];
  const std::uint8_t* row = arrays_.entries[std::min(first, arrays_.entries.count)];
  prefetch(row);
  prefetch(row + 40);  // a bucket has four to eight entries of up to nine bytes
}

void PivotTable::find_all(std::span<const std::uint64_t> keys, std::span<Entry> entries) const {
  for (std::size_t i = 0; i < keys.size() + 2 * keys_ahead; ++i) {
    if (i < keys.size()) prefetch_bucket(keys[i]);
    if (i >= keys_ahead && i - keys_ahead < keys.size()) prefetch_entries(keys[i - keys_ahead]);
    if (i < 2 * keys_ahead) continue;
    Entry& entry = entries[i - 2 * keys_ahead] = find(keys[i - 2 * keys_ahead]);
    if (entry.first_edge < entry.end_edge) prefetch(arrays_.edges[entry.first_edge]);
  }
}

double PivotTable::paraphrase_probability(const Entry& from, const Entry& to) const {
  double sum = 0;
  common_pivots(*this, from, to, [&](const Edge& a, const Edge& b) {
    sum += a.forward * b.backward;
    return true;
  });
  // Rounded up one by one, they may come to a little more than one.
  return std::min(sum, 1.0);
}

bool PivotTable::share_pivot(const Entry& a, const Entry& b) const {
  bool shared = false;
  common_pivots(*this, a, b, [&](const Edge&, const Edge&) {
    shared = true;
    return false;
  });
  return shared;
}

std::size_t PivotTable::pivot_phrase(std::uint32_t pivot, std::uint32_t* words) const {
  const auto starts = arrays_.pivot_starts;
  for (std::size_t length = 1; length < starts.size(); ++length) {
    if (pivot >= starts[length]) continue;
    const std::size_t first = first_words_[length - 1] + length * (pivot - starts[length - 1]);
    for (std::size_t i = 0; i < length; ++i)
      words[i] = load(arrays_.pivot_words[first + i], arrays_.pivot_words.width);
    return length;
  }
  return 0;
}

std::string_view PivotTable::word(std::uint32_t id) const {
  if (id >= vocabulary()) return {};
  const std::size_t width = arrays_.word_bounds.width, size = arrays_.words.size();
  const std::size_t begin = std::min<std::size_t>(load(arrays_.word_bounds[id], width), size);
  const std::size_t end = std::min<std::size_t>(load(arrays_.word_bounds[id + 1], width), size);
  if (end <= begin) return {};
  return {reinterpret_cast<const char*>(arrays_.words.data()) + begin, end - begin};
}

std::uint32_t PivotTable::find_word(std::uint64_t hash) const {
  std::uint32_t low = 0, high = vocabulary();
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    const std::uint64_t here = hash64(word(middle));
    if (here == hash) return middle;
    if (here < hash)
      low = middle + 1;
    else
      high = middle;
  }
  return vocabulary();
}

}  // namespace otherwords
