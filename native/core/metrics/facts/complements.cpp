// Complements: the cause, the purpose, the condition or the time behind the same connective. If all
// else is the same and what follows has nothing to do with what followed, another one is named.
#include <algorithm>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/phrases.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

constexpr PhraseClass openers[] = {
    {"because|because of|due to|owing to|thanks to|as a result of|on account of"},
    {"so that|in order to|so as to|to"},
    {"by"},
    {"if|unless|provided that|as long as"},
    {"when|until|after|before|while|since|once"},
    {"for"},
};

constexpr double outside_same = 0.93;      // share of content outside that must be the same
constexpr double changed_share = 0.34;     // share of content inside that must be other words
constexpr double no_relation = 0.26;       // cosine below which words have nothing in common
constexpr double least_outside_content = 1.0;

bool ends_complement(std::string_view word) {
  static const Words made(", ; . : ! ?");
  return made.has(word);
}

Stretch complement(const Side& side, int begin) {
  int end = begin;
  while (end < side.size() && !ends_complement(side[end].word)) ++end;
  return {begin, end};
}

// "To" opens a purpose only before a verb.
bool opens(const Side& side, const Phrase& phrase) {
  if (phrase.units.end >= side.size()) return false;
  return side[phrase.units.end - 1].word != "to" || side.tagged(phrase.units.end, "VB");
}

struct Inside {
  double total = 0, other = 0;           // content, and content without a partner
  Stretch units{0, 0};                   // from the first to the last word without one
  std::vector<std::string_view> words;
  bool known = true, verb_or_noun = false;
};

Inside inside(Calls& calls, const Side& side, Stretch units, const std::vector<int>& links) {
  Inside out;
  out.units = {units.end, units.begin};
  for (int unit = units.begin; unit < units.end; ++unit) {
    if (side[unit].weight <= 0) continue;
    out.total += side[unit].weight;
    if (links[static_cast<std::size_t>(unit)] >= 0) continue;
    if (side.is_number(unit)) continue;
    out.other += side[unit].weight;
    out.units.begin = std::min(out.units.begin, unit);
    out.units.end = unit + 1;
    out.words.push_back(side[unit].word);
    out.known = out.known && calls.evidence.knows(side[unit]);
    out.verb_or_noun = out.verb_or_noun || side.tagged(unit, "NN") || side.tagged(unit, "VB");
  }
  return out;
}

}  // namespace

void find_complements(Calls& calls) {
  static const Phrases known(openers);
  const Pair& pair = calls.pair;
  if (pair.unlinked() == 0) return;
  const auto mine = known.in(pair.a);
  if (mine.empty()) return;
  const auto theirs = known.in(pair.b);
  for (const Phrase& one : mine)
    for (const Phrase& other : theirs) {
      if (one.number != other.number || !pair.same(one.units.begin, other.units.begin)) continue;
      if (!opens(pair.a, one) || !opens(pair.b, other)) continue;
      const Stretch a = complement(pair.a, one.units.end), b = complement(pair.b, other.units.end);
      if (a.empty() || b.empty() || !calls.free(a, b)) continue;
      if (!is_same_outside(pair, a, b, outside_same)) continue;
      const Inside x = inside(calls, pair.a, a, pair.links_of_a());
      const Inside y = inside(calls, pair.b, b, pair.links_of_b());
      if (pair.a.total - x.total < least_outside_content) continue;
      if (x.words.empty() || y.words.empty() || !x.known || !y.known) continue;
      if (!x.verb_or_noun || !y.verb_or_noun) continue;
      if (x.words.size() + y.words.size() < 3) continue;  // single words are called as such
      if (x.other < changed_share * x.total || y.other < changed_share * y.total) continue;
      const bool apart = std::ranges::all_of(x.words, [&](std::string_view word) {
        return calls.evidence.relatedness(word, y.words) < no_relation;
      });
      if (apart) calls.add(Kind::relation, Verdict::contradicted, 0.7, x.units, y.units);
    }
}

}  // namespace otherwords::facts
