// Sparse rows of weights by hashed feature, laid out for a memory-mapped file and for few cache
// misses: one for the bucket, one for the key with the start of its row, one for the row.
#pragma once

#include "hash.hpp"
#include "require.hpp"
#include "text/tagger_features.hpp"

namespace otherwords {

class FeatureRows {
 public:
  // `buckets` has 2^b + 1 entries: features i with buckets[x] <= i < buckets[x + 1] have keys
  // whose first b bits are x. `features` holds for each the last 32 bits of its key and the
  // start of its row, and at the end 0 and the end of the last row. `entries` of the rows are a
  // symbol (low byte) with its weight (high byte, signed). Throws std::invalid_argument unless
  // all fit and symbols are below `symbols`.
  FeatureRows(std::span<const std::uint32_t> buckets, std::span<const std::uint32_t> features,
              std::span<const std::uint16_t> entries, std::size_t symbols)
      : buckets_(buckets), features_(features), entries_(entries) {
    check(symbols);
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(buckets.size() - 1));
  }

  std::span<const std::uint16_t> find(std::uint64_t key) const {
    const std::size_t bucket = key >> shift_;
    const auto low = static_cast<std::uint32_t>(key);
    for (std::size_t i = buckets_[bucket], end = buckets_[bucket + 1]; i < end; ++i)
      if (features_[2 * i] == low)
        return entries_.subspan(features_[2 * i + 1], features_[2 * i + 3] - features_[2 * i + 1]);
    return {};
  }

  // Where a lookup will read, for callers that know their keys well before they need them.
  const void* bucket_of(std::uint64_t key) const { return &buckets_[key >> shift_]; }
  const void* features_of(std::uint64_t key) const {
    return features_.data() + 2 * buckets_[key >> shift_];
  }

  static std::int8_t weight(std::uint16_t entry) { return static_cast<std::int8_t>(entry >> 8); }
  static std::uint8_t symbol(std::uint16_t entry) { return static_cast<std::uint8_t>(entry); }
  static std::uint16_t entry(std::uint8_t symbol, std::int8_t weight) {
    return static_cast<std::uint16_t>(symbol | static_cast<std::uint8_t>(weight) << 8);
  }

  // Buckets for sorted keys: about four keys each.
  static std::vector<std::uint32_t> bucket_bounds(std::span<const std::uint64_t> keys) {
    const auto width = static_cast<unsigned>(std::bit_width(keys.size() / 4));
    const unsigned bits = width > 1 ? width : 1;
    std::vector<std::uint32_t> bounds((std::size_t{1} << bits) + 1);
    for (const std::uint64_t key : keys) ++bounds[(key >> (64 - bits)) + 1];
    for (std::size_t i = 1; i < bounds.size(); ++i) bounds[i] += bounds[i - 1];
    return bounds;
  }

 private:
  void check(std::size_t symbols) const {
    const std::size_t count = buckets_.empty() ? 0 : buckets_.size() - 1;
    require(count >= 2 && std::has_single_bit(count) && buckets_.front() == 0,
            "features: the buckets are damaged");
    for (std::size_t i = 0; i < count; ++i)
      require(buckets_[i] <= buckets_[i + 1], "features: the buckets are not in order");
    require(features_.size() == 2 * std::size_t{buckets_.back()} + 2,
            "features: the buckets do not fit the keys");
    for (std::size_t i = 1; i + 2 < features_.size(); i += 2)
      require(features_[i] <= features_[i + 2], "features: the rows are not in order");
    require(features_[1] == 0 && features_.back() == entries_.size(),
            "features: the rows do not fit the keys");
    for (const std::uint16_t entry : entries_)
      require(symbol(entry) < symbols, "features: a weight has no symbol");
  }

  std::span<const std::uint32_t> buckets_, features_;
  std::span<const std::uint16_t> entries_;
  unsigned shift_ = 63;
};

}  // namespace otherwords

