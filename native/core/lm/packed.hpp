// Arrays of small numbers, packed to the bits that they need, as a mapped file holds them.
// Reading never goes beyond the bytes there are, whatever a damaged file says.
#pragma once

#include "prefetch.hpp"

namespace otherwords::lm {

// How many bits the numbers 0 .. largest need.
constexpr unsigned bits_for(std::uint64_t largest) {
  return largest == 0 ? 1 : static_cast<unsigned>(std::bit_width(largest));
}

// Numbers of `bits` (at most 32) bits each; eight spare bytes let every read be one load.
class PackedNumbers {
 public:
  PackedNumbers() = default;
  PackedNumbers(std::span<const std::uint8_t> bytes, unsigned bits, std::size_t size)
      : bytes_(bytes.data()), bits_(bits), size_(size), mask_((std::uint64_t{1} << bits) - 1) {
    if (bits > 32 || bytes.size() != bytes_needed(bits, size))
      throw std::invalid_argument("packed numbers: the size does not fit");
  }

  static std::size_t bytes_needed(unsigned bits, std::size_t size) {
    return (size * bits + 7) / 8 + 8;
  }

  static std::vector<std::uint8_t> pack(std::span<const std::uint32_t> numbers, unsigned bits) {
    std::vector<std::uint8_t> bytes(bytes_needed(bits, numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::uint8_t* at = bytes.data() + i * bits / 8;
      std::uint64_t word;
      std::memcpy(&word, at, 8);
      word |= std::uint64_t{numbers[i]} << (i * bits % 8);
      std::memcpy(at, &word, 8);
    }
    return bytes;
  }

  // The number at `i`, or 0 beyond the end.
  std::uint32_t operator[](std::size_t i) const {
    if (i >= size_) return 0;
    std::uint64_t word;
    std::memcpy(&word, bytes_ + i * bits_ / 8, 8);
    return static_cast<std::uint32_t>(word >> (i * bits_ % 8) & mask_);
  }

  // Where the number is, for callers that know well before they need it.
  const void* address(std::size_t i) const { return bytes_ + i * bits_ / 8; }

  std::size_t size() const { return size_; }

 private:
  const std::uint8_t* bytes_ = nullptr;
  unsigned bits_ = 1;
  std::size_t size_ = 0;
  std::uint64_t mask_ = 1;
};

// Number of bits set; without a processor's own instruction std::popcount is a call.
constexpr std::size_t bits_set(std::uint64_t x) {
  x -= x >> 1 & 0x5555555555555555;
  x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<std::size_t>(x * 0x0101010101010101 >> 56);
}

// A set of positions, and how many of the set stand before a position: for every 32
// positions one number, which has them as its lower bits and the count of those before above.
class RankedFlags {
 public:
  RankedFlags() = default;
  RankedFlags(std::span<const std::uint64_t> blocks, std::size_t size)
      : blocks_(blocks), size_(size) {
    if (blocks.size() != (size + 31) / 32)
      throw std::invalid_argument("ranked flags: the size does not fit");
  }

  static std::vector<std::uint64_t> pack(std::span<const std::uint8_t> flags) {
    std::vector<std::uint64_t> blocks((flags.size() + 31) / 32);
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < flags.size(); ++i) {
      if (i % 32 == 0) blocks[i / 32] = before << 32;
      if (!flags[i]) continue;
      blocks[i / 32] |= std::uint64_t{1} << (i % 32);
      ++before;
    }
    return blocks;
  }

  const void* address(std::size_t i) const { return blocks_.data() + i / 32; }
  bool has(std::size_t i) const { return i < size_ && (blocks_[i / 32] >> (i % 32) & 1); }
  std::size_t rank(std::size_t i) const {
    const std::uint64_t block = blocks_[i / 32];
    return (block >> 32) + bits_set(block & ((std::uint64_t{1} << (i % 32)) - 1));
  }
  std::size_t total() const {
    return blocks_.empty() ? 0 : (blocks_.back() >> 32) + bits_set(blocks_.back() & 0xffffffff);
  }

 private:
  std::span<const std::uint64_t> blocks_;
  std::size_t size_ = 0;
};

// The compact n-gram model: a reverse trie of packed arrays over hashed words. It is what
// model files hold and what is queried, mapped as it is; docs/lm.md has the layout.

constexpr std::uint32_t unknown_word = 0, sentence_begin = 1, sentence_end = 2, first_word = 3;
constexpr std::uint32_t absent = 0xffffffff;
constexpr unsigned max_order = 10;

// Words as hashes: sorted, the leading bits by bucket, the next 32 as they are. The position
// of a word among them is its number, less `first_word`.
class HashedVocabulary {
 public:
  HashedVocabulary() = default;
  HashedVocabulary(std::span<const std::uint32_t> keys, std::span<const std::uint32_t> buckets);

