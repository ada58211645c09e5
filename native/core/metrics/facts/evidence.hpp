// How alike two words are: WordNet, pivots, word lists and spelling.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "metrics/facts/reading.hpp"
#include "metrics/facts/words.hpp"
#include "models/pivot_table.hpp"
#include "text/lexicon.hpp"

namespace otherwords::facts {

// What makes two words alike, weakest first; the last three are kinds of links only.
enum class Likeness : std::uint8_t {
  none, form, pivot, synonym, spelling, opposite, stem, lemma, same,
};

inline bool is_same(Likeness kind) { return kind >= Likeness::stem; }

// Pairs of words that are opposed: sorted upper halves of the hashes of "a b".
struct Antonyms {
  std::span<const std::uint32_t> near, direct;

  int of(std::string_view a, std::string_view b) const;  // 2 antonyms, 1 near an antonym, 0 neither
};

struct Models {
  const Lexicon& lexicon;
  const Tagger& tagger;
  std::vector<const PivotTable*> pivots;
  Antonyms antonyms;
  const Lists& lists;
};

struct Found {
  float similarity = 0;
  Likeness kind = Likeness::none;
};

// What evidence needs to know of a unit, looked up once; valid until the evidence is trimmed.
struct Profile {
  const Unit* unit;
  const std::vector<PivotTable::Entry>* entries;
  std::size_t lemma;  // its place in the lexicon
  bool is_name, has_opposite, is_quantity, has_category;
};

// Sources of evidence of one thread, which remembers what it looked up.
class Evidence {
 public:
  explicit Evidence(const Models& models) : models_(models) {}

  Profile profile(const Side& side, int unit);

  // The evidence that two units mean the same, or the opposite.
  Found of(const Profile& a, const Profile& b);

  // Whether one is a form that nothing knows, close in spelling to a known one.
  bool is_misspelt(const Side& a, int i, const Side& b, int j) {
    return is_misspelt(a[i], a.is_name(i), b[j], b.is_name(j));
  }

  // Whether two words, as `Unit::letters`, can be spellings or derivations of one name.
  bool are_same_name(std::string_view a, std::string_view b) const;

  // Whether lexicon or pivots have the form.
  bool knows(const Unit& unit);

  // Forgets what it looked up if that has become much.
  void trim();

 private:
  using Entries = std::vector<PivotTable::Entry>;

  const Entries& entries(const Unit& unit);
  float pivot(const Profile& a, const Profile& b) const;
  int opposed(const Profile& a, const Profile& b) const;
  bool is_misspelt(const Unit& a, bool a_is_name, const Unit& b, bool b_is_name);

  const Models& models_;
  std::unordered_map<std::uint64_t, Entries> stems_;
  std::unordered_map<std::uint64_t, bool> known_;
};

// Edit distance with transpositions (optimal string alignment), limit + 1 if it is more.
int edits(std::u32string_view a, std::u32string_view b, int limit);

std::u32string code_points(std::string_view text);

bool has_digit(std::string_view word);

}  // namespace otherwords::facts
