// Phrase pairs of a block of a bitext, counted, with their lexical weights.
#pragma once

#include "phrases/aligned.hpp"

namespace otherwords {

// The links inside a phrase pair as bits: right word t and left word s are bit width * t + s.
constexpr std::int32_t longest_phrase = 7;

// The different phrases of one side, in the order in which they first occur.
struct PhraseTexts {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> bounds{0};
};

// The links as Moses prints them, by right word, then by left word: "0-0 1-0 0-1".
void append_links(std::uint64_t links, std::string& out);

// One row for every different (left phrase, right phrase, links), sorted by them.
struct PhraseCounts {
  PhraseTexts lefts, rights;
  std::vector<std::int32_t> left, right;  // places in `lefts` and `rights`
  std::vector<std::int64_t> links, count;
  std::vector<double> left_given_right, right_given_left;  // lexical weights
};

// Counts the phrase pairs of the sentences from `begin` to `end`.
PhraseCounts count_phrases(const Aligned& text, const Words& left_words, const Words& right_words,
                           const WordLinks& lexicon, std::size_t begin, std::size_t end,
                           std::int32_t longest);

}  // namespace otherwords
