// Entropy pruning (Stolcke 1998).
#pragma once

#include "lm/table.hpp"

namespace otherwords::lm {

// Drops every n-gram (but no word) whose loss raises the model's perplexity by a factor of
// less than 1 + threshold, unless a longer one that stays needs it, and computes the
// back-offs anew. Contexts must be linked.
void prune_by_entropy(NgramTable& table, double threshold);

}  // namespace otherwords::lm
