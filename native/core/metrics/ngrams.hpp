// The n-grams that two texts have in common, each as often as both have it.
#pragma once

#include "standard.hpp"

namespace otherwords {

using Codes = std::span<const std::uint32_t>;  // characters or words as numbers

// Sorts the places of a text by what follows them, up to `longest` codes. The n-grams of every
// length up to `longest` are then in order too.
inline void sort_places(Codes text, std::span<std::uint32_t> places, std::size_t longest) {
  const auto following = [&](std::size_t place) {
    return text.subspan(place, std::min(longest, text.size() - place));
  };
  std::iota(places.begin(), places.end(), 0u);
  std::sort(places.begin(), places.end(), [&](std::uint32_t one, std::uint32_t other) {
    const auto left = following(one), right = following(other);
    return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
  });
}

struct SortedText {
  Codes codes, places;
};

inline std::size_t count_common(const SortedText& left, const SortedText& right,
                                std::size_t length) {
  std::size_t common = 0, i = 0, j = 0;
  while (i < left.places.size() && j < right.places.size()) {
    if (left.places[i] + length > left.codes.size()) {
      ++i;
    } else if (right.places[j] + length > right.codes.size()) {
      ++j;
    } else {
      const auto mine = left.codes.subspan(left.places[i], length);
      const auto [one, other] =
          std::mismatch(mine.begin(), mine.end(), right.codes.begin() + right.places[j]);
      const bool same = one == mine.end();
      common += same;
      const bool is_less = !same && *one < *other;
      i += same || is_less;
      j += !is_less;
    }
  }
  return common;
}

}  // namespace otherwords
