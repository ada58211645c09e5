// Tokenizers that keep the places of their tokens (docs/text.md has the rules): Penn Treebank
// for English, by our rules or those of the Treebank's own script; words and punctuation for other
// languages, characters for those without spaces.
#pragma once

#include "standard.hpp"

namespace otherwords {

struct Span {  // bytes [begin, end) of the text
  std::uint32_t begin;
  std::uint32_t end;
};

enum class Tokenizer { penn, treebank, white_space, words, characters };

// penn, treebank, none (white space), words, characters.
Tokenizer tokenizer_named(std::string_view name);

// Replaces `spans` by the tokens of the text, in order, never empty, never overlapping.
void tokenize(std::string_view text, Tokenizer tokenizer, std::vector<Span>& spans);

}  // namespace otherwords
