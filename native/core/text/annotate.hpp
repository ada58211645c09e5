// Many sentences side by side, as numbers: what annotation makes and every kernel reads.
#pragma once

#include "text/lexicon.hpp"
#include "text/tagger.hpp"
#include "text/tokenizer.hpp"

namespace otherwords {

struct Columns {
  std::vector<std::int64_t> bounds{0};  // tokens [bounds[s], bounds[s + 1]) are sentence s
  std::vector<std::uint32_t> tags;      // low half of the tag's hash
  std::vector<std::uint64_t> lemmas;    // hash of the lemma
  std::vector<std::uint64_t> folded;    // hash of the lemma in lower case; empty if the same
  std::vector<std::uint8_t> words;      // 1: has a letter or a digit
  // Dependencies, both empty where they are not known. Heads count from the sentence's start,
  // -1 is the root.
  std::vector<std::int32_t> heads;
  std::vector<std::uint32_t> relations;  // low half of the relation's hash

  std::size_t sentences() const { return bounds.size() - 1; }
  const std::vector<std::uint64_t>& dictionary_forms() const {
    return folded.empty() ? lemmas : folded;
  }
  bool has_dependencies() const { return heads.size() == tags.size(); }

  // Throws unless the columns fit each other, so that no kernel reads beyond them.
  void check() const {
    const std::size_t tokens = tags.size();
    bool fits = !bounds.empty() && bounds.front() == 0 &&
                bounds.back() == static_cast<std::int64_t>(tokens) && lemmas.size() == tokens &&
                (folded.empty() || folded.size() == tokens) && words.size() == tokens &&
                heads.size() == relations.size() &&
                (heads.empty() || heads.size() == tokens);
    for (std::size_t s = 1; s < bounds.size(); ++s) fits = fits && bounds[s - 1] <= bounds[s];
    if (!fits) throw std::invalid_argument("the columns of the sentences do not fit each other");
  }
};

// Raw texts to columns of tokens, tags and lemmas: the first step of every English metric.

struct AnnotateOptions {
  Tokenizer tokenizer = Tokenizer::penn;
  bool keep_case = false;
  bool wordnet_alone = false;  // lemmas, see Lexicon::lemmatize
  unsigned threads = 1;
};

Columns annotate(std::span<const std::string_view> texts, const Tagger& tagger,
                 const Lexicon& lexicon, const AnnotateOptions& options);

// Gives the lemma the case of the word: London, NATO; others stay in lower case.
void restore_case(std::string_view word, std::string& lemma);

}  // namespace otherwords
