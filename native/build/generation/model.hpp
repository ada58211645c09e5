// The linear model of a decoder: total = sum of weight * feature, larger is better.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generation/language_model.hpp"
#include "generation/rules.hpp"
#include "lm/packed.hpp"

namespace otherwords::generation {

constexpr double words_per_penalty = 0.43429448190325182765;  // 1 / ln 10, as Joshua and cdec count

// What the decoder computes by itself, in addition to the features of the rules.
enum class Computed {
  language_model,
  unknown_words,
  word_penalty,
  glue,
  pass_through,
  phrase_penalty,
  word_difference,
  character_difference,
  identity,
  count
};
constexpr std::size_t computed_count = static_cast<std::size_t>(Computed::count);
extern const std::string_view computed_names[computed_count];

using NamedWeights = std::vector<std::pair<std::string, double>>;

class Model {
 public:
  Model(const Rules& rules, const lm::PackedModel& lm, bool lower_case);

  // The weights of features by name; features without a weight count 0.
  void set_weights(const NamedWeights& weights);

  const Rules& rules() const { return rules_; }
  const lm::PackedModel& lm() const { return lm_; }
  double weight(Computed feature) const { return computed_[static_cast<std::size_t>(feature)]; }
  // Whether the feature has a weight, be it 0: then outputs show its value.
  bool is_weighted(Computed feature) const { return weighted_[static_cast<std::size_t>(feature)]; }
  double weight_of(std::uint32_t feature) const { return weights_[feature]; }
  Word lm_word(Symbol word) const { return lm_words_[word]; }
  Word lm_word(std::string_view text) const;

  double score(std::uint32_t rule) const { return scores_[rule]; }  // without the language model
  // The rules of a node of the trie, best first for each left-hand side.
  std::uint32_t ordered(std::uint32_t place) const { return order_[place]; }

  // The part of a computed feature that a rule of these sides has.
  double computed(Computed feature, const Rule& rule) const;

 private:
  double static_score(const Rule& rule) const;
  double estimate(const Rule& rule, LanguageModel& lm) const;

  const Rules& rules_;
  const lm::PackedModel& lm_;
  bool lower_case_;
  std::vector<Word> lm_words_;  // by the rules' words
  std::vector<double> weights_;
  double computed_[computed_count] = {};
  bool weighted_[computed_count] = {};
  std::vector<double> scores_;
  std::vector<std::uint32_t> order_;
};

}  // namespace otherwords::generation
