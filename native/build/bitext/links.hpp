// Links of a bitext: positions of both sides, sentence by sentence.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>

#include "buffer.hpp"

namespace otherwords {

struct Links {
  Buffer<std::uint32_t> left, right;
  Buffer<float> posteriors;  // none where nothing is known about them
  Buffer<std::int64_t> bounds;
};

struct LinksView {
  std::span<const std::uint32_t> left, right;
  std::span<const std::int64_t> bounds;  // sentences + 1

  std::size_t size() const { return bounds.size() - 1; }

  void check() const {
    if (left.size() != right.size() || bounds.empty() || bounds.front() != 0 ||
        bounds.back() != static_cast<std::int64_t>(left.size()))
      throw std::invalid_argument("links: the bounds do not fit the links");
    for (std::size_t s = 0; s < size(); ++s)
      if (bounds[s] > bounds[s + 1]) throw std::invalid_argument("links: bounds out of order");
  }
};

}  // namespace otherwords
