// Holes: content that one of two texts lacks although all else is the same. A statement, a member of
// a list or a restriction that is left out changes what is said; words that the rest implies do
// not: "bake in the oven".
#include <algorithm>
#include <string>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/phrases.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

constexpr double least_hole_tight = 0.66, least_replaced_tight = 0.83;
constexpr double rest_same = 0.93;   // share of content outside the hole that must be the same
constexpr double related = 0.33;     // cosine from which on the rest may imply a word
constexpr double unrelated = 0.28;   // below which a noun has nothing to do with another
constexpr double foreign = 0.12;     // and a verb, which means more things, or an adverb
constexpr std::size_t few_words = 2;  // that replace each other
constexpr double strong_word_weight = 0.3;
constexpr std::size_t a_phrase = 3;  // words that the rest does not imply
constexpr int behind_verb = 4;       // units behind a verb among which its noun is
constexpr int before_verb = 3;       // units before a verb among which its subject is

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

// Whether an adverb says how something is done, rather than when, how much or how sure it is.
bool is_manner(std::string_view word) {
  static const Words others(
      "really actually simply merely only recently currently lately formerly previously finally "
      "eventually generally usually mostly mainly largely nearly probably possibly certainly clearly "
      "obviously surely definitely apparently exactly precisely immediately suddenly directly "
      "completely entirely totally fully wholly absolutely utterly especially particularly specifically "
      "additionally consequently accordingly similarly likewise newly early daily initially originally "
      "firstly secondly lastly early truly highly extremely fairly greatly approximately roughly "
      "respectively officially literally basically essentially effectively fundamentally ultimately "
      "namely family supply reply apply july italy gradually slightly considerably significantly "
      "mistakenly normally typically commonly frequently regularly constantly already");
  return !others.has(word);
}

bool is_strong(const Side& side, int unit) {
  const Unit& one = side[unit];
  static const Words limits("only almost nearly partly partially temporarily allegedly reportedly");
  if (limits.has(one.word)) return true;
  // What adds nothing to "is" or to what follows; "fail to" is a negation.
  static const Words empty_words(
      "able aged located situated lie stand sit feel accord according based total lying standing");
  if (empty_words.has(one.lemma) || empty_words.has(one.word)) return false;
  static const Words denying("fail refuse decline neglect omit forget");
  if (denying.has(one.lemma) && side.word(unit + 1) == "to") return false;
  if (light().has(one.lemma) || !one.content || one.weight <= strong_word_weight) return false;
  if (one.tag == "RB" && one.word.ends_with("ly")) return is_manner(one.word);
  return one.tag.starts_with("NN") || one.tag.starts_with("VB") || one.tag.starts_with("JJ") ||
         one.tag.starts_with("CD");
}

// Whether the units are a member of a list or a clause that is joined to the rest.
bool is_joined(const Side& side, Stretch units) {
  for (int unit = units.begin; unit < units.end; ++unit)
    if (is_conjunction(side[unit].word)) return true;
  return is_conjunction(side.word(units.begin - 1)) && is_conjunction(side.word(units.end));
}

bool is_clause(const Side& side, Stretch units) {
  static const Words made("if unless when whenever because while who which whose where provided");
  for (int unit = units.begin; unit < units.end; ++unit)
    if (made.has(side[unit].lemma)) return true;
  return false;
}

// Whether the other text has the same currency as a sign: 48 euros, 48 and its sign.
bool is_sign(const Unit& unit, const Side& there) {
  const auto money = category(unit.lemma);
  if (!money || money->name != "money") return false;
  return std::ranges::any_of(there.units, [&](const Unit& other) {
    const auto known = category(other.word);
    return known && known->name == "money" && known->word == money->word;
  });
}

bool is_rest_same(const Pair& pair, const Slot& slot) {
  return is_same_outside(pair, slot.a, slot.b, rest_same);
}

// Whether all content of the units is verbs of which `carries` says so.
template <typename Carries>
bool are_verbs(const Side& side, Stretch units, Carries carries) {
  for (int unit = units.begin; unit < units.end; ++unit)
    if (side[unit].content && !(side.tagged(unit, "VB") && carries(side[unit].lemma)))
      return false;
  return true;
}

// Whether the verbs say no more than that their subject happens, which the other text has as a
// verb: rain falls, it rains.
bool is_occurrence(const Pair& pair, Stretch units, bool in_b) {
  static const Words happens("happen occur arise ensue"), comes_down("fall pour");
  static const Words weather("rain snow hail sleet drizzle");
  const Side &side = in_b ? pair.b : pair.a, &there = in_b ? pair.a : pair.b;
  for (int unit = units.begin - 1; unit >= std::max(0, units.begin - before_verb); --unit) {
    if (!side[unit].content) continue;
    const int link = in_b ? pair.to_a(unit) : pair.to_b(unit);
    const bool falls = weather.has(side[unit].lemma);
    return link >= 0 && side.tagged(unit, "NN") && there.tagged(link, "VB") &&
           are_verbs(side, units, [&](std::string_view verb) {
             return happens.has(verb) || (falls && comes_down.has(verb));
           });
  }
  return false;
}

}  // namespace

