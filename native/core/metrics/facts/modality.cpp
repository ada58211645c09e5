// Modality and tense of verbs: may, must, will, plan to, appear to, or plainly so.
#include <algorithm>
#include <optional>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

struct Change {
  Force one, other;
};

// Changes that contradict in a tight context.
constexpr Change unsure[] = {
    {Force::maybe, Force::must},     {Force::maybe, Force::fact},   {Force::maybe, Force::future},
    {Force::maybe, Force::past},     {Force::maybe, Force::sure},   {Force::likely, Force::sure},
    {Force::seem, Force::known},     {Force::seem, Force::sure},    {Force::must, Force::permitted},
    {Force::must, Force::need_not},  {Force::refuse, Force::future}, {Force::refuse, Force::past},
    {Force::refuse, Force::fact},    {Force::refuse, Force::must},  {Force::refuse, Force::intent},
    {Force::forbidden, Force::need_not}, {Force::must, Force::chosen}, {Force::intent, Force::sure},
    {Force::intent, Force::must},    {Force::refuse, Force::chosen},
};

// Changes that contradict in one that is tighter.
constexpr Change strong[] = {
    {Force::must, Force::can},        {Force::can, Force::future},   {Force::intent, Force::fact},
    {Force::intent, Force::past},     {Force::must, Force::should},
    {Force::permitted, Force::should}, {Force::can, Force::should},  {Force::maybe, Force::should},
    {Force::permitted, Force::future}, {Force::future, Force::should},
    {Force::need_not, Force::should}, {Force::likely, Force::fact},  {Force::likely, Force::past},
    {Force::seem, Force::fact},       {Force::maybe, Force::known},     {Force::likely, Force::future},
    {Force::likely, Force::known},    {Force::can, Force::past},     {Force::can, Force::sure},
    {Force::permitted, Force::past},  {Force::should, Force::past},
};

constexpr double least_modal_context = 0.5, close_modal_context = 0.66;
constexpr double least_tense_context = 1.0 / 6;

std::optional<Force> force_of(const Side& side, int unit) {
  const auto found = side.lists->force(side[unit].word);
  return found ? found : side.lists->force(side[unit].lemma);
}

bool is_lexical(const Side& side, int unit) {
  for (const std::string_view word : {side.lemma(unit), side.word(unit)})
    if (const auto found = side.lists->force(word); found && *found != Force::future) return true;
  return false;
}

bool are(Force a, Force b, Force x, Force y) {
  return (a == x && b == y) || (a == y && b == x);
}

template <std::size_t size>
bool among(const Change (&changes)[size], Force a, Force b) {
  return std::ranges::any_of(changes,
                             [&](const Change& one) { return are(a, b, one.one, one.other); });
}

// Whether the text says in other words that something is possible.
bool says_possible(const Side& side) {
  return std::ranges::any_of(side.units, [&](const Unit& unit) {
    const auto found = side.lists->force(unit.word);
    if (found == Force::maybe || found == Force::likely) return true;
    for (const char* start : {"possib", "likel", "potential", "chance", "probab"})
      if (unit.word.starts_with(start)) return true;
    return false;
  });
}

// Whether the other text says the same elsewhere: that it is possible, or would not be done.
bool is_excused(const Pair& pair, Force one, Force other) {
  if (one == Force::refuse || other == Force::refuse)
    return !negations(other == Force::refuse ? pair.a : pair.b).empty();
  if (one == Force::maybe || other == Force::maybe)
    return says_possible(other == Force::maybe ? pair.a : pair.b);
  return false;
}

struct Mood {
  Force force;
  Stretch units;  // the words that say it, and the verb
};

