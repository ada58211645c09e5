// The kinds of findings, one source file each; each looks at links and slots that are left.
#pragma once

#include <vector>

#include "metrics/facts/calls.hpp"

namespace otherwords::facts {

void find_repetitions(Calls& calls);  // changes links: comes before `Pair::settle`
void find_quantities(Calls& calls);
void find_names(Calls& calls);
void find_relations(Calls& calls);
void find_quantifiers(Calls& calls);
void find_negations(Calls& calls);
void find_roles(Calls& calls);
void find_antonyms(Calls& calls);
void find_degrees(Calls& calls);
void find_scopes(Calls& calls);
void find_grades(Calls& calls);
void find_places(Calls& calls);
void find_tenses(Calls& calls);
void find_complements(Calls& calls);
void find_small_words(Calls& calls);
void find_modality(Calls& calls);
void find_spellings(Calls& calls);
void find_capitals(Calls& calls);
void find_remainder(Calls& calls);

// A negation: its unit, and the units that it may deny, the most likely first.
struct Cue {
  int unit;
  std::vector<int> scope;
};
std::vector<Cue> negations(const Side& side);

// The degree of comparison in which a word is meant.
enum class Degree { base, more, less, most, least, equal };
Degree degree(const Side& side, int unit);

// Whether what stands on one side of the slot is said nowhere on the other.
bool is_certain_hole(Calls& calls, const Slot& slot);

// Whether the units are verbs that only carry a noun: the other text has the noun as a verb.
bool is_support_verb(const Pair& pair, Stretch units, bool in_b);

// Whether a noun or an adjective replaces one that has nothing to do with it.
bool is_replaced(Calls& calls, const Slot& slot, Stretch mine, Stretch theirs);

}  // namespace otherwords::facts
