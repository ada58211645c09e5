// What no other kind has called: words that are missing, added, replaced, or in disorder.
#include <algorithm>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/words.hpp"
#include "text/unicode.hpp"

namespace otherwords::facts {
namespace {

constexpr int window = 5;             // units on either side that say how reworded a place is
constexpr double same_around = 0.83;  // context in which small words count
constexpr double small_weight = 0.5;
constexpr std::size_t fewest = 5;     // content words of a text that can be in disorder
constexpr double rest = 0.85;         // share of the content that must be the same
constexpr double least_kept = 0.35;   // share of neighbours that a reordered text keeps at least
constexpr double doubtful = 0.9;      // weight of a hole that may be harmless
constexpr double rest_same = 0.93;  // share of content outside a certain hole that must be the same
constexpr double least_hole_tight = 0.66;
constexpr double strong_word_weight = 0.3;
constexpr int a_phrase = 3;  // words that the rest does not imply
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

bool is_conjunction(std::string_view word) {
  static const Words made("and or but nor , ; plus");
  return made.has(word);
}

// Whether nothing stands there that means anything.
bool is_empty(const Side& side, Stretch units) {
  static const Words empty("the a an , ; and or of 's - that also too is are was were");
  for (int unit = units.begin; unit < units.end; ++unit)
    if (!empty.has(side[unit].word)) return false;
  return true;
}

bool is_strong(const Side& side, int unit) {
  const Unit& one = side[unit];
  const Lists& lists = *side.lists;
  if (lists.empty_words.has(one.lemma) || lists.empty_words.has(one.word)) return false;
  if (lists.denying.has(one.lemma) && side.word(unit + 1) == "to") return false;  // a negation
  if (lists.light.has(one.lemma) || !one.content || one.weight <= strong_word_weight) return false;
  return !one.tag.starts_with("RB");
}

// Whether the units are a clause or a member of a list.
bool is_joined(const Side& side, Stretch units) {
  static const Words clauses(
      "if unless when whenever because while who which whose where provided");
  for (int unit = units.begin; unit < units.end; ++unit)
    if (is_conjunction(side[unit].word) || clauses.has(side[unit].lemma)) return true;
  return is_conjunction(side.word(units.begin - 1)) && is_conjunction(side.word(units.end));
}

// Whether one text lacks a statement, a member of a list or a phrase although all else is the same.
// A single word may be implied by the rest: "bake in the oven".
bool is_certain_hole(const Pair& pair, const Slot& slot) {
  if (!slot.closed || slot.tight < least_hole_tight) return false;
  const bool in_b = is_empty(pair.a, slot.a);
  if (!in_b && !is_empty(pair.b, slot.b)) return false;
  if (!pair.is_same_outside(slot.a, slot.b, rest_same)) return false;
  const Side& side = in_b ? pair.b : pair.a;
  const Stretch units = in_b ? slot.b : slot.a;
  int strong = 0;
  for (int unit = units.begin; unit < units.end; ++unit) strong += is_strong(side, unit);
  return strong >= a_phrase || (strong > 0 && is_joined(side, units));
}

// What one text has and the other lacks.
void call_hole(Calls& calls, const Slot& slot, Verdict verdict, Stretch a, Stretch b) {
  const double weight =
      is_certain_hole(calls.pair, slot) ? 1.0 : std::min(doubtful, certainty(calls.pair, slot));
  calls.add(Kind::words, verdict, weight, a, b);
}

// Different words in the same place: nothing says that they mean the same.
void call_replaced(Calls& calls, const Slot& slot, Stretch mine, Stretch theirs) {
  const double weight = std::max(0.15, replaced_share * certainty(calls.pair, slot));
  calls.add(Kind::words, Verdict::unknown, weight, mine, theirs);
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

void find_capitals(Calls& calls) {
  const Pair& pair = calls.pair;
  std::string one, other;
  for (int i = 0; i < pair.a.size(); ++i) {
    const int j = pair.to_b(i);
    if (j < 0 || !calls.free(i, j) || pair.a[i].form == pair.b[j].form) continue;
    lower_into(pair.a[i].form, one);
    lower_into(pair.b[j].form, other);
    if (one == other)
      calls.add(Kind::letter_case, Verdict::unknown, 0.3, one_unit(i), one_unit(j));
  }
}

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
