// Classes of English words that the kinds of findings look for.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace otherwords::facts {

// A set of words; the text it is made from has spaces between them and lives as long as it does.
class Words {
 public:
  explicit Words(std::string_view text);
  bool has(std::string_view word) const { return set_.contains(word); }

 private:
  std::unordered_set<std::string_view> set_;
};

// Pairs of words in either order, written "a b|c d".
class WordPairs {
 public:
  explicit WordPairs(std::string_view text);
  bool has(std::string_view a, std::string_view b) const;

 private:
  std::unordered_set<std::string_view> words_;
  std::vector<std::pair<std::string_view, std::string_view>> pairs_;
};

std::vector<std::string_view> split(std::string_view text, std::string_view separators = " \n");

const Words& auxiliaries();  // verbs that carry tense, voice or mood rather than content
const Words& light();        // words whose absence is no omission
const WordPairs& converse();  // verbs that say the same with their arguments exchanged
const WordPairs& nations();   // countries and their adjectives

// A category of which only one word can hold (weekdays, units of length), and its name there.
struct Category {
  std::string_view name;
  std::string_view word;
};
std::optional<Category> category(std::string_view lemma);

// Scales with two ends: do the lemmas stand at opposite ends, at the same end, on any?
bool are_poles(std::string_view a, std::string_view b);
bool share_pole(std::string_view a, std::string_view b);
bool has_pole(std::string_view lemma);

// Whether a verb with its particle says what a single verb says: carry out, perform. Lemmas.
bool are_phrasal(std::string_view phrase, std::string_view verb);

// How much a quantifier of up to four words says, from 0, nothing, to 5, everything.
std::optional<double> level_of(std::string_view phrase);
bool is_quantity(std::string_view lemma);  // a quantifier of one word
bool begins_quantity(std::string_view word);

}  // namespace otherwords::facts
