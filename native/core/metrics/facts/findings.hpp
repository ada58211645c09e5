// What a finding is: units of both texts, a kind, a verdict and a weight (docs/facts.md).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace otherwords::facts {

enum class Kind : std::uint8_t {
  number, date, unit, name, negation, antonym, quantifier, modality, tense, roles, letter_case,
  order, words,
};

constexpr std::array<std::string_view, 13> kind_names = {
    "number",   "date",  "unit",  "name", "negation", "antonym", "quantifier",
    "modality", "tense", "roles", "case", "order",    "words"};

enum class Verdict : std::uint8_t { equivalent, contradicted, missing, added, unknown };

constexpr std::array<std::string_view, 5> verdict_names = {"equivalent", "contradicted", "missing",
                                                           "added", "unknown"};

// Units [begin, end) of a text.
struct Stretch {
  int begin;
  int end;

  bool empty() const { return begin >= end; }
  int size() const { return end - begin; }
  bool has(int unit) const { return begin <= unit && unit < end; }
};

inline Stretch one_unit(int unit) { return {unit, unit + 1}; }

struct Finding {
  Kind kind;
  Verdict verdict;
  double weight;
  Stretch a;
  Stretch b;
};

}  // namespace otherwords::facts
