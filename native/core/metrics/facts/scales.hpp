// Scales of English words with two ends: the words of one end oppose those of the other, and are
// evidence for each other. One scale per line that is not indented; lemmas, and participles that are
// adjectives. A scale with one end has synonyms only.
#pragma once

#include <string_view>

#include "metrics/facts/scales/nouns.hpp"
#include "metrics/facts/scales/places.hpp"
#include "metrics/facts/scales/qualities.hpp"
#include "metrics/facts/scales/synonyms.hpp"
#include "metrics/facts/scales/verbs.hpp"

namespace otherwords::facts {

constexpr std::string_view scales[] = {scales_of_verbs, scales_of_nouns, scales_of_qualities,
                                       scales_of_places, scales_of_synonyms};

}  // namespace otherwords::facts
