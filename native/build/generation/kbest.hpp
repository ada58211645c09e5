// The k best derivations of a forest by lazy enumeration (Huang & Chiang 2005, algorithm 3).
#pragma once

#include <vector>

#include "generation/forest.hpp"

namespace otherwords::generation {

// Best first; with `unique`, the best one of each of the k best strings.
std::vector<Derivation> best_derivations(const Forest& forest, const Rules& rules, std::size_t k,
                                         bool unique);

}  // namespace otherwords::generation