  std::uint32_t find(std::uint64_t hash) const {
    const std::size_t bucket = hash >> shift_;
    const auto key = static_cast<std::uint32_t>(hash << (64 - shift_) >> 32);
    for (std::size_t i = buckets_[bucket], end = buckets_[bucket + 1]; i < end; ++i)
      if (keys_[i] == key) return static_cast<std::uint32_t>(i) + first_word;
    return unknown_word;
  }
  // Where a lookup reads first, and then; for callers that know their hashes in advance.
  const void* bucket_of(std::uint64_t hash) const { return &buckets_[hash >> shift_]; }
  const void* keys_of(std::uint64_t hash) const { return keys_.data() + buckets_[hash >> shift_]; }
  std::size_t size() const { return keys_.size(); }

 private:
  std::span<const std::uint32_t> keys_, buckets_;
  unsigned shift_ = 63;
};

struct Weight {
  float probability, backoff;  // log10
};

// The weights of n-grams, each side by side, as they are or as codes into tables of at most
// 256 values. The longest n-grams have no back-off.
class Weights {
 public:
  Weights() = default;
  Weights(std::span<const float> values, std::size_t size, bool backoffs)
      : probabilities_(values), size_(size), backoffs_here_(backoffs) {
    if (values.size() != size * (backoffs ? 2 : 1))
      throw std::invalid_argument("the weights have another size");
  }
  Weights(std::span<const float> probabilities, std::span<const float> backoffs,
          std::span<const std::uint8_t> codes, std::size_t size, bool backoffs_here);

  Weight operator[](std::size_t i) const {
    if (i >= size_) return {};
    if (bits_ == 0)
      return backoffs_here_ ? Weight{probabilities_[2 * i], probabilities_[2 * i + 1]}
                            : Weight{probabilities_[i], 0};
    const std::uint32_t codes = codes_[i], low = codes & ((1u << bits_) - 1);
    return {probabilities_[low], backoffs_here_ ? backoffs_[codes >> bits_] : 0};
  }
  const void* address(std::size_t i) const {
    return bits_ ? codes_.address(i) : probabilities_.data() + (backoffs_here_ ? 2 * i : i);
  }

 private:
  std::span<const float> probabilities_, backoffs_;
  PackedNumbers codes_;
  std::size_t size_ = 0;
  unsigned bits_ = 0;  // of a code; 0: no codes
  bool backoffs_here_ = false;
};

struct PackedLevel {
  std::size_t size = 0;
  PackedNumbers left;      // first words; none in the first level
  Weights weights;
  RankedFlags parents;     // n-grams that are the suffix of a longer one; none in the last level
  PackedNumbers children;  // where the longer ones of each parent start; none in the last level
};

// What one token was scored with.
struct TokenScore {
  std::uint32_t word;
  double log_probability;
  unsigned length;  // of the longest n-gram found
};

struct SentenceScore {
  double log_probability = 0;  // of all tokens and </s>
  double of_unknown = 0;       // the part that unknown words have in it
  std::uint32_t tokens = 0;    // without </s>
  std::uint32_t unknown = 0;
};

class PackedModel {
 public:
  PackedModel(HashedVocabulary vocabulary, std::vector<PackedLevel> levels);

  std::size_t order() const { return levels_.size(); }
  const PackedLevel& level(std::size_t k) const { return levels_[k]; }
  const HashedVocabulary& vocabulary() const { return vocabulary_; }

  struct Range {
    std::size_t begin, end;
  };
  // The n-grams of level k + 1 whose suffix is that of level k; never beyond what there is.
  Range children(std::size_t k, std::size_t node) const;
  Range children_of_parent(std::size_t k, std::size_t rank) const;

 private:
  HashedVocabulary vocabulary_;
  std::vector<PackedLevel> levels_;
};

// Scores sentences, best several at a time. Holds scratch memory: one object per thread.
class Scorer {
 public:
  explicit Scorer(const PackedModel& model) : model_(model) {}

  // One more sentence to score.
  void add(std::span<const std::uint32_t> words);

  // Scores the words of each sentence and then </s>, in the context of <s>, into `scores`;
  // `tokens`, if given, receives each. The scorer is empty after it.
  void run(SentenceScore* scores, std::vector<TokenScore>* tokens = nullptr);

 private:
  struct Walk {  // from the last word of an n-gram to the left
    std::uint32_t offset;  // of the last word in its sentence; <s> is 0
    std::uint32_t node;
    std::uint32_t length;  // of the longest n-gram found so far
    float log_probability;
    std::array<float, max_order> backoff;  // of the n-grams on the way
    std::size_t begin, end, guess;
  };
  void ask_for(std::size_t k, std::size_t node) const;
  void arrive(std::size_t length);
  void leave(std::size_t length);
  void search(std::size_t length);

  const PackedModel& model_;
  std::vector<std::uint32_t> text_;     // <s> words </s> of each sentence
  std::vector<Walk> walks_;             // of each of these
  std::vector<std::uint32_t> walking_;  // those that may go on
};

}  // namespace otherwords::lm
