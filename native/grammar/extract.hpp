// Synchronous rules of a stretch of an aligned bitext (Chiang 2007, §3.2; Zollmann & Venugopal
// 2006), counted, with their lexical weights. The limits are Thrax's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "grammar/labels.hpp"
#include "phrases/aligned.hpp"
#include "phrases/word_links.hpp"

namespace otherwords {

constexpr std::int32_t most_nonterminals = 9;
constexpr std::int32_t longest_initial = 200;

struct RuleLimits {
  std::int32_t phrase_length = 10;   // words a side of an initial phrase pair
  std::int32_t arity = 2;            // nonterminals
  std::int32_t lexicality = 1;       // links between words of a rule, at least
  std::int32_t source_symbols = 5;   // of rules with nonterminals, as are the next three
  std::int32_t target_symbols = 5;
  std::int32_t source_words = longest_initial;
  std::int32_t target_words = longest_initial;
  std::int32_t rule_span = longest_initial;  // words that a rule covers, a side
  bool adjacent = false;        // nonterminals side by side in the source
  bool loose = false;           // phrase pairs with unaligned words at their edges
  bool abstract = false;        // rules without words
  bool nonlexical_x = true;     // the default label in rules with nonterminals
  bool full_sentence = false;   // the whole pair as a phrase pair, however long
  bool labels_on_left = false;  // the side that has the trees
};

// The different texts of something, in the order in which they first occur.
struct Texts {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> bounds{0};
};

// One row for every different (left-hand side, source, target, links), sorted by these numbers.
struct RuleCounts {
  Texts labels, sources, targets, alignments;
  std::vector<std::int32_t> lhs, source, target, alignment;  // places in the texts
  std::vector<std::int64_t> count;
  std::vector<std::int32_t> links, arity;
  std::vector<std::int32_t> source_words, target_words, source_characters, target_characters;
  std::vector<double> source_given_target, target_given_source;  // lexical weights, -ln
};

// Counts the rules of the sentences from `begin` to `end`.
RuleCounts count_rules(const Aligned& text, const Words& left_words, const Words& right_words,
                       const WordLinks& lexicon, const TreeNodes& trees, const LabelOptions& labels,
                       const RuleLimits& limits, std::size_t begin, std::size_t end);

}  // namespace otherwords
