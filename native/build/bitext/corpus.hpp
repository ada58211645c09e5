// A bitext as the kernels see it.
#pragma once

#include "side.hpp"

namespace otherwords {

struct Bitext {
  Side left;
  Side right;
  std::size_t left_words;   // vocabulary sizes
  std::size_t right_words;

  std::size_t size() const { return left.size(); }

  void check() const {
    left.check(left_words);
    right.check(right_words);
    if (left.size() != right.size())
      throw std::invalid_argument("bitext: the sides differ in their number of sentences");
  }

  // Whether the pair can be aligned: both sides have words, none has too many.
  bool usable(std::size_t s, std::size_t max_words) const {
    const std::size_t i = left.length(s), j = right.length(s);
    return i && j && i <= max_words && j <= max_words;
  }
};

}  // namespace otherwords
