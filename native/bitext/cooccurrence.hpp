// Which words stand in one sentence pair with which: the entries of a translation table
// before it is trained, and for every cell of every sentence pair its entry.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bitext/corpus.hpp"

namespace otherwords {

struct Cooccurrence {
  std::vector<std::uint64_t> rows;    // for every left word where its entries start; + end
  std::vector<std::uint32_t> right;   // the right word of every entry
  std::vector<std::uint64_t> starts;  // for every sentence pair where its cells start; + end
  std::vector<std::uint32_t> cells;   // entry of (i, j) at starts[s] + i * right length + j
};

// Pairs that are not usable have no cells. `interrupt` is called now and then and may throw.
Cooccurrence cooccurrence(const Bitext& bitext, std::size_t max_words,
                          const std::function<void()>& interrupt);

}  // namespace otherwords
