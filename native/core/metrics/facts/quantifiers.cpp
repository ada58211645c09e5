// Quantifiers: how much of something, or how often, from nothing to everything.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

constexpr double least_quantifier_tight = 0.5;
constexpr double apart = 1.5;  // how far two levels are apart that cannot both hold
constexpr double equal = 0.5;
constexpr int longest_quantifier = 4;  // words of a quantifier
constexpr double least_quantifier_same = 0.3;  // share of content that is the same
constexpr double all = 5.0, half = 2.5, single = 1.0;

struct Quantifier {
  Stretch units;
  double level;
};

std::string_view plain(const Side& side, int unit) {
  if (side.is_number(unit)) return side.number(unit).value == 1.0 ? "one" : "#";
  return side.lists->is_quantity(side[unit].lemma) ? side[unit].lemma : side[unit].word;
}

std::vector<Quantifier> quantifiers(const Side& side) {
  std::vector<Quantifier> found;
  for (int begin = 0; begin < side.size(); ++begin) {
    if (side.is_number(begin)) {
      const Number& number = side.number(begin);
      if (number.kind == NumberKind::share && number.value == 0.5)
        found.push_back({one_unit(begin), half});
      else if (number.kind == NumberKind::count && number.value == 1.0 &&
               side.word(begin + 1) != "in")
        found.push_back({one_unit(begin), single});
      continue;
    }
    if (!side.lists->begins_quantity(plain(side, begin))) continue;
    std::string phrase;
    std::optional<Quantifier> best;
    for (int end = begin; end < std::min(side.size(), begin + longest_quantifier); ++end) {
      if (end > begin) phrase += ' ';
      phrase += plain(side, end);
      if (const auto level = side.lists->level_of(phrase)) best = Quantifier{{begin, end + 1}, *level};
    }
    if (!best) continue;
    found.push_back(*best);
    begin = best->units.end - 1;
  }
  return found;
}

bool are_same_words(const Pair& pair, Stretch a, Stretch b) {
  if (a.size() != b.size()) return false;
  for (int step = 0; step < a.size(); ++step)
    if (!pair.same(a.begin + step, b.begin + step)) return false;
  return true;
}

bool differ(const Pair& pair, const Quantifier& one, const Quantifier& other) {
  const double low = std::min(one.level, other.level), high = std::max(one.level, other.level);
  if (low == high || (high < all && high - low < apart)) return false;
  if (low > 0) return true;
  // Never fails, always works; but: not all, none.
  const auto outside = [](const Side& side, Stretch units) {
    return std::ranges::count_if(negations(side),
                                 [&](const Cue& cue) { return !units.has(cue.unit); });
  };
  if (outside(pair.a, one.units) + outside(pair.b, other.units) > 0) return false;
  for (int i = 0; i < pair.a.size(); ++i)
    if (pair.kind(i) == Likeness::opposite) return false;  // never remembers, always forgets
  return true;
}

}  // namespace

void find_quantifiers(Calls& calls) {
  const Pair& pair = calls.pair;
  const auto mine = quantifiers(pair.a), theirs = quantifiers(pair.b);
  for (const Quantifier& one : mine)
    for (const Quantifier& other : theirs) {
      const Stretch a = one.units, b = other.units;
      if (are_same_words(pair, a, b) || !calls.free(a, b)) continue;
      const double tight = pair.tightness(a, b);
      if (tight < least_quantifier_tight) continue;
      if (std::abs(one.level - other.level) <= equal)
        calls.add(Kind::quantifier, Verdict::equivalent, 0.8, a, b);
      else if (pair.sameness() >= least_quantifier_same && differ(pair, one, other))
        calls.add(Kind::quantifier, Verdict::contradicted, 0.4 + 0.6 * tight, a, b);
    }
}

}  // namespace otherwords::facts
