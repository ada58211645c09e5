// Rows of a grammar out of numbers: texts of the sides, and Thrax's features that follow from them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "grammar/rule_sides.hpp"

namespace otherwords {

struct RuleNumbers {
  std::span<const std::int64_t> source_place, target_place;  // in RuleSides
  std::span<const std::int64_t> count, both;                 // of the rule, of its sides with any label
  std::span<const std::int64_t> source_total, target_total;
};

struct TextRows {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> bounds{0};
};

// Features are p(e | f), p(f | e), rarity, lexical, phrasal, syntactic, differences of words and of
// characters, in this order.
struct RuleTexts {
  std::vector<std::int64_t> order;  // of the rows that were given
  TextRows sources, targets;
  std::vector<std::vector<double>> features;
};

// The three features that follow from counts: p(e | f), p(f | e), rarity.
std::vector<std::vector<double>> count_features(std::span<const std::int64_t> count,
                                                std::span<const std::int64_t> both,
                                                std::span<const std::int64_t> source_total,
                                                std::span<const std::int64_t> target_total);

// Rows come in the order of `keys`, which sort as the beginnings of source sides; rows with the same ones
// are sorted by their texts here.
RuleTexts write_rules(const std::vector<std::span<const std::int64_t>>& keys,
                      const RuleNumbers& numbers, const RuleSides& sources, const Words& source_words,
                      const RuleSides& targets, const Words& target_words, unsigned threads);

}  // namespace otherwords
