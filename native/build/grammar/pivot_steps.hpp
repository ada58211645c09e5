// Rules of a bilingual grammar as steps of a pivot through their foreign sides.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/numbered_texts.hpp"
#include "grammar/rule_lines.hpp"

namespace otherwords {

using Orders = std::vector<std::vector<int>>;  // of nonterminals

// Rows of a grammar; the costs are negative logarithms of p(f | e) and p(e | f).
struct PivotRules {
  TextColumn lhs, foreign, english;
  std::span<const double> forward, backward;
};

// A step is a rule whose nonterminals have the numbers that their order in the foreign side gives them,
// and on the English side those of some order. Texts are given by their numbers.
struct PivotSteps {
  NumberedTexts labels, english;  // the English side of each step; labels that are met
  std::vector<std::int64_t> lhs, foreign, foreign_check, order;
  std::vector<double> forward, backward;  // probabilities
  Orders orders;                          // of the rules' own English sides
};

// One step for each rule, its English nonterminals numbered as they stand there; or, given orders, one
// for each of them that has as many nonterminals. The rows must be rules (rule_check.hpp).
PivotSteps pivot_steps(const PivotRules& rules, const Orders* orders);

}  // namespace otherwords