namespace otherwords::parsing {

// What the parser looks at. Training and parsing go through this file, so that a feature can
// not mean one thing in one place and another elsewhere.
//
// Features are hashes of the surface of a span (Hall, Durrett & Klein 2014): the words and tags
// at its edges, next to them and inside. They come in six kinds, by what they depend on and by
// what they speak for:
//   left, right   where a span begins, ends         } for the label of the span
//   span          both edges and what is inside     }
//   split         where a phrase is split           }
//   left_child    a span, as the left part          } for the label of the phrase split
//   right_child   a span, as the right part         }

enum class Kind : std::uint8_t { left, right, split, span, left_child, right_child };

// A word as the features see it.
struct Token {
  std::uint64_t word = 0;     // in lower case, digits made equal
  std::uint64_t tag = 0;
  std::uint64_t cluster = 0;  // fine class of the word
  std::uint64_t coarse = 0;   // middle class of the word
  std::uint64_t suffix = 0;
  std::uint64_t shape = 0;
  std::uint32_t inside = 0;   // what a span with this word in it has: bits of `Inside`
  std::uint8_t chunk = 0;     // class of the tag; runs of one class are one chunk
  std::int8_t bracket = 0;    // +1 opens, -1 closes
};

// A sentence between boundary tokens, `reach` on each side.
class Tokens {
 public:
  static constexpr std::size_t reach = 3;

  void read(std::span<const std::string_view> words, std::span<const std::string_view> tags,
            const tagging::Lexicon& lexicon);

  std::size_t size() const { return size_; }
  // i may be from -reach up to size + reach - 1.
  const Token& operator[](std::ptrdiff_t i) const {
    return tokens_[static_cast<std::size_t>(i + static_cast<std::ptrdiff_t>(reach))];
  }

 private:
  std::vector<Token> tokens_;
  std::size_t size_ = 0;
  std::string buffer_;
};

// A template with the kind of features it makes; the numbers are part of the model format.
constexpr std::uint64_t seed(Kind kind, unsigned number) {
  return (static_cast<std::uint64_t>(kind) * 64 + number + 1000) * 0x9e3779b97f4a7c15ULL;
}

constexpr std::uint64_t join(std::uint64_t a, std::uint64_t b) {
  return (a ^ (b + 0x9e3779b97f4a7c15ULL)) * 0xff51afd7ed558ccdULL + (a >> 29);
}
template <typename... More>
constexpr std::uint64_t join(std::uint64_t a, std::uint64_t b, More... more) {
  return join(join(a, b), more...);
}

// Features of the place between the words at - 1 and at, where a span begins or ends or a
// phrase is split.
template <typename Emit>
void place_features(const Tokens& s, Kind kind, std::size_t place, Emit emit) {
  const auto at = static_cast<std::ptrdiff_t>(place);
  const Token &a = s[at - 1], &b = s[at], &aa = s[at - 2], &bb = s[at + 1];
  unsigned number = 0;
  const auto add = [&](auto... values) { emit(mix(join(seed(kind, number++), values...))); };
  add(a.word);
  add(b.word);
  add(a.tag);
  add(b.tag);
  add(a.tag, b.tag);
  add(a.word, b.tag);
  add(a.tag, b.word);
  add(a.word, b.word);
  add(aa.tag, a.tag, b.tag);
  add(a.tag, b.tag, bb.tag);
  add(aa.tag, a.tag, b.tag, bb.tag);
  add(b.tag, bb.tag, s[at + 2].tag);
  add(s[at - 3].tag, aa.tag, a.tag);
  add(aa.word, a.tag, b.tag);
  add(a.tag, b.tag, bb.word);
  add(b.word, bb.tag);
  add(b.word, bb.word);
  add(aa.word, a.word);
  add(aa.tag, a.word);
  add(a.cluster);
  add(b.cluster);
  add(a.coarse, b.coarse);
  add(a.suffix, b.tag);
  add(b.suffix, a.tag);
  add(b.shape, b.tag);
}

// What is known of the words of a span that grows to the right from its first word.
class Growing {
 public:
  explicit Growing(const Tokens& s, std::size_t begin) : s_(s), begin_(begin) {}

  // Takes in the word at `end - 1`.
  void grow(std::size_t end) {
    const Token& token = s_[static_cast<std::ptrdiff_t>(end - 1)];
    inside |= token.inside;
    if (token.chunk != last_chunk_) {
      ++chunk_count;
      chunks = join(chunks, token.chunk);
      last_chunk_ = token.chunk;
    }
    if (end - begin_ <= max_sequence) tag_sequence = join(tag_sequence, token.tag);
    balance += token.bracket;
    if (balance < 0) unbalanced = true;
    finite += (token.inside & 1) != 0 && finite < 3;
  }

  static constexpr std::size_t max_sequence = 6;
  static constexpr std::size_t max_chunks = 8;

  std::uint32_t inside = 0;
  std::uint32_t finite = 0;
  std::uint64_t chunks = 1;
  std::size_t chunk_count = 0;
  std::uint64_t tag_sequence = 2;
  int balance = 0;
  bool unbalanced = false;

