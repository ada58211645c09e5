// Phrases of a few words in classes, where they stand in a text, and what they stand beside.
#pragma once

#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metrics/facts/alignment.hpp"

namespace otherwords::facts {

// Phrases that say the same, "a b|c d", of words or lemmas.
struct PhraseClass {
  std::string_view phrases;
};

struct Phrase {
  Stretch units;
  int number;  // of its class
};

class Phrases {
 public:
  explicit Phrases(std::span<const PhraseClass> classes);

  // From left to right, of phrases at the same place the longest.
  std::vector<Phrase> in(const Side& side) const;

 private:
  struct Entry {
    std::vector<std::string_view> words;
    int number;
  };

  void look(const Side& side, int begin, std::string_view first, Phrase& best) const;

  std::unordered_map<std::string_view, std::vector<Entry>> entries_;
};

// The nearest content word behind a phrase, or before it; -1 if there is none in the clause.
int content_behind(const Side& side, int unit);
int content_before(const Side& side, int unit);

// Takes out the phrases of both texts that stand in the same place of the other.
void drop_twins(const Pair& pair, std::vector<Phrase>& mine, std::vector<Phrase>& theirs);

// Whether two stretches are the same words.
bool are_same_units(const Pair& pair, Stretch a, Stretch b);

// Whether all outside the two stretches is the same in the same order, but for small words and for
// the share of content that is not in `least`.
bool is_same_outside(const Pair& pair, Stretch a, Stretch b, double least);

}  // namespace otherwords::facts
