// An aligned bitext as Python hands it over, for the kernels of phrases and of grammars.
#pragma once

#include "arrays.hpp"
#include "phrases/aligned.hpp"

namespace otherwords {

using Ids = Column<std::uint32_t>;
using Bounds = Column<std::int64_t>;
using Bytes = Column<std::uint8_t>;

// An aligned bitext with the arrays that it looks at, checked once.
class BoundAligned {
 public:
  BoundAligned(Ids left_tokens, Bounds left_bounds, Bytes left_words, Bounds left_word_bounds,
               Ids right_tokens, Bounds right_bounds, Bytes right_words, Bounds right_word_bounds,
               Ids links_left, Ids links_right, Bounds links_bounds)
      : ids_{left_tokens, right_tokens, links_left, links_right},
        bounds_{left_bounds, right_bounds, links_bounds, left_word_bounds, right_word_bounds},
        bytes_{left_words, right_words},
        text{{view(left_tokens), view(left_bounds)},
             {view(right_tokens), view(right_bounds)},
             {view(links_left), view(links_right), view(links_bounds)}},
        left_words{view(left_words), view(left_word_bounds)},
        right_words{view(right_words), view(right_word_bounds)} {
    this->left_words.check();
    this->right_words.check();
    text.check(this->left_words.size(), this->right_words.size());
  }

 private:
  std::vector<Ids> ids_;
  std::vector<Bounds> bounds_;
  std::vector<Bytes> bytes_;

 public:
  Aligned text;
  Words left_words, right_words;
};

// Consecutive blocks of sentences: block b is those from starts[b] to starts[b + 1].
inline std::size_t blocks(const std::vector<std::int64_t>& starts, const Aligned& text) {
  for (std::size_t b = 0; b < starts.size(); ++b)
    if (starts[b] < (b ? starts[b - 1] : 0) ||
        starts[b] > static_cast<std::int64_t>(text.sentences()))
      throw std::invalid_argument("the blocks are not in order or go past the text");
  return starts.empty() ? 0 : starts.size() - 1;
}

}  // namespace otherwords
