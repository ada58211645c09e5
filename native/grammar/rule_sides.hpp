// The sides of rules, packed: most rules have sides that no other rule has, so they take the memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "grammar/labels.hpp"
#include "grammar/rule_finder.hpp"
#include "grammar/sequences.hpp"

namespace otherwords {

// What a side is in tables: numbers of which equal texts have equal ones.
struct SideNumbers {
  std::int64_t id, check;     // hashes of the text
  std::int64_t first, second;  // its first sixteen bytes, which sort as the text does
};
SideNumbers side_numbers(std::string_view text);

// A side in full.
struct SideText {
  std::string text;
  std::int32_t arity = 0, words = 0, characters = 0;  // characters count the space before a word

  void write(std::span<const std::uint32_t> symbols, const Words& words,
             const std::vector<std::string>& labels);
};

// Sides of a stretch of text after the other, one or two bytes a symbol.
class RuleSides {
 public:
  // Adds the sides of a stretch; returns the place of the first one.
  std::int64_t add(const Sequences& sides, const std::vector<std::string>& labels);
  void read(std::int64_t place, const Words& words, SideText& out) const;

  // Ask for the memory that reading a side will need soon: where its symbols are, then the symbols.
  void prefetch_bounds(std::int64_t place) const;
  void prefetch_symbols(std::int64_t place) const;

 private:
  static constexpr int shift = 32;  // a place is the number of the stretch, then that of the side
  struct Stretch {
    std::vector<std::string> labels;
    std::vector<std::uint8_t> bytes;
    std::vector<std::uint32_t> ends;
  };
  std::vector<Stretch> stretches_;
};

}  // namespace otherwords