bool is_certain_hole(Calls& calls, const Slot& slot) {
  const Pair& pair = calls.pair;
  if (!slot.closed || slot.tight < least_hole_tight) return false;
  const bool in_b = is_empty(pair.a, slot.a);
  const Side& side = in_b ? pair.b : pair.a;
  const Stretch mine = in_b ? slot.b : slot.a;
  if (!in_b && !is_empty(pair.b, slot.b)) return false;
  if (!is_rest_same(pair, slot)) return false;
  std::vector<int> strong;
  for (int unit = mine.begin; unit < mine.end; ++unit)
    if (is_strong(side, unit)) strong.push_back(unit);
  const Side& there = in_b ? pair.a : pair.b;
  std::erase_if(strong, [&](int unit) { return is_sign(side[unit], there); });
  if (strong.empty()) return false;
  if (is_joined(side, mine) || is_clause(side, mine)) return true;
  std::vector<std::string_view> around;
  for (int unit = 0; unit < side.size(); ++unit)
    if (side[unit].content && !mine.has(unit)) around.push_back(side[unit].word);
  const auto is_new = [&](int unit) {
    return calls.evidence.relatedness(side[unit].word, around) < related;
  };
  if (strong.size() >= a_phrase) return true;
  return std::ranges::any_of(strong, is_new);
}

// Whether the units are verbs that say no more than the noun behind or before them, which the other
// text has as a verb: caused floods in, flooded.
bool is_support_verb(const Pair& pair, Stretch units, bool in_b) {
  static const Words support(
      "cause make take give have do hold conduct carry perform bring lead put offer provide pay "
      "issue launch undertake reach suffer undergo");
  const Side &side = in_b ? pair.b : pair.a, &there = in_b ? pair.a : pair.b;
  if (is_occurrence(pair, units, in_b)) return true;
  if (!are_verbs(side, units, [](std::string_view verb) { return support.has(verb); }))
    return false;
  for (int unit = units.end; unit < std::min(side.size(), units.end + behind_verb); ++unit) {
    if (!side[unit].content) continue;
    const int link = in_b ? pair.to_a(unit) : pair.to_b(unit);
    if (link < 0) return false;
    if (side.tagged(unit, "NN")) return there.tagged(link, "VB");
  }
  return false;
}

namespace {

// Whether a phrase of several words in the slot, with what follows it there, says what a word on the
// other side says: carried out, implemented.
bool is_phrasal(const Side& side, Stretch units, const Side& there, Stretch theirs) {
  for (int begin = units.begin; begin < units.end; ++begin) {
    std::string phrase = side[begin].lemma;
    for (int end = begin + 1; end < std::min(side.size(), begin + 4); ++end) {
      phrase += ' ';
      phrase += side[end].lemma;
      for (int unit = theirs.begin; unit < theirs.end; ++unit)
        if (are_phrasal(phrase, there[unit].lemma) || are_phrasal(phrase, there[unit].word))
          return true;
    }
  }
  return false;
}

}  // namespace

bool is_replaced(Calls& calls, const Slot& slot, Stretch mine, Stretch theirs) {
  const Pair& pair = calls.pair;
  if (is_phrasal(pair.a, mine, pair.b, theirs) || is_phrasal(pair.b, theirs, pair.a, mine))
    return false;
  if (!slot.closed || slot.tight < least_replaced_tight || !is_rest_same(pair, slot)) return false;
  const auto words_of = [&](const Side& side, Stretch units, std::vector<std::string_view>& words) {
    for (int unit = units.begin; unit < units.end; ++unit) {
      if (!side[unit].content) continue;
      const bool adverb = side.tagged(unit, "RB") && side[unit].word.ends_with("ly");
      if (!(adverb || is_strong(side, unit)) || !calls.evidence.knows(side[unit])) return false;
      words.push_back(side[unit].word);
    }
    return words.size() <= few_words;
  };
  std::vector<std::string_view> one, other;
  if (!words_of(pair.a, mine, one) || !words_of(pair.b, theirs, other)) return false;
  const auto both = [&](std::string_view start) {
    return pair.a.tagged(mine.end - 1, start) && pair.b.tagged(theirs.end - 1, start);
  };
  const bool other_class = both("VB") || both("RB");
  if (!other_class && !both("NN") && !both("JJ")) return false;
  if (other_class && one.size() + other.size() > 2) return false;
  const double limit = other_class ? foreign : unrelated;
  return std::ranges::all_of(one, [&](std::string_view word) {
    return calls.evidence.relatedness(word, other) < limit;
  });
}

}  // namespace otherwords::facts
