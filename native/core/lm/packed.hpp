// The compact n-gram model: a reverse trie of packed arrays over hashed words. It is what
// model files hold and what is queried, mapped as it is; docs/lm.md has the layout.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lm/bits.hpp"

namespace otherwords::lm {

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
