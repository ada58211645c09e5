// Numbers in text: values of digits and words, shares, times of day, ordinals, multiples.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace otherwords::facts {

enum class NumberKind : std::uint8_t { count, ordinal, share, time, multiple, decade };

struct Number {
  int begin;  // tokens [begin, end)
  int end;
  double value;  // of a time: minutes
  NumberKind kind;
  bool rounded = false;  // stands for all values that round to it
  bool vague = false;    // "one", "first", "half": often no number at all
  bool halves = false;   // a time of which half of the day is not said

  // Whether the two can be the same quantity.
  bool equals(const Number& other) const;
};

// The numbers of a sentence, given its tokens in lower case and their tags.
std::vector<Number> find_numbers(std::span<const std::string> words,
                                 std::span<const std::string> tags);

}  // namespace otherwords::facts
