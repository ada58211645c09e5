// Phrase -> its paraphrases with p(paraphrase|phrase): what ParaEval looks up. Read-only, laid out
// for a mapped file (docs/models.md); entries are checked by the loader in Python, once, and only of
// small files. Nothing that a damaged file can hold makes a look-up leave its arrays.
#pragma once

#include "hash.hpp"
#include "models/quantised.hpp"

namespace otherwords {

class ParaphraseTable {
 public:
  static constexpr std::size_t npos = HashIndex::npos;
  static constexpr std::size_t longest_phrase = 16;  // words

  struct Arrays {
    std::span<const std::uint64_t> keys;     // hash64 of the phrases, sorted: phrase i has key i
    std::span<const std::uint32_t> buckets;  // of a HashIndex over them
    std::span<const std::uint32_t> bounds;   // [i]: where the paraphrases of phrase i begin
    std::span<const std::uint32_t> targets;  // numbers of phrases, ascending for each phrase
    std::span<const std::uint8_t> codes;     // probabilities of the targets
    std::span<const std::uint32_t> longest;  // one number: words of the longest phrase
  };

  // The paraphrases of a phrase. Numbers of a damaged file may be of no phrase at all:
  // give them to `targets` or compare them, but do not index with them.
  struct Targets {
    const std::uint32_t* numbers = nullptr;
    const std::uint8_t* codes = nullptr;  // see probability_of
    std::size_t size = 0;
  };

  explicit ParaphraseTable(const Arrays& arrays);

  // The number of the phrase with this hash64 (of its words with single spaces between them).
  std::size_t find(std::uint64_t key) const { return index_.find(key); }

  // The numbers of many; the memory that is needed next is prefetched.
  void find_all(std::span<const std::uint64_t> keys, std::span<std::size_t> phrases) const;

  // None if there is no such phrase.
  Targets targets(std::size_t phrase) const;

  // p(b|a) of two phrases by their numbers; 0 if the table does not have the pair.
  double probability(std::size_t a, std::size_t b) const;

  std::size_t longest() const { return arrays_.longest[0]; }
  std::size_t size() const { return arrays_.keys.size(); }
  std::size_t pairs() const { return arrays_.targets.size(); }

 private:
  Arrays arrays_;
  HashIndex index_;
};

// `out` becomes the phrase as tables have it: in lower case, words with single spaces between
// them. Returns the number of words.
std::size_t normalise_phrase(std::string_view text, std::string& out);

}  // namespace otherwords
