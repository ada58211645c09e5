// Scope: what a statement extends to. "Only X" leaves all others out, "even X" takes X in, "except X"
// leaves X out; two texts that say different ones of the same X contradict each other.
#include <algorithm>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/phrases.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

enum Focus { only_this, this_too, but_this };

constexpr PhraseClass focus_before[] = {
    {"only|solely|exclusively|nothing but|none but|no one but|nobody but|nothing except|none except|"
     "no one except|nobody except|nothing apart from|nobody apart from|no one apart from|"
     "nothing other than|none other than|no one other than|nobody other than|just the|purely"},
    {"even|also|including|especially|particularly|above all|not only|not just|not merely|"
     "not solely|not exclusively|notably|not least|as well as"},
    {"except|except for|excepting|excluding|apart from|aside from|other than|"
     "with the exception of|save for|all but|but for|barring"},
};

constexpr PhraseClass focus_behind[] = {
    {"alone|only|exclusively|and nothing else|and no one else|and nobody else"},
    {"included|in particular|too|as well"},
    {"excepted|excluded|apart|aside"},
};

constexpr double least_scope_same = 0.6;   // share of content that is the same
constexpr double least_scope_frame = 0.97;  // and where "only" has moved
constexpr double scope_weight = 0.85;

struct Focused {
  Stretch units;
  int focus;
  int head;  // the content word that it is about
};

bool is_focus(const Side& side, const Phrase& phrase) {
  if (phrase.units.size() > 1) return true;
  static const Words conditions("if when after once though so more less as then before because by");
  const std::string_view word = side[phrase.units.begin].word;
  const int next = phrase.units.end;
  if (word != "even" && word != "only") return true;
  if (next >= side.size() || conditions.has(side[next].word)) return false;
  if (word == "even") return side[next].tag != "JJR" && side[next].tag != "RBR";
  const int amount = side[next].word == "a" || side[next].word == "the" ? next + 1 : next;
  return !side.is_number(amount) && !is_quantity(side.lemma(amount));
}

// Whether "but" means except: every region but Asia.
bool is_exception(const Side& side, int unit) {
  static const Words whole(
      "all every everything everyone everybody anything anyone anybody any everywhere anywhere each");
  if (side[unit].word != "but" || unit == 0) return false;
  for (int back = 1; back <= 3; ++back)
    if (whole.has(side.word(unit - back))) return side.word(unit + 1) != "not";
  return false;
}

std::vector<Focused> focuses(const Side& side) {
  static const Phrases before(focus_before), behind(focus_behind);
  std::vector<Focused> out;
  for (const Phrase& one : before.in(side)) {
    if (!is_focus(side, one)) continue;
    const int head = content_behind(side, one.units.end);
    if (head >= 0) out.push_back({one.units, one.number, head});
  }
  for (int unit = 1; unit + 1 < side.size(); ++unit)
    if (is_exception(side, unit))
      if (const int head = content_behind(side, unit + 1); head >= 0)
        out.push_back({one_unit(unit), but_this, head});
  for (const Phrase& one : behind.in(side)) {
    const std::string_view next = side.word(one.units.end);
    const bool ends = next.empty() || next == "," || next == "." || next == ";";
    const bool alone = side[one.units.begin].word == "alone";
    if (!ends && !(alone && one.units.begin > 0 && side.tagged(one.units.begin - 1, "NN"))) continue;
    const int head = content_before(side, one.units.begin - 1);
    if (head < 0) continue;
    // Not the bishop alone.
    bool denied = false;
    for (int back = head; back >= std::max(0, head - 3); --back)
      denied = denied || side[back].word == "not";
    const int focus = one.number == only_this && denied ? this_too : one.number;
    out.push_back({one.units, focus, head});
  }
  return out;
}

// "Only members may swim here" and "members may swim only here".
void find_moved(Calls& calls, const std::vector<Focused>& mine, const std::vector<Focused>& theirs) {
  const Pair& pair = calls.pair;
  if (mine.size() != 1 || theirs.size() != 1 || mine[0].focus != only_this ||
      theirs[0].focus != only_this || mine[0].head == theirs[0].head)
    return;
  const Stretch a = mine[0].units, b = theirs[0].units;
  const int link = pair.to_b(mine[0].head);
  if (link == theirs[0].head || !are_same_units(pair, a, b) ||
      !is_same_outside(pair, a, b, least_scope_frame))
    return;
  const bool a_first = link < theirs[0].head;
  const Side& side = a_first ? pair.a : pair.b;
  const int first = a_first ? mine[0].head : theirs[0].head;
  const int last = a_first ? pair.to_a(theirs[0].head) : pair.to_b(mine[0].head);
  const Stretch focus = a_first ? a : b;
  if (last < 0 || side.tagged(first, "VB") || side.tagged(focus.end, "VB") ||
      side[focus.end].tag == "MD")
    return;
  for (int unit = first; unit < last; ++unit)
    if (side.tagged(unit, "VB") || side[unit].tag == "MD") {
      calls.add(Kind::scope, Verdict::contradicted, scope_weight, a, b);
      return;
    }
}

}  // namespace

void find_scopes(Calls& calls) {
  const Pair& pair = calls.pair;
  if (pair.sameness() < least_scope_same) return;
  const auto mine = focuses(pair.a);
  if (mine.empty()) return;
  const auto theirs = focuses(pair.b);
  const auto has_twin = [&](const Focused& one, const std::vector<Focused>& some, bool in_a) {
    return std::ranges::any_of(some, [&](const Focused& other) {
      const int i = in_a ? one.head : other.head, j = in_a ? other.head : one.head;
      return one.focus == other.focus && pair.same(i, j);
    });
  };
  const bool denied = negations(pair.a).size() % 2 != negations(pair.b).size() % 2;
  for (const Focused& one : mine)
    for (const Focused& other : theirs) {
      if (one.focus == other.focus || !pair.same(one.head, other.head)) continue;
      if (!calls.free(one.units, other.units)) continue;
      if (has_twin(one, theirs, true) || has_twin(other, mine, false)) continue;
      const bool inverse = (one.focus == only_this && other.focus == but_this) ||
                           (one.focus == but_this && other.focus == only_this);
      if (inverse && denied) continue;  // only, nothing except
      calls.add(Kind::scope, Verdict::contradicted, scope_weight, one.units, other.units);
    }
  find_moved(calls, mine, theirs);
}

}  // namespace otherwords::facts
