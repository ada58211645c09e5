// Which words stand in one sentence pair with which, left word by left word. The left words are
// cut into ranges; each is gone through by itself, with a pass over the text of its own.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bitext/corpus.hpp"
#include "bitext/hmm.hpp"

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

}  // namespace otherwords
