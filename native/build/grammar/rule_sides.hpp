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
#include "prefetch.hpp"

namespace otherwords {

// Two hashes of everything that a side is made of; those of words are computed once.
struct TwoHashes {
  std::uint64_t id, check;
};
class SymbolHashes {
 public:
  explicit SymbolHashes(const Words& words);
  TwoHashes side(std::span<const std::uint32_t> symbols, const std::vector<TwoHashes>& labels) const;

 private:
  std::vector<TwoHashes> words_;
};
TwoHashes hashes_of(std::string_view text);

// Eight bytes from a place on as a number that sorts as they do, though it has a sign.
std::int64_t bytes_from(std::string_view text, std::size_t begin);

// A side in full.
struct SideText {
  std::string text;
  std::int32_t arity = 0, words = 0, characters = 0;  // characters count the space before a word

  // Ends after the symbol with which the text has at least `most` bytes.
  void write(std::span<const std::uint32_t> symbols, const Words& words,
             const std::vector<std::string>& labels, std::size_t most = ~std::size_t{0});
};

// The sides of a block of text, one or two bytes per symbol.
class PackedSides {
 public:
  PackedSides() = default;
  PackedSides(const Sequences& sides, const std::vector<std::string>& labels);

  void read(std::uint32_t side, const Words& words, SideText& out) const;

  // Ask for the memory that reading a side will need soon: where its symbols are, then the symbols.
  void prefetch_bounds(std::uint32_t side) const { prefetch(ends_.data() + side); }
  void prefetch_symbols(std::uint32_t side) const {
    if (side < ends_.size()) prefetch(bytes_.data() + ends_[side] - 1);
  }

 private:
  std::vector<std::string> labels_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint32_t> ends_;
};

}  // namespace otherwords
