// The order of the words that two texts have in common: chunks (METEOR), pairs in the same order
// (Kendall), shifts, the longest common subsequence (ROUGE-L).
#pragma once

#include "standard.hpp"

namespace otherwords {

struct OrderStatistics {
  double breaks = 1, kendall = 0, shift = 1, chunks = 1;  // of texts without a word in common
  double common = 0;                                      // length of the subsequence
};

class WordOrder {
 public:
  // Equal words are linked one to one, from left to right: the word after the last one linked if
  // it is equal, else the one nearest in place.
  OrderStatistics compare(std::span<const std::uint32_t> mine,
                          std::span<const std::uint32_t> theirs);

 private:
  using Word = std::uint32_t;
  using Place = std::uint32_t;

  void link(std::span<const Word> mine, std::span<const Word> theirs);
  double inversions(std::size_t places);
  std::size_t longest_common(std::span<const Word> mine, std::span<const Word> theirs);

  std::unordered_map<Word, std::vector<Place>> free_;  // places of theirs, ascending
  std::vector<std::pair<Place, Place>> links_;
  std::vector<std::uint32_t> tree_;  // counts of places seen (Fenwick 1994)
  std::unordered_map<Word, std::uint64_t> bits_;  // places of mine in a block of 64
  std::vector<std::uint8_t> carries_;
};

}  // namespace otherwords
