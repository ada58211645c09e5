// Texts with numbers that stand for them in tables: a join or a sort of numbers costs a fraction of one
// of texts.
#pragma once

#include "grammar/rule_lines.hpp"
#include "hash.hpp"

namespace otherwords {

// The number of a text is its hash, so it is the same wherever the text is met.
struct NumberedTexts {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> bounds{0};
  std::vector<std::int64_t> id;
  std::vector<std::int64_t> check;  // another hash: two texts with one number are noticed

  void append(std::string_view text) { bytes.insert(bytes.end(), text.begin(), text.end()); }

  // Ends a text; the next one starts.
  void finish() {
    const auto begin = static_cast<std::size_t>(bounds.back());
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + begin,
                                bytes.size() - begin);
    std::uint64_t other = text.size();
    for (const char c : text)
      other = (other + static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15u;
    id.push_back(static_cast<std::int64_t>(hash64(text)));
    check.push_back(static_cast<std::int64_t>(mix(other)));
    bounds.push_back(static_cast<std::int64_t>(bytes.size()));
  }
};

// Rules of a bilingual grammar as steps of a pivot through their foreign sides.

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
