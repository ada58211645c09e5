// Rows of bytes in a memory-mapped file: numbers as wide as they need to be, side by side.
#pragma once

#include "hash.hpp"
#include "models/quantised.hpp"

namespace otherwords {

// `count` rows of `width` bytes each.
struct Records {
  const std::uint8_t* data = nullptr;
  std::size_t count = 0;
  std::size_t width = 0;

  const std::uint8_t* operator[](std::size_t row) const { return data + row * width; }

  // The bytes of the number that a row begins with, `least` to `most`, `others` after them.
  std::size_t require_width(std::size_t least, std::size_t most, std::size_t others,
                            const char* name) const {
    if (width < least + others || width > most + others)
      throw std::invalid_argument(std::string("pivot table: the rows of '") + name +
                                  "' have another width");
    return width - others;
  }
};

// The little-endian number in the first `width` (1 to 4) bytes.
inline std::uint32_t load(const std::uint8_t* bytes, std::size_t width) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < width; ++i) number |= std::uint32_t{bytes[i]} << (8 * i);
  return number;
}

// The same of a row that has at least four bytes, whose first `mask` bits are the number.
inline std::uint32_t load_masked(const std::uint8_t* bytes, std::uint32_t mask) {
  return load(bytes, 4) & mask;
}

inline std::uint32_t mask_of(std::size_t width) {
  return width >= 4 ? ~std::uint32_t{0} : (std::uint32_t{1} << (8 * width)) - 1;
}

// English phrase -> how often it was seen, and its translations into one pivot language with
// p(f|e) and p(e|f): what PEM and ParaEval look up. Read-only, laid out for a mapped file
// (docs/models.md); entries are checked by the loader in Python, once, and only of small files,
// and nothing that a damaged file can hold makes a look-up leave its arrays.

class PivotTable {
 public:
  static constexpr std::size_t longest_phrase = 16;    // words
  static constexpr std::size_t largest_bucket = 256;   // entries

  struct Arrays {
    // For each value of the leading bits of a key: its first entry, the first edge of that.
    std::span<const std::uint32_t> buckets;
    Records entries;      // the next bits of the key, the count, number of edges
    Records edges;        // pivot phrase, p(f|e) and p(e|f); by pivot phrase
    std::span<const std::uint32_t> pivot_starts;  // [l]: first pivot phrase of l + 1 words
    Records pivot_words;  // the words of the pivot phrases, one phrase after the other
    Records word_bounds;  // of each pivot word, and of the end: its place in `words`
    std::span<const std::uint8_t> words;  // UTF-8 of the pivot words, sorted by hash64
  };

  // A phrase that was found: a span of edges. `count` is 0 if it was not.
  struct Entry {
    double count = 0;
    std::uint32_t first_edge = 0;
    std::uint32_t end_edge = 0;

    bool found() const { return count > 0; }
  };

  struct Edge {
    std::uint32_t pivot;
    double forward;   // p(f|e)
    double backward;  // p(e|f)
  };

  explicit PivotTable(const Arrays& arrays);

  // The entry of the phrase with this hash64 (of its words with single spaces between them).
  Entry find(std::uint64_t key) const;

  // The entries of many keys; the memory that is needed next is prefetched.
  void find_all(std::span<const std::uint64_t> keys, std::span<Entry> entries) const;

  Edge edge(std::size_t position) const {
    const std::uint8_t* row = arrays_.edges[position];
    const std::uint8_t* values = row + pivot_bytes_;
    if (quantised_)
      return {load_masked(row, pivot_mask_), probability_of(values[0]),
              probability_of(values[1])};
    return {load_masked(row, pivot_mask_), exact_probability(values),
            exact_probability(values + sizeof(double))};
  }

  // Whether numbers are codes of one byte, or probabilities doubles and counts 32-bit.
  bool quantised() const { return quantised_; }

  // p(e2|e1) = sum over f of p(f|e1) p(e2|f) (Bannard & Callison-Burch 2005, eq. 2).
  double paraphrase_probability(const Entry& from, const Entry& to) const;

  // Do the phrases share a translation (ParaEval's paraphrases)?
  bool share_pivot(const Entry& a, const Entry& b) const;

  // The ids of the words of a pivot phrase; at most `longest_phrase`.
  std::size_t pivot_phrase(std::uint32_t pivot, std::uint32_t* words) const;

  std::string_view word(std::uint32_t id) const;

  // The id of the pivot word with this hash64, or `vocabulary()` if there is none: an English
  // word that has no translation stands for itself, and may be one of them.
  std::uint32_t find_word(std::uint64_t hash) const;

  std::size_t size() const { return arrays_.entries.count; }
  std::size_t edges() const { return arrays_.edges.count; }
  std::uint32_t vocabulary() const {
    return static_cast<std::uint32_t>(arrays_.word_bounds.count - 1);
  }

 private:
  // A damaged file may hold anything, also no number at all: that is taken for the least one.
  static double exact_probability(const std::uint8_t* bytes) {
    double value;
    std::memcpy(&value, bytes, sizeof value);
    constexpr double least = 0x1p-1022;
    return value >= least ? std::min(value, 1.0) : least;
  }
  void prefetch_bucket(std::uint64_t key) const;
  void prefetch_entries(std::uint64_t key) const;

  Arrays arrays_;
  unsigned bits_ = 1;  // of a key that choose its bucket
  bool quantised_ = true;
  std::size_t key_bytes_ = 0;    // of an entry
  std::size_t pivot_bytes_ = 0;  // of an edge
  std::uint32_t key_mask_ = 0;
  std::uint32_t pivot_mask_ = 0;
  std::vector<std::size_t> first_words_;  // [l]: where the phrases of l + 1 words start
};

// The keys of all phrases of up to `longest` words: keys[i * longest + l - 1] is that of the
// l words from word i on, 0 if the sentence ends before.
inline void phrase_keys(std::span<const std::string_view> words, std::size_t longest,
                        std::uint64_t* keys) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint64_t h = fnv_basis;
    for (std::size_t l = 0; l < longest; ++l) {
      std::uint64_t& key = keys[i * longest + l];
      key = 0;
      if (i + l >= words.size()) continue;
      if (l > 0) h = fnv_step(h, ' ');
      for (char c : words[i + l]) h = fnv_step(h, static_cast<unsigned char>(c));
      key = mix(h);
    }
  }
}

}  // namespace otherwords
