// What no other kind has called: words that are missing, added, replaced, or in disorder.
#include <algorithm>

#include "metrics/facts/kinds.hpp"

namespace otherwords::facts {
namespace {

constexpr int window = 5;             // units on either side that say how reworded a place is
constexpr double same_around = 0.83;  // context in which small words count
constexpr double small_weight = 0.5;
constexpr std::size_t fewest = 5;     // content words of a text that can be in disorder
constexpr double rest = 0.85;         // share of the content that must be the same
constexpr double least_kept = 0.35;   // share of neighbours that a reordered text keeps at least
constexpr double doubtful = 0.9;      // weight of a hole that may be harmless
constexpr double support_weight = 0.7;  // of a verb that only carries a noun
constexpr double other_weight = 0.7;  // of a word that replaces another one
constexpr double replaced_share = 0.6;  // what a replaced word loses in a context that is the same

// From the first to the last content word that is not called yet; empty if there is none.
template <typename Called>
Stretch content_of(const Side& side, Stretch units, Called called) {
  Stretch found{units.end, units.begin};
  for (int unit = units.begin; unit < units.end; ++unit)
    if (side[unit].weight > 0 && !called(unit)) {
      found.begin = std::min(found.begin, unit);
      found.end = unit + 1;
    }
  return found;
}

// Share of the words around that are the same in both texts.
double unchanged(const Pair& pair, const Slot& slot) {
  double kept = 0, total = 0;
  const auto count = [&](const Side& side, Stretch units, bool is_a) {
    const auto look = [&](int unit) {
      const double weight = 0.2 + side[unit].weight;
      total += weight;
      const int link = is_a ? pair.to_b(unit) : pair.to_a(unit);
      if (link >= 0) kept += weight * (is_same(pair.kind(is_a ? unit : link)) ? 1.0 : 0.5);
    };
    for (int unit = std::max(0, units.begin - window); unit < units.begin; ++unit) look(unit);
    for (int unit = units.end; unit < std::min(side.size(), units.end + window); ++unit) look(unit);
  };
  count(pair.a, slot.a, true);
  count(pair.b, slot.b, false);
  return total > 0 ? kept / total : 1.0;
}

// How sure it is that nothing elsewhere says the same: a hole in the same context is one, a word
// inside a rewording hardly.
double certainty(const Pair& pair, const Slot& slot) {
  const double same = unchanged(pair, slot);
  return slot.closed ? std::max(0.1, (0.3 + 0.7 * slot.tight) * same * same) : 0.25 * same;
}

// What one text has and the other lacks.
void call_hole(Calls& calls, const Slot& slot, Verdict verdict, Stretch a, Stretch b) {
  const bool in_b = verdict == Verdict::missing;
  if (is_support_verb(calls.pair, in_b ? b : a, in_b)) {
    calls.add(Kind::words, Verdict::equivalent, support_weight, a, b);
    return;
  }
  const double weight =
      is_certain_hole(calls, slot) ? 1.0 : std::min(doubtful, certainty(calls.pair, slot));
  calls.add(Kind::words, verdict, weight, a, b);
}

// Different words in the same place: nothing says that they mean the same.
void call_replaced(Calls& calls, const Slot& slot, Stretch mine, Stretch theirs) {
  if (is_replaced(calls, slot, mine, theirs))
    calls.add(Kind::words, Verdict::contradicted, other_weight, mine, theirs);
  else
    calls.add(Kind::words, Verdict::unknown,
              std::max(0.15, replaced_share * certainty(calls.pair, slot)), mine, theirs);
}

bool is_needed(const std::string& tag) {
  for (const char* one : {"PRP", "VBZ", "VBP", "VBD", "VB", "MD", "WP", "EX"})
    if (tag == one) return true;
  return false;
}

// A pronoun or a verb without content that one text lacks, all around it being the same.
void call_small_words(Calls& calls, const Slot& slot) {
  const auto needed = [](const Side& side, Stretch units) {
    for (int unit = units.begin; unit < units.end; ++unit)
      if (is_needed(side[unit].tag)) return true;
    return false;
  };
  if (slot.b.empty() && needed(calls.pair.a, slot.a))
    calls.add(Kind::words, Verdict::added, small_weight, slot.a, slot.b);
  else if (slot.a.empty() && needed(calls.pair.b, slot.b))
    calls.add(Kind::words, Verdict::missing, small_weight, slot.a, slot.b);
}

// Links between words that are not the same.
void call_equivalent(Calls& calls) {
  const Pair& pair = calls.pair;
  for (int i = 0; i < pair.a.size(); ++i) {
    const int j = pair.to_b(i);
    if (j >= 0 && !is_same(pair.kind(i)) && calls.free(i, j))
      calls.add(Kind::words, Verdict::equivalent, std::min(1.0, pair.score(i)), one_unit(i),
                one_unit(j));
  }
}

// The same words in hardly any of their old neighbourhoods: the text has been shuffled.
void call_disorder(Calls& calls) {
  const Pair& pair = calls.pair;
  std::vector<int> mine, place(pair.b.units.size(), -2);
  int theirs = 0;
  for (int unit = 0; unit < pair.a.size(); ++unit)
    if (pair.a[unit].content) mine.push_back(unit);
  for (int unit = 0; unit < pair.b.size(); ++unit)
    if (pair.b[unit].content) place[static_cast<std::size_t>(unit)] = theirs++;
  if (std::min(mine.size(), static_cast<std::size_t>(theirs)) < fewest || pair.sameness() < rest)
    return;
  int kept = 0, last = -10;
  for (std::size_t k = 0; k < mine.size(); ++k) {
    const int link = pair.to_b(mine[k]);
    const int here = link < 0 ? -2 : place[static_cast<std::size_t>(link)];
    kept += k > 0 && here == last + 1;
    last = here;
  }
  const double share = static_cast<double>(kept) / static_cast<double>(mine.size() - 1);
  if (share < least_kept)
    calls.add(Kind::order, Verdict::unknown, 1 - share, {0, pair.a.size()}, {0, pair.b.size()});
}

}  // namespace

void find_remainder(Calls& calls) {
  const Pair& pair = calls.pair;
  for (const Slot& slot : pair.slots()) {
    const Stretch mine =
        content_of(pair.a, slot.a, [&](int unit) { return calls.called_a(unit); });
    const Stretch theirs =
        content_of(pair.b, slot.b, [&](int unit) { return calls.called_b(unit); });
    if (!mine.empty() && !theirs.empty())
      call_replaced(calls, slot, mine, theirs);
    else if (!mine.empty())
      call_hole(calls, slot, Verdict::added, mine, slot.b);
    else if (!theirs.empty())
      call_hole(calls, slot, Verdict::missing, slot.a, theirs);
    else if (slot.closed && slot.tight >= same_around)
      call_small_words(calls, slot);
  }
  call_equivalent(calls);
  call_disorder(calls);
}

}  // namespace otherwords::facts
