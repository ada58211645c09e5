// Whether the rows of a grammar are rules that our reader of text would take.
#pragma once

#include <cstddef>
#include <string>

#include "grammar/rule_lines.hpp"

namespace otherwords {

struct WrongRule {
  std::size_t row;
  std::string what;  // empty if there is none
};

// The first row that is not a rule: a label with brackets or spaces, an empty side, two spaces in a
// row, a word in brackets that is no nonterminal, sides whose nonterminals differ.
WrongRule first_wrong_rule(const TextColumn& lhs, const TextColumn& source,
                           const TextColumn& target);

}  // namespace otherwords
