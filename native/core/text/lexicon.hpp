// WordNet as numbers: which words it has, their base forms, their sets of synonyms.
#pragma once

#include "hash.hpp"

namespace otherwords {

// Bits of the parts of speech that a word has in WordNet.
enum class WordClass : std::uint8_t { other = 0, noun = 1, verb = 2, adjective = 4, adverb = 8 };

// What a Penn tag says of a word: its class, and whether an ending may have been added. Of verbs in
// the present tense (VBP) only those of WordNet's exceptions have one: are, am.
struct Inflection {
  WordClass word_class = WordClass::other;
  bool inflected = false;
  bool present = false;

  static Inflection of_tag(std::string_view penn_tag);
};

class Lexicon {
 public:
  struct Arrays {
    std::span<const std::uint64_t> words;           // sorted hashes of the lemmas
    std::span<const std::uint32_t> word_buckets;
    std::span<const std::uint8_t> classes;          // of each word: its WordClass bits
    std::span<const std::uint32_t> synonym_bounds;  // of each word: its part of `synonyms`
    std::span<const std::uint32_t> synonyms;        // sorted within a word
    std::span<const std::uint64_t> exceptions;      // sorted hashes of "letter form"
    std::span<const std::uint32_t> exception_buckets;
    std::span<const std::uint32_t> exception_bounds;  // of each exception: its part of `lemmas`
    std::span<const std::uint8_t> lemmas;             // bytes of the irregular lemmas
  };

  explicit Lexicon(const Arrays& arrays);

  bool has(std::string_view lower, WordClass word_class) const;

  // `lemma` becomes the base form of a lower-cased word (morphy, WordNet 3.0 morph.c), by WordNet
  // alone or also by our forms of function words and by the spelling of words that it lacks.
  void lemmatize(std::string_view lower, Inflection inflection, std::string& lemma,
                 bool wordnet_alone = false) const;

  // Position of a lemma in the tables, npos if WordNet does not have it.
  std::size_t find(std::uint64_t lemma_hash) const { return words_.find(lemma_hash); }

  // Do the synonym sets of two words of the tables share a word?
  bool share_synonym(std::size_t a, std::size_t b) const;

  // The set of words that are synonyms of the word in any sense and part of speech, as ids.
  std::span<const std::uint32_t> synonyms(std::size_t word) const {
    return arrays_.synonyms.subspan(
        arrays_.synonym_bounds[word],
        arrays_.synonym_bounds[word + 1] - arrays_.synonym_bounds[word]);
  }

 private:
  bool exception(char letter, std::string_view lower, std::string& lemma) const;
  bool detach(std::string_view lower, WordClass word_class, std::string& lemma) const;

  Arrays arrays_;
  HashIndex words_;
  HashIndex exceptions_;
  using Signature = std::array<std::uint64_t, 4>;
  std::vector<Signature> signatures_;  // of each word: a bit for each synonym
};

}  // namespace otherwords
