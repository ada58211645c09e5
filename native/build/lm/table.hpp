// An n-gram model as plain arrays: what estimation, ARPA files and pruning work on.
// packed.hpp has the compact form that is saved and queried.
#pragma once

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

// Between the plain arrays of a language model and its compact form (lm/packed.hpp).

// The arrays of a packed model under the names that the file gives them.
struct PackedArrays {
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> bytes;
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>> numbers;
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> flags;
  std::vector<std::pair<std::string, std::vector<float>>> values;
};

// The bytes of these arrays for so many n-grams of each length, so many of which are the
// suffix of a longer one.
std::size_t packed_bytes(std::span<const std::size_t> sizes, std::span<const std::size_t> parents,
                         unsigned bits);

// `hashes` are those of the words from `first_word` on, ascending. With `bits` > 0 the
// logarithms become codes of that many bits.
PackedArrays pack(const NgramTable& table, std::span<const std::uint64_t> hashes, unsigned bits);

// The plain arrays of a packed model; contexts are not linked.
NgramTable unpack(const PackedModel& model);

// Entropy pruning (Stolcke 1998).

// For every n-gram but the words: by what factor, less 1, its loss raises the model's
// perplexity, or the loss of the longer n-grams that need it if that is more. An n-gram needs
// its context and its suffix. Contexts must be linked.
using Importances = std::vector<std::vector<float>>;
Importances importances(const NgramTable& table);

// Drops every n-gram of less importance and computes the back-offs again.
void prune_by_entropy(NgramTable& table, const Importances& importances, double threshold);

// The threshold whose packed model, with codes of `bits`, is just not larger than `bytes`;
// negative if there is none.
double threshold_for(const NgramTable& table, const Importances& importances, unsigned bits,
                     std::size_t bytes);

}  // namespace otherwords::lm
