// What a search has found: items, each with the rules and items that it came from.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "generation/language_model.hpp"
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

// A state of the language model, and the best that has it. All words are the model's.
struct Item {
  std::vector<Word> left;   // the first words, still to be scored in their context
  std::vector<Word> right;  // the last words, context of what follows
  double score = 0;         // without what the language model says of `left`
  double estimate = 0;      // of `left`, by the context that is known
  std::vector<Source> sources;

  double priority() const { return score + estimate; }
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

}  // namespace otherwords::generation
