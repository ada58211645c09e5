#include "generation/model.hpp"

#include "hash.hpp"
#include "text/unicode.hpp"

namespace otherwords::generation {

const std::string_view computed_names[computed_count] = {
    "LanguageModel", "LanguageModel_OOV", "WordPenalty",         "Glue",         "PassThrough",
    "PhrasePenalty", "WordDifference",    "CharacterDifference", "IdentityRule"};

namespace {

std::size_t words_in(std::span<const Symbol> side) {
  return static_cast<std::size_t>(std::ranges::count_if(side, [](Symbol s) { return !is_nonterminal(s); }));
}

// Characters of the words, and a space after each.
std::size_t characters_in(std::span<const Symbol> side, const WordTable& words) {
  std::size_t sum = 0;
  for (const Symbol symbol : side)
    if (!is_nonterminal(symbol))
      sum += 1 + static_cast<std::size_t>(std::ranges::count_if(
                     words[symbol], [](char c) { return (c & 0xc0) != 0x80; }));
  return sum;
}

// Whether both sides have the same words and nonterminals in the same order.
bool is_identity(std::span<const Symbol> source, std::span<const Symbol> target) {
  if (source.size() != target.size()) return false;
  Symbol place = 0;
  for (std::size_t k = 0; k < source.size(); ++k) {
    if (is_nonterminal(source[k]) ? target[k] != (nonterminal_flag | place++) : source[k] != target[k])
      return false;
  }
  return true;
}

}  // namespace

Model::Model(const Rules& rules, const lm::PackedModel& lm, bool lower_case)
    : rules_(rules), lm_(lm), lower_case_(lower_case) {
  lm_words_.reserve(rules.words().size());
  for (std::size_t k = 0; k < rules.words().size(); ++k) lm_words_.push_back(lm_word(rules.words()[k]));
}

Word Model::lm_word(std::string_view text) const {
  if (!lower_case_) return lm_.vocabulary().find(hash64(text));
  std::string lower;
  lower_into(text, lower);
  return lm_.vocabulary().find(hash64(lower));
}

void Model::set_weights(const NamedWeights& weights) {
  weights_.assign(rules_.feature_names().size(), 0);
  std::ranges::fill(computed_, 0.0);
  std::ranges::fill(weighted_, false);
  for (const auto& [name, value] : weights) {
    const auto computed = std::ranges::find(computed_names, std::string_view(name));
    if (computed != std::end(computed_names)) {
      computed_[computed - std::begin(computed_names)] = value;
      weighted_[computed - std::begin(computed_names)] = true;
    }
    if (const std::uint32_t number = rules_.feature_names().find(name); number != none)
      weights_[number] = value;
  }
  scores_.resize(rules_.size());
  std::vector<double> sorted(rules_.size());
  LanguageModel lm(lm_);
  for (std::size_t k = 0; k < rules_.size(); ++k) {
    scores_[k] = static_score(rules_[k]);
    sorted[k] = scores_[k] + weight(Computed::language_model) * estimate(rules_[k], lm);
  }
  order_.resize(rules_.size());
  std::iota(order_.begin(), order_.end(), 0u);
  // The rules of a node stand together; within it by left-hand side, then best first.
  for (std::size_t begin = 0; begin < order_.size();) {
    std::size_t end = begin + 1;
    while (end < order_.size() && std::ranges::equal(rules_.source(rules_[begin]), rules_.source(rules_[end])))
      ++end;
    std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin),
              order_.begin() + static_cast<std::ptrdiff_t>(end), [&](std::uint32_t a, std::uint32_t b) {
                if (rules_[a].lhs != rules_[b].lhs) return rules_[a].lhs < rules_[b].lhs;
                return sorted[a] != sorted[b] ? sorted[a] > sorted[b] : a < b;
              });
    begin = end;
  }
}

double Model::computed(Computed feature, const Rule& rule) const {
  const auto source = rules_.source(rule), target = rules_.target(rule);
  switch (feature) {
    case Computed::unknown_words: {
      double sum = 0;
      for (const Symbol symbol : target)
        sum += !is_nonterminal(symbol) && lm_words_[symbol] == lm::unknown_word;
      return sum;
    }
    case Computed::word_penalty:
      return -words_per_penalty * static_cast<double>(words_in(target));
    case Computed::phrase_penalty:
      return 1;
    case Computed::word_difference:
      return static_cast<double>(words_in(target)) - static_cast<double>(words_in(source));
    case Computed::character_difference:
      return static_cast<double>(characters_in(target, rules_.words())) -
             static_cast<double>(characters_in(source, rules_.words()));
    case Computed::identity:
      return is_identity(source, target);
    default:
      return 0;
  }
}

double Model::static_score(const Rule& rule) const {
  double sum = 0;
  for (const Feature& one : rules_.features(rule)) sum += weights_[one.name] * one.value;
  for (std::size_t k = 0; k < computed_count; ++k)
    if (computed_[k] != 0) sum += computed_[k] * computed(static_cast<Computed>(k), rule);
  return sum;
}

// log10 of the target words, each after those of the rule that stand before it.
double Model::estimate(const Rule& rule, LanguageModel& lm) const {
  if (weight(Computed::language_model) == 0) return 0;
  double sum = 0;
  std::vector<Word> context;
  for (const Symbol symbol : rules_.target(rule)) {
    if (is_nonterminal(symbol)) {
      context.clear();
      continue;
    }
    sum += lm.log10(lm_words_[symbol], context);
    context.push_back(lm_words_[symbol]);
  }
  return sum;
}

}  // namespace otherwords::generation
