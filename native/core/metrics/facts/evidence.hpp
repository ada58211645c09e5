// How alike two words are: WordNet, pivots, spelling and vectors.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "encoders/static_table.hpp"
#include "metrics/facts/reading.hpp"
#include "models/pivot_table.hpp"
#include "text/lexicon.hpp"

namespace otherwords::facts {

// What makes two words alike, weakest first; the last three are kinds of links only.
enum class Likeness : std::uint8_t {
  none, vector, form, pivot, synonym, spelling, opposite, stem, lemma, same,
};

inline bool is_same(Likeness kind) { return kind >= Likeness::stem; }

// Vectors of stems at four bits per number, and how often each was seen.
class StemVectors final : public Information {
 public:
  struct Arrays {
    std::span<const std::uint32_t> keys;   // upper halves of the hashes, ascending
    std::span<const std::uint8_t> codes;   // row by row, two numbers in a byte
    std::span<const float> steps;
    std::span<const std::uint8_t> counts;  // 8 log2 of each
    double total;
  };

  explicit StemVectors(const Arrays& arrays);

  static constexpr std::size_t npos = static_cast<std::size_t>(-1);
  std::size_t find(std::uint64_t hash) const;
  std::size_t dimensions() const { return arrays_.steps.size(); }
  void unit_vector(std::size_t place, float* out) const;
  double of(std::string_view stem) const override;

 private:
  Arrays arrays_;
};

// Pairs of words that are opposed: sorted upper halves of the hashes of "a b".
struct Antonyms {
  std::span<const std::uint32_t> near, direct;

  int of(std::string_view a, std::string_view b) const;  // 2 antonyms, 1 near an antonym, 0 neither
};

struct Models {
  const Lexicon& lexicon;
  const Tagger& tagger;
  std::vector<const PivotTable*> pivots;
  const StemVectors& vectors;
  const StaticTable& encoder;
  Antonyms antonyms;
};

struct Found {
  float similarity = 0;
  Likeness kind = Likeness::none;
};

// What evidence needs to know of a unit, looked up once; valid until the evidence is trimmed.
struct Profile {
  const Unit* unit;
  const std::vector<PivotTable::Entry>* entries;
  const std::vector<float>* stem;  // its vector, empty if it has none
  const std::vector<float>* form;
  std::size_t lemma;  // its place in the lexicon
  bool is_name, has_pole, is_quantity, has_category;
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

  // The highest cosine of the word with one of the others, 0 if there is none.
  double relatedness(std::string_view word, const std::vector<std::string_view>& words);

  // Whether two words can be spellings or derivations of one name.
  bool are_same_name(std::string_view a, std::string_view b);

  // The letters of a name in lower case, without accents.
  std::string folded(std::string_view name);

  // Whether lexicon or pivots have the form.
  bool knows(const Unit& unit);

  // Forgets what it looked up if that has become much.
  void trim();

 private:
  struct Stem {
    std::vector<PivotTable::Entry> entries;
    std::vector<float> vector;
  };

  const Stem& stem(const Unit& unit);
  const std::vector<float>& form(std::uint64_t hash, std::string_view word);
  double cosine(const std::vector<float>& a, const std::vector<float>& b) const;
  float alikeness(const Profile& a, const Profile& b) const;
  float pivot(const Profile& a, const Profile& b) const;
  int opposed(const Profile& a, const Profile& b) const;
  bool is_misspelt(const Unit& a, bool a_is_name, const Unit& b, bool b_is_name);

  const Models& models_;
  std::unordered_map<std::uint64_t, Stem> stems_;
  std::unordered_map<std::uint64_t, std::vector<float>> forms_;
  std::unordered_map<std::uint64_t, bool> known_;
  WordPieces::Scratch scratch_;
  std::vector<Piece> pieces_;
};

// Edit distance with transpositions (optimal string alignment), limit + 1 if it is more.
int edits(std::u32string_view a, std::u32string_view b, int limit);

std::u32string code_points(std::string_view text);

bool has_digit(std::string_view word);

}  // namespace otherwords::facts
