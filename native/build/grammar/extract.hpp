// Synchronous rules of a block of an aligned bitext (Chiang 2007, §3.2; Zollmann & Venugopal
// 2006), counted, with their lexical weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "grammar/labels.hpp"
#include "grammar/rule_limits.hpp"
#include "grammar/rule_sides.hpp"
#include "grammar/sequences.hpp"
#include "phrases/aligned.hpp"
#include "phrases/word_links.hpp"

namespace otherwords {

// A rule of a block of text with one set of links. Sides are given by their hashes, and by their
// places among the sides of the block.
struct RuleRow {
  std::int64_t first, second;             // the first sixteen bytes of the source, which sort as it does
  std::uint64_t source, target, check;    // hashes of the sides; another one, of both
  double source_given_target, target_given_source;  // lexical weights, -ln
  std::uint32_t stretch, source_place, target_place;
  std::uint32_t label, alignment;         // numbers, in the block or, once it is added, in all text
  std::uint32_t count;
};
static_assert(sizeof(RuleRow) == 80);     // rows go to disk as they are

// The different (left-hand side, source, target, links) of a block of text.
struct RuleCounts {
  std::vector<std::string> label_names;
  Sequences alignments;
  PackedSides sources, targets;
  std::vector<RuleRow> rows;
};

// What is the same for all blocks.
struct RuleText {
  const Aligned& pairs;
  const Words &left_words, &right_words;
  const WordLinks& lexicon;
  const TreeNodes& trees;
  LabelOptions labels;
  RuleLimits limits;
  SymbolHashes left_hashes, right_hashes;
};

// Counts the rules of the sentences from `begin` to `end`.
RuleCounts count_rules(const RuleText& text, std::size_t begin, std::size_t end);

}  // namespace otherwords