 private:
  const Tokens& s_;
  std::size_t begin_;
  std::uint8_t last_chunk_ = 0xff;
};

std::uint64_t length_class(std::size_t length);

template <typename Emit>
void span_features(const Tokens& s, std::size_t begin, std::size_t end, const Growing& grown,
                   Emit emit) {
  const auto i = static_cast<std::ptrdiff_t>(begin), j = static_cast<std::ptrdiff_t>(end);
  const Token &b = s[i - 1], &a = s[i], &z = s[j - 1], &e = s[j];  // before, first, last, after
  const std::size_t words = end - begin;
  const std::uint64_t length = length_class(words);
  unsigned number = 0;
  const auto add = [&](auto... values) { emit(mix(join(seed(Kind::span, number++), values...))); };
  add(length, 1);
  add(length, a.tag);
  add(length, z.tag);
  add(b.tag, e.tag);
  add(b.tag, e.tag, length);
  add(b.word, e.word);
  add(b.word, e.tag);
  add(b.tag, e.word);
  add(b.coarse, e.coarse);
  const std::uint64_t shape = grown.inside * 16 + (grown.unbalanced ? 8 : 0) +
                              static_cast<std::uint64_t>(grown.balance > 0 ? 1 : 0);
  add(shape, 1);
  add(shape, length);
  add(shape, a.tag, z.tag);
  add(shape, b.tag, e.tag);
  add(shape, grown.finite, a.tag, e.tag);
  if (grown.chunk_count <= Growing::max_chunks) {
    add(grown.chunks, 1);
    add(grown.chunks, b.tag, e.tag);
    add(grown.chunks, a.word);
    add(grown.chunks, e.word);
  }
  number = 20;
  if (words <= Growing::max_sequence) {
    add(grown.tag_sequence, 1);
    add(grown.tag_sequence, b.tag, e.tag);
  }
  number = 22;
  if (words == 1) {
    add(a.word, b.tag, e.tag);
    add(a.cluster, b.tag, e.tag);
    return;  // one word is both edges; the places say the rest
  }
  number = 24;
  add(a.tag, z.tag);
  add(b.tag, a.tag, z.tag);
  add(a.tag, z.tag, e.tag);
  add(b.tag, a.tag, e.tag);
  add(b.tag, z.tag, e.tag);
  add(b.tag, a.tag, z.tag, e.tag);
  add(a.word, z.word);
  add(a.word, z.tag);
  add(a.tag, z.word);
  add(a.word, e.tag);
  add(a.word, e.word);
  add(b.word, z.tag);
  add(b.word, z.word);
  add(b.word, a.tag, z.tag);
  add(a.tag, z.tag, e.word);
  add(a.cluster, z.cluster);
  add(b.coarse, a.coarse, z.coarse, e.coarse);
  add(a.tag, s[i + 1].tag, z.tag);
  add(a.tag, s[j - 2].tag, z.tag);
  add(a.tag, s[i + 1].tag, s[j - 2].tag, z.tag);
}

// Features of a span as the left (or right) part of a phrase.
template <typename Emit>
void child_features(const Tokens& s, Kind kind, std::size_t begin, std::size_t end, Emit emit) {
  const auto i = static_cast<std::ptrdiff_t>(begin), j = static_cast<std::ptrdiff_t>(end);
  const Token &b = s[i - 1], &a = s[i], &z = s[j - 1], &e = s[j];
  const std::uint64_t length = length_class(end - begin);
  unsigned number = 0;
  const auto add = [&](auto... values) { emit(mix(join(seed(kind, number++), values...))); };
  add(length, 1);
  if (kind == Kind::left_child) {  // the right part starts at `e`
    add(a.word, e.word);
    add(a.tag, e.word);
    add(a.word, e.tag);
    add(a.tag, e.tag);
    add(a.tag, z.tag, e.tag);
    add(a.tag, z.tag, e.word);
    add(a.coarse, e.coarse);
    add(length, e.tag);
  } else {  // the left part ends at `b`
    add(b.word, a.word, z.tag);
    add(b.word, z.word);
    add(b.tag, z.word);
    add(b.word, z.tag);
    add(b.tag, a.tag, z.tag);
    add(b.tag, a.word, z.tag);
    add(b.coarse, z.coarse);
    add(length, b.tag);
    add(a.tag, z.tag, e.tag);
  }
}

}  // namespace otherwords::parsing
