// Which words stand in one sentence pair with which, left word by left word. The left words are
// cut into ranges; each is gone through by itself, with a pass over the text of its own.
#pragma once

#include "bitext/hmm.hpp"
#include "buffer.hpp"

namespace otherwords {

struct WordRange {
  std::uint32_t begin, end;
};

// All left words, in ranges of about as many tokens each.
std::vector<WordRange> word_ranges(const Bitext& bitext);

// Expected count of every cell of a sentence pair while all translations are alike.
std::uint64_t uniform_count(std::size_t left_words, std::size_t right_words);

// The right words that the left words of a range meet in usable sentence pairs.
class Cooccurrence {
 public:
  Cooccurrence(const Bitext& bitext, WordRange range, std::size_t max_words);

  struct Row {
    std::span<const std::uint32_t> right;   // in the order in which they are first met
    std::span<const std::uint64_t> counts;  // sums of `uniform_count`
  };
  // The row of a word of the range; valid until the next one is asked for.
  Row row(std::uint32_t word);

 private:
  const Bitext& bitext_;
  std::uint32_t first_;
  std::vector<std::uint64_t> starts_;
  std::vector<std::uint32_t> sentences_;  // of every occurrence, word by word
  std::vector<std::uint32_t> met_, place_;  // for every right word its last row, its place there
  std::vector<std::uint32_t> right_;
  std::vector<std::uint64_t> counts_;
};

// The translation table while it is trained: for every left word the right words that it meets,
// found by hashing, so that the cells of sentence pairs need not be kept.

struct Translation {
  static constexpr std::uint32_t no_word = 0xffffffffu;

  std::uint32_t right = no_word;  // by its rank
  float to_right = 0;  // t(right | left)
  float to_left = 0;   // t(left | right)
};

// The translations of a left word. Frequent right words, as far as the row has most of them, have
// the slot of their rank: what is looked up most lies together. The others are hashed; at least one
// of their slots is free.
struct TranslationRow {
  static constexpr std::uint32_t no_slot = 0xffffffffu;

  Translation* slots = nullptr;
  std::uint64_t* counts = nullptr;  // expected counts in fixed point
  std::uint32_t capacity = 0;
  std::uint32_t frequent = 0;  // slots that are not hashed
  std::uint32_t met = 0;  // right words that the left one meets, before pruning

  std::uint32_t home(std::uint32_t rank) const {
    const std::uint64_t spread = rank * 0x9e3779b1u;
    const auto hashed =
        frequent + static_cast<std::uint32_t>((spread * (capacity - frequent)) >> 32);
    return rank < frequent ? rank : hashed;
  }
  // The slot of a right word, or `no_slot`.
  std::uint32_t find(std::uint32_t rank) const { return find(rank, home(rank)); }
  std::uint32_t find(std::uint32_t rank, std::uint32_t k) const {
    for (;;) {
      if (slots[k].right == rank) return k;
      if (slots[k].right == Translation::no_word) return no_slot;
      if (++k == capacity) k = frequent;
    }
  }
};

class Translations {
 public:
  struct Options {
    std::size_t max_words;
    double prune;  // pairs with a smaller share of the counts of both words are left out
    std::span<const std::uint64_t> kept;  // but not these: left word * 2^32 + right word, sorted
    bool counts;  // starts with the counts that a uniform table gives, else with none
    unsigned threads;
    const std::function<void()>& interrupt;
  };

  // All probabilities are 1.
  Translations(const Bitext& bitext, const Options& options);

  const TranslationRow& operator[](std::uint32_t word) const { return rows_[word]; }
  std::span<const TranslationRow> rows() const { return rows_; }
  // Right words by frequency: their ranks, and the word of each.
  std::span<const std::uint32_t> ranks() const { return ranks_; }
  std::span<const std::uint32_t> by_rank() const { return by_rank_; }
  // For every right word, by rank, the left words that it meets before pruning.
  std::span<const std::uint32_t> met() const { return met_; }

  // Rows of consecutive words share their memory, and are given back together.
  std::size_t chunks() const { return chunks_.size(); }
  WordRange words(std::size_t chunk) const { return chunks_[chunk].words; }
  void release(std::size_t chunk);

 private:
  struct Chunk {
    WordRange words;
    Buffer<Translation> slots;
    Buffer<std::uint64_t> counts;
  };

  // Right words of a row that is not pruned: rank * 2^32 + place, sorted.
  using Chosen = std::vector<std::uint64_t>;

  void rank(const Bitext& bitext);
  void fill(Chunk& chunk, const Bitext& bitext, const Options& options,
            std::span<const std::uint64_t> columns, std::vector<std::uint32_t>& met);
  void choose(std::uint32_t word, const Cooccurrence::Row& row, const Options& options,
              std::span<const std::uint64_t> columns, Chosen& chosen) const;

  std::vector<Chunk> chunks_;
  std::vector<TranslationRow> rows_;
  std::vector<std::uint32_t> ranks_, by_rank_, met_;
};

}  // namespace otherwords
