// The Penn Treebank tokenizer with the places of its tokens (docs/text.md has the rules).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace otherwords {

struct Span {  // bytes [begin, end) of the text
  std::uint32_t begin;
  std::uint32_t end;
};

enum class Tokenizer { penn, white_space };

// Replaces `spans` by the tokens of the text, in order, never empty, never overlapping.
void tokenize(std::string_view text, Tokenizer tokenizer, std::vector<Span>& spans);

}  // namespace otherwords
