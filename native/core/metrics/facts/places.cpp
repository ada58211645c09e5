// Places: prepositions of place that exclude each other, of the same thing in the same sentence.
#include <algorithm>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/phrases.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

enum Place {
  over_place, under_place, behind_place, in_front_place, beside_place, between_place, inside_place,
  outside_place, away_place, towards_place, beyond_place, facing_place, short_of_place,
  off_it_place,
};

constexpr PhraseClass places[] = {
    {"above|over|on top of|atop|high above"},
    {"below|beneath|under|underneath"},
    {"behind|at the back of|at the rear of|in back of"},
    {"in front of|at the front of|ahead of"},
    {"beside|next to|alongside|adjacent to|right beside|right next to|by the side of|close to|near"},
    {"between|among|amid"},
    {"inside|within|in the middle of|in the centre of|in the center of"},
    {"outside|out of"},
    {"away from|well away from|far from|clear of"},
    {"towards|toward|in the direction of"},
    {"beyond|past"},
    {"opposite|across from|facing"},
    {"before|just before|short of"},
    {"off"},
};

struct Together {
  Place one, other;
};

// Places that can be the same one.
constexpr Together together[] = {
    {beyond_place, behind_place}, {outside_place, beyond_place}, {outside_place, beside_place},
    {outside_place, in_front_place}, {facing_place, in_front_place}, {facing_place, beside_place},
    {between_place, inside_place}, {between_place, beside_place}, {over_place, beyond_place},
    {towards_place, facing_place}, {outside_place, away_place}, {beside_place, in_front_place},
    {off_it_place, outside_place}, {off_it_place, away_place}, {short_of_place, in_front_place},
    {short_of_place, beside_place}, {away_place, beyond_place}, {towards_place, inside_place},
    {outside_place, behind_place}, {over_place, outside_place}, {over_place, towards_place},
    {under_place, towards_place}, {between_place, towards_place}, {short_of_place, over_place},
    {short_of_place, under_place}, {short_of_place, inside_place},
    {short_of_place, outside_place}, {short_of_place, away_place},
    {short_of_place, between_place}, {short_of_place, towards_place},
    {short_of_place, off_it_place}, {short_of_place, behind_place},
    {short_of_place, facing_place},
};

constexpr double least_place_tight = 0.5, least_place_frame = 0.85;

bool can_be_same(int a, int b) {
  return std::ranges::any_of(together, [&](const Together& one) {
    return (one.one == a && one.other == b) || (one.one == b && one.other == a);
  });
}

}  // namespace

void find_places(Calls& calls) {
  static const Phrases known(places);
  const Pair& pair = calls.pair;
  if (pair.sameness() < least_place_frame - 0.2) return;
  auto mine = known.in(pair.a);
  if (mine.empty()) return;
  auto theirs = known.in(pair.b);
  drop_twins(pair, mine, theirs);
  for (const Phrase& one : mine)
    for (const Phrase& other : theirs) {
      if (one.number == other.number || can_be_same(one.number, other.number)) continue;
      if (!calls.free(one.units, other.units)) continue;
      const int i = content_behind(pair.a, one.units.end);
      const int j = content_behind(pair.b, other.units.end);
      if (i < 0 || j < 0 || !pair.same(i, j) || pair.a.is_number(i)) continue;
      if (pair.tightness(one.units, other.units) < least_place_tight) continue;
      if (is_same_outside(pair, one.units, other.units, least_place_frame))
        calls.add(Kind::place, Verdict::contradicted, 0.8, one.units, other.units);
    }
}

}  // namespace otherwords::facts