Mood mood(const Side& side, int verb) {
  int begin = verb;
  while (begin > 0) {
    const Unit& before = side[begin - 1];
    const bool auxiliary = before.tag == "MD" || before.tag == "RB" || before.tag == "TO" ||
                           before.lemma == "be" || before.lemma == "have" || before.lemma == "do";
    const bool need = before.word == "need" &&
                      (side[begin].word == "n't" || side[begin].word == "not");
    const bool lexical = side[begin].tag == "TO" &&
                         is_lexical(side, begin - 1);
    if (!auxiliary && !lexical && !need) break;
    --begin;
    if (verb - begin > 4) break;
  }
  const Stretch units{begin, verb + 1};
  const bool to = begin < verb && side[verb - 1].word == "to";
  static const Words having("have has had need needs"), nots("not n't never"), musts("must shall");
  const bool has_to = to && verb >= 2 && having.has(side[verb - 2].word);
  bool says_to = false, denied = false, must = false, done = false;
  std::optional<Force> first;
  for (int unit = begin; unit < verb; ++unit) {
    says_to = says_to || side[unit].word == "to";
    denied = denied || nots.has(side[unit].word);
    must = must || musts.has(side[unit].word);
    done = done || side[unit].lemma == "have";
    const auto found = force_of(side, unit);
    if (found && (!first || *found < *first)) first = found;
  }
  denied = denied || (has_to && side.word(verb - 3) == "no");  // no need to
  if (denied && must) return {Force::forbidden, units};
  if (has_to || first == Force::must) return {denied ? Force::need_not : Force::must, units};
  if (first) return {*first, units};
  const bool past = side[begin].tag == "VBD" ||
                    (!says_to && (side[verb].tag == "VBD" || (done && side[verb].tag == "VBN")));
  return {past ? Force::past : Force::fact, units};
}

// What a change of mood means: changes that alter what is claimed contradict.
void call(Calls& calls, const Mood& one, const Mood& other) {
  const double context = calls.pair.tightness(one.units, other.units);
  const Force a = one.force, b = other.force;
  const double sure = 0.3 + 0.6 * context;
  if ((among(unsure, a, b) && context >= least_modal_context) ||
      (among(strong, a, b) && context >= close_modal_context))
    calls.add(Kind::modality, Verdict::contradicted, sure, one.units, other.units);
  else if (are(a, b, Force::future, Force::past) && context >= least_modal_context)
    calls.add(Kind::tense, Verdict::contradicted, sure, one.units, other.units);
  else if ((a == Force::must || b == Force::must) && context >= close_modal_context)
    calls.add(Kind::modality, Verdict::unknown, 0.4 * context, one.units, other.units);
  else if (are(a, b, Force::fact, Force::past) && context >= least_modal_context)
    calls.add(Kind::tense, Verdict::unknown, 0.3 * context, one.units, other.units);
}

// Whatever he says is whatever he may say.
bool is_any(const Side& side, int verb) {
  static const Words made("whatever whoever whichever however wherever whenever");
  for (int unit = std::max(0, verb - 5); unit < verb; ++unit)
    if (made.has(side[unit].word)) return true;
  return false;
}

bool says(const Side& side, Stretch units, std::string_view word) {
  for (int unit = units.begin; unit < units.end; ++unit)
    if (side[unit].word == word) return true;
  return false;
}

}  // namespace

void find_modality(Calls& calls) {
  const Pair& pair = calls.pair;
  for (int i = 0; i < pair.a.size(); ++i) {
    const int j = pair.to_b(i);
    if (!pair.is_same_word(i) || !pair.a.tagged(i, "VB") || !pair.b.tagged(j, "VB")) continue;
    if (pair.context(i, j) < least_tense_context) continue;
    const Mood one = mood(pair.a, i), other = mood(pair.b, j);
    if (one.force == other.force || !calls.free(one.units, other.units)) continue;
    if (is_excused(pair, one.force, other.force)) continue;
    if (is_any(pair.a, i) || is_any(pair.b, j)) continue;
    const auto either = [&](std::string_view word) {
      return says(pair.a, one.units, word) || says(pair.b, other.units, word);
    };
    if (either("could") && either("would")) continue;  // requests
    // A future that is seen from the past.
    if (are(one.force, other.force, Force::future, Force::past) &&
        (either("would") || either("'d")))
      continue;
    call(calls, one, other);
  }
}

}  // namespace otherwords::facts
