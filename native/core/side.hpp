// Word ids cut into sentences at the bounds: a list of texts, or one side of a bitext.
#pragma once

#include "standard.hpp"

namespace otherwords {

struct Side {
  std::span<const std::uint32_t> tokens;
  std::span<const std::int64_t> bounds;  // sentences + 1

  std::size_t size() const { return bounds.size() - 1; }
  std::size_t length(std::size_t s) const {
    return static_cast<std::size_t>(bounds[s + 1] - bounds[s]);
  }
  std::span<const std::uint32_t> sentence(std::size_t s) const {
    return tokens.subspan(static_cast<std::size_t>(bounds[s]), length(s));
  }

  void check(std::size_t vocabulary) const {
    if (bounds.empty() || bounds.front() != 0 ||
        bounds.back() != static_cast<std::int64_t>(tokens.size()))
      throw std::invalid_argument("bitext: the bounds do not fit the tokens");
    for (std::size_t s = 0; s < size(); ++s)
      if (bounds[s] > bounds[s + 1]) throw std::invalid_argument("bitext: bounds out of order");
    for (std::uint32_t token : tokens)
      if (token >= vocabulary) throw std::invalid_argument("bitext: a word id out of range");
  }
};

}  // namespace otherwords
