// Synchronous rules of a stretch of an aligned bitext (Chiang 2007, §3.2; Zollmann & Venugopal
// 2006), counted, with their lexical weights. The limits are Thrax's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grammar/labels.hpp"
#include "grammar/numbered_texts.hpp"
#include "grammar/sequences.hpp"
#include "phrases/aligned.hpp"
#include "phrases/word_links.hpp"

namespace otherwords {

constexpr std::int32_t most_nonterminals = 9;
constexpr std::int32_t longest_initial = 200;

struct RuleLimits {
  std::int32_t phrase_length = 10;   // words per side of an initial phrase pair
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

// One row for every different (left-hand side, source, target, links). Texts are given by their hashes;
// the sides themselves are in `sources` and `targets`, whose labels have the names in `label_names`.
struct RuleCounts {
  NumberedTexts labels, alignments;
  std::vector<std::int32_t> links;  // of each alignment: how many
  Sequences sources, targets;
  std::vector<std::string> label_names;
  std::vector<std::int64_t> lhs, source, target, alignment, count;
  std::vector<std::int64_t> source_place, target_place;  // in `sources` and `targets`
  std::vector<std::int64_t> check_hash;                  // another hash, of both sides
  std::vector<std::int64_t> first, second;               // bytes of the source side, as numbers
  std::vector<std::int64_t> label_bytes;                 // of the left-hand side
  std::vector<double> source_given_target, target_given_source;  // lexical weights, -ln
};

// Counts the rules of the sentences from `begin` to `end`.
RuleCounts count_rules(const Aligned& text, const Words& left_words, const Words& right_words,
                       const WordLinks& lexicon, const TreeNodes& trees, const LabelOptions& labels,
                       const RuleLimits& limits, std::size_t begin, std::size_t end);

}  // namespace otherwords
