// An n-gram model as plain arrays: what estimation, ARPA files and pruning work on.
// packed.hpp has the compact form that is saved and queried.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lm/packed.hpp"

namespace otherwords::lm {

constexpr float log_floor = -99;  // stands for log10 0, as in ARPA files

// The n-grams of one length, sorted by their last word, then the word before it, and so on.
// Without its first word an n-gram is its suffix, without its last word its context; both are
// positions in the level below. The n-grams of one suffix stand together: a reverse trie.
// In the first level a position is a word, and `left`, `suffix` and `context` are empty.
struct Level {
  std::vector<std::uint32_t> left;     // the first word
  std::vector<std::uint32_t> suffix;
  std::vector<std::uint32_t> context;  // or absent; empty if not linked
  std::vector<std::uint32_t> count;    // raw counts, if they are known
  std::vector<float> probability;      // log10
  std::vector<float> backoff;          // log10; empty in the last level

  std::size_t size() const { return probability.size(); }
};

struct NgramTable {
  std::vector<Level> levels;

  std::size_t order() const { return levels.size(); }
};

// Where the n-grams of each suffix start in `level`; one bound more than suffixes.
std::vector<std::uint32_t> children_bounds(const Level& level, std::size_t suffixes);

// Finds the context of every n-gram; absent where an ARPA file leaves it out.
void link_contexts(NgramTable& table);

// Drops the n-grams whose flag is 0. Suffixes and contexts of what stays must stay.
void keep_only(NgramTable& table, const std::vector<std::vector<std::uint8_t>>& kept);

}  // namespace otherwords::lm
