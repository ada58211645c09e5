// The kinds of findings, one source file each; each looks at links and slots that are left.
#pragma once

#include <vector>

#include "metrics/facts/calls.hpp"

namespace otherwords::facts {

void find_quantities(Calls& calls);
void find_names(Calls& calls);
void find_quantifiers(Calls& calls);
void find_negations(Calls& calls);
void find_roles(Calls& calls);
void find_antonyms(Calls& calls);
void find_modality(Calls& calls);
void find_capitals(Calls& calls);
void find_remainder(Calls& calls);

// A negation: its unit, and the units that it may deny, the most likely first.
struct Cue {
  int unit;
  std::vector<int> scope;
};
std::vector<Cue> negations(const Side& side);

}  // namespace otherwords::facts
