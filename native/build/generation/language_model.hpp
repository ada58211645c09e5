// Conditional probabilities of an n-gram model, word by word, as a decoder asks for them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace otherwords::generation
