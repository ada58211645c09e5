// The rows of a grammar as Joshua's lines.
#pragma once

#include "standard.hpp"

namespace otherwords {

// Strings one after the other: string k is bytes[bounds[k]] to bytes[bounds[k + 1]].
struct TextColumn {
  std::span<const std::uint8_t> bytes;
  std::span<const std::int64_t> bounds;

  std::size_t size() const { return bounds.size() - 1; }
  std::string_view operator[](std::size_t k) const;
  void check() const;  // throws if bounds are not in order or leave the bytes
};

struct RuleColumns {
  TextColumn lhs, source, target;
  TextColumn alignment, relation;                       // may be empty texts
  std::vector<std::string> names;                       // of features
  std::vector<std::span<const double>> values;          // of each feature; NaN where a rule lacks it
};

// A number with all its digits as Python's repr writes it, but whole ones without a point.
void append_number(std::string& out, double value);

// The lines of all rows, each with its end. Features without names, 0, 1, 2..., are written
// without them if a row has no gap among them. Empty fields at the end of a line are left out.
std::string rule_lines(const RuleColumns& columns);

// Whether the rows of a grammar are rules that our reader of text would take.

struct WrongRule {
  std::size_t row;
  std::string what;  // empty if there is none
};

// The first row that is not a rule: a label with brackets or spaces, an empty side, two spaces in a
// row, a word in brackets that is no nonterminal, sides whose nonterminals differ.
WrongRule first_wrong_rule(const TextColumn& lhs, const TextColumn& source,
                           const TextColumn& target);

}  // namespace otherwords
