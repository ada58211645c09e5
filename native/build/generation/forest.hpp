// What a search has found: items, each with the rules and items that it came from.
#pragma once

#include "generation/model.hpp"
#include "generation/rules.hpp"
#include "generation/search.hpp"
#include "hash.hpp"

namespace otherwords::generation {

constexpr std::size_t most_tails = 8;
using Tails = std::array<std::uint32_t, most_tails>;

// Where an item came from: a rule over items. `score` is that of the whole without its tails'.
struct Source {
  std::uint32_t rule;
  Kind kind;
  std::uint8_t arity;
  double score;
  Tails tails;
};

// At most order - 1 words, without memory of their own.
class Context {
 public:
  std::size_t size() const { return size_; }
  const Word* begin() const { return words_.data(); }
  const Word* end() const { return words_.data() + size_; }
  operator std::span<const Word>() const { return {words_.data(), size_}; }
  void push_back(Word word) { words_[size_++] = word; }
  // Adds a word; of more than `most` the first one goes.
  void push(Word word, std::size_t most) {
    if (size_ == most) {
      std::copy(words_.begin() + 1, words_.begin() + size_, words_.begin());
      --size_;
    }
    push_back(word);
  }
  bool operator==(const Context& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  std::array<Word, lm::max_order - 1> words_;
  std::uint8_t size_ = 0;
};

// A state of the language model, and the best score that has it. All words are the model's.
struct State {
  Context left;         // the first words, still to be scored in their context
  Context right;        // the last words, context of what follows
  double score = 0;     // without what the language model says of `left`
  double estimate = 0;  // of `left`, by the context that is known

  double priority() const { return score + estimate; }
};

struct Item : State {
  std::vector<Source> sources;
};

struct Forest {
  std::vector<Item> items;
  Item goal;                           // its sources are all that cover the sentence
  std::vector<std::uint32_t> words;    // of the sentence: the rules' numbers, or none
  std::vector<std::string_view> texts;
};

// One more number of a sequence; `mix` alone would keep 0 as it is.
constexpr std::uint64_t chained(std::uint64_t key, std::uint64_t number) {
  return mix((key ^ number) + 0x9e3779b97f4a7c15ULL);
}

// The k best derivations of a forest by lazy enumeration (Huang & Chiang 2005, algorithm 3).

// Best first; with `unique`, the best one of each of the k best strings.
std::vector<Derivation> best_derivations(const Forest& forest, const Rules& rules, std::size_t k,
                                         bool unique);

}  // namespace otherwords::generation
