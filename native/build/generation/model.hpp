// Conditional probabilities of an n-gram model, word by word, as a decoder asks for them.
#pragma once

#include "generation/rules.hpp"
#include "hash.hpp"
#include "lm/packed.hpp"

namespace otherwords::generation {

using Word = std::uint32_t;  // a number of the language model, or of the decoder: the context says

// Asks a packed model, and remembers answers. One object per thread.
class LanguageModel {
 public:
  explicit LanguageModel(const lm::PackedModel& model)
      : model_(model), cache_(std::size_t{1} << cache_bits) {}

  std::size_t order() const { return model_.order(); }

  // log10 p(word | context), of the last order - 1 words of the context at most.
  double log10(Word word, std::span<const Word> context) {
    const std::size_t most = order() - 1;
    if (context.size() > most) context = context.last(most);
    std::uint64_t key = mix(word + 0x9e3779b97f4a7c15ULL);
    for (const Word one : context) key = mix((key ^ one) + 0x9e3779b97f4a7c15ULL);
    key |= 1;  // 0 is an empty place
    Entry& entry = cache_[key >> (64 - cache_bits)];
    if (entry.key != key) entry = {key, static_cast<float>(ask(word, context))};
    return entry.value;
  }

 private:
  struct Entry {
    std::uint64_t key = 0;
    float value = 0;
  };
  static constexpr unsigned cache_bits = 18;

  double ask(Word word, std::span<const Word> context) const {
    float probability = 0;
    const std::size_t length = longest(word, context, probability, nullptr);
    double sum = probability;
    if (length <= context.size()) sum += backoffs(context, length);
    return sum;
  }

  // The length of the longest n-gram that ends with `word` after the end of `context`, and its
  // weight; `backoff` receives those of all n-grams on the way.
  std::size_t longest(Word word, std::span<const Word> context, float& probability,
                      float* backoff) const {
    std::size_t node = word, length = 1;
    lm::Weight weight = model_.level(0).weights[node];
    probability = weight.probability;
    if (backoff) backoff[0] = weight.backoff;
    for (std::size_t k = 1; k < model_.order() && k <= context.size(); ++k) {
      const Word left = context[context.size() - k];
      auto [begin, end] = model_.children(k - 1, node);
      while (begin < end) {
        const std::size_t middle = begin + (end - begin) / 2;
        if (model_.level(k).left[middle] < left)
          begin = middle + 1;
        else
          end = middle;
      }
      if (begin >= model_.children(k - 1, node).end || model_.level(k).left[begin] != left) break;
      node = begin;
      weight = model_.level(k).weights[node];
      probability = weight.probability;
      if (backoff) backoff[k] = weight.backoff;
      length = k + 1;
    }
    return length;
  }

  // The sum of the back-off weights of the contexts of so many words and more.
  double backoffs(std::span<const Word> context, std::size_t from) const {
    float found[lm::max_order] = {}, ignored = 0;
    const std::size_t length =
        longest(context.back(), context.first(context.size() - 1), ignored, found);
    double sum = 0;
    for (std::size_t k = from; k <= length; ++k) sum += found[k - 1];
    return sum;
  }

  const lm::PackedModel& model_;
  std::vector<Entry> cache_;
};

// The linear model of a decoder: total = sum of weight * feature, larger is better.

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
