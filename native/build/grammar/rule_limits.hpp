// Which rules are extracted: Thrax's limits.
#pragma once

#include <cstdint>

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
  std::int32_t rule_span = longest_initial;  // words that a rule covers, per side
  bool adjacent = false;        // adjacent nonterminals in the source
  bool loose = false;           // phrase pairs with unaligned words at their edges
  bool abstract = false;        // rules without words
  bool nonlexical_x = true;     // the default label in rules with nonterminals
  bool full_sentence = false;   // the whole pair as a phrase pair, however long
  bool labels_on_left = false;  // the side that has the trees
};

}  // namespace otherwords
