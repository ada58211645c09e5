// Entropy pruning (Stolcke 1998).
#pragma once

#include "lm/table.hpp"

namespace otherwords::lm {

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
