// Text -> units: words with what is known of each, numbers of several words as one unit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/facts/findings.hpp"
#include "metrics/facts/numbers.hpp"
#include "metrics/facts/words.hpp"
#include "models/pivot_table.hpp"
#include "text/lexicon.hpp"
#include "text/tagger.hpp"

namespace otherwords::facts {

// A token with its place: characters of the text, counted in code points.
struct Token {
  std::string form;
  std::uint32_t begin;
  std::uint32_t end;
};

// A text before stems are known.
struct Text {
  std::string text;
  std::vector<Token> tokens;
  std::vector<std::string> tags, lemmas, lower;
};

struct Unit {
  std::string word;  // in lower case; a number is "#value"
  std::string form;  // as written
  std::string tag, lemma, stem;
  std::string letters;  // of the form in lower case, without accents
  std::uint64_t word_hash, lemma_hash, stem_hash;
  std::uint32_t begin, end;
  bool content;
  double weight;  // 0 for what has no content
  int number;     // in `Side::numbers`, -1 if it is not a number
};

struct Side {
  std::vector<Unit> units;
  std::vector<Number> numbers;
  double total = 0;  // content of the whole text
  const Lists* lists = nullptr;

  int size() const { return static_cast<int>(units.size()); }
  const Unit& operator[](int unit) const { return units[static_cast<std::size_t>(unit)]; }
  // The word of a unit, "" outside the text.
  std::string_view word(int unit) const {
    return unit >= 0 && unit < size() ? std::string_view((*this)[unit].word) : std::string_view();
  }
  std::string_view lemma(int unit) const {
    return unit >= 0 && unit < size() ? std::string_view((*this)[unit].lemma) : std::string_view();
  }
  bool is_number(int unit) const { return unit >= 0 && unit < size() && (*this)[unit].number >= 0; }
  const Number& number(int unit) const {
    return numbers[static_cast<std::size_t>((*this)[unit].number)];
  }
  bool tagged(int unit, std::string_view start) const {
    return (*this)[unit].tag.starts_with(start);
  }
  bool is_name(int unit) const;  // whether it is written and tagged as a name
};

// Tokens with their places; compounds with hyphens are cut where their parts are words.
std::vector<Token> tokens_of(std::string_view text);

// Tags, unless they are given, and lemmas of a text that has its tokens.
void annotate(Text& text, const Tagger& tagger, const Lexicon& lexicon, Tagger::Scratch& scratch);

// How rare stems are: -log of their probability in the text that the pivots were counted in.
class Information {
 public:
  explicit Information(std::span<const PivotTable* const> pivots);
  double of(std::uint64_t stem) const;

 private:
  std::vector<const PivotTable*> pivots_;
  double total_;
};

// What Python knows of a token: its stem, and its letters without accents.
struct Form {
  std::string_view stem, letters;
};

// `forms` has one for each token.
Side side_of(const Text& text, const std::vector<Form>& forms, const Information& information,
             const Lists& lists);

}  // namespace otherwords::facts
