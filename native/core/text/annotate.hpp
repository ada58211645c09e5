// Raw texts to columns of tokens, tags and lemmas: the first step of every English metric.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "text/columns.hpp"
#include "text/lexicon.hpp"
#include "text/tagger.hpp"
#include "text/tokenizer.hpp"

namespace otherwords {

struct AnnotateOptions {
  Tokenizer tokenizer = Tokenizer::penn;
  bool keep_case = false;
  unsigned threads = 1;
};

Columns annotate(std::span<const std::string_view> texts, const Tagger& tagger,
                 const Lexicon& lexicon, const AnnotateOptions& options);

// Gives the lemma the case of the word: London, NATO; others stay in lower case.
void restore_case(std::string_view word, std::string& lemma);

}  // namespace otherwords
