// Negation: a word that is denied in one text and not in the other.
#include <algorithm>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

constexpr int negation_reach = 5;            // units that a negation can reach
// Share of content that is the same where context need not be.
constexpr double least_negation_same = 0.55;
constexpr double even_same = 0.8;

bool is_harmless(const Side& side, int unit) {
  static const Words behind_not("only just merely simply necessarily least");
  static const Words behind_no("matter doubt wonder sooner less fewer more later than");
  const std::string_view word = side.word(unit), after = side.word(unit + 1);
  if (word == "not" && behind_not.has(after)) return true;
  if (word == "no" && behind_no.has(after)) return true;
  if (word == "nothing" && (after == "but" || after == "less")) return true;
  if (word == "nothing" && after == "short" && side.word(unit + 2) == "of") return true;
  if (word == "nothing" && after == "if" && side.word(unit + 2) == "not") return true;
  if (word == "none" && after == "other") return true;
  if (word == "no") {  // No. 4; "no," as an answer
    if (after == "." || after == "," || after.empty()) return true;
    const std::string& form = side[unit + 1].form;
    if (!form.empty() && form[0] >= '0' && form[0] <= '9') return true;
  }
  const std::string_view before = side.word(unit - 1);
  if (word == "not")
    for (int on = 2; on <= 4; ++on)  // not the bishop alone
      if (side.word(unit + on) == "alone" && side.tagged(unit + on - 1, "NN")) return true;
  if (word == "not" && before == "or") {
    if (after == "." || after == "," || after == "?" || after.empty()) return true;
    for (int back = 0; back < unit; ++back)
      if (side[back].word == "whether") return true;
    return false;
  }
  if (word == "not" && before == "if")  // few if not all; but: if not used
    return side.word(unit - 2) == "nothing" || unit + 1 >= side.size() ||
           side[unit + 1].tag != "VBN";
  return word == "not" && before == "why";
}

// Phrases that deny what follows: far from safe, anything but safe, have yet to arrive.
bool begins_denial(const Side& side, int unit) {
  const std::string_view word = side.word(unit), after = side.word(unit + 1);
  if (word == "yet" && after == "to") {
    for (int back = 1; back <= 2; ++back)
      if (side.lemma(unit - back) == "have" || side.lemma(unit - back) == "be") return true;
    return false;
  }
  if (unit + 2 >= side.size()) return false;
  const Unit& third = side[unit + 2];
  if (word == "far" && after == "from")
    return third.tag == "JJ" || third.tag == "VBG" || third.tag == "RB" || third.word == "a" ||
           third.word == "an";
  if (word == "anything" && after == "but")
    return third.tag == "JJ" || third.tag == "VBN" || third.word == "a" || third.word == "an";
  return word == "nowhere" && after == "near";
}

std::vector<int> scope(const Side& side, int unit) {
  static const Words raising("think believe expect suppose seem appear want");
  static const Words stops(", ; . : but");
  const bool raised = raising.has(side.lemma(unit + 1)) || raising.has(side.lemma(unit + 2));
  // "I do not think that he left" denies that he left.
  const int far = negation_reach + (raised ? 3 : 0);
  std::vector<int> found, behind;
  for (int place = unit + 1; place < std::min(side.size(), unit + 1 + far); ++place) {
    const Unit& one = side[place];
    if (stops.has(one.word)) break;
    const bool is_class = one.tag.starts_with("VB") || one.tag.starts_with("NN") ||
                          one.tag.starts_with("JJ") || one.tag.starts_with("CD");
    if (is_class && (one.content || one.lemma == "have") && one.word != "one")
      found.push_back(place);
    if (found.size() == (raised ? 3u : 2u)) break;
  }
  for (int place = std::max(0, unit - 2); place < unit; ++place)
    if (side.tagged(place, "VB") && side[place].content) behind.push_back(place);
  if (found.empty() && behind.empty())
    for (int place = unit - 1; place >= std::max(0, unit - 3); --place)
      if (side[place].content) {
        behind.push_back(place);
        break;
      }
  found.insert(found.end(), behind.rbegin(), behind.rend());
  return found;
}

bool has(const std::vector<int>& some, int value) {
  return std::ranges::find(some, value) != some.end();
}

// Takes the negation of the other text that denies the same; whether there is one.
bool claim(const Pair& pair, const Cue& cue, std::vector<Cue>& theirs) {
  const int linked = pair.to_b(cue.unit);
  for (auto other = theirs.begin(); other != theirs.end(); ++other)
    if (linked == other->unit) {
      theirs.erase(other);
      return true;
    }
  if (linked >= 0 &&
      (pair.a.lists->implicit.has(pair.b[linked].lemma) || pair.a.lists->denying.has(pair.a[cue.unit].lemma)))
    return pair.kind(cue.unit) != Likeness::opposite;
  std::vector<int> targets;
  for (const int unit : cue.scope)
    if (pair.to_b(unit) >= 0) targets.push_back(pair.to_b(unit));
  for (auto other = theirs.begin(); other != theirs.end(); ++other)
    if (std::ranges::any_of(targets, [&](int unit) { return has(other->scope, unit); })) {
      theirs.erase(other);
      return true;
    }
  // Places that correspond although nothing denied is linked.
  if (!targets.empty()) return false;
  for (auto other = theirs.begin(); other != theirs.end(); ++other)
    if (std::ranges::none_of(other->scope, [&](int unit) { return pair.to_a(unit) >= 0; })) {
      theirs.erase(other);
      return true;
    }
  return false;
}

// The pair as seen from the text that has the negation.
struct View {
  const Pair& pair;
  bool is_a;

  int link(int unit) const { return is_a ? pair.to_b(unit) : pair.to_a(unit); }
  int back(int unit) const { return is_a ? pair.to_a(unit) : pair.to_b(unit); }
  Likeness kind(int unit) const { return pair.kind(is_a ? unit : pair.to_a(unit)); }
  const Side& there() const { return is_a ? pair.b : pair.a; }
  double tightness(Stretch mine, Stretch theirs) const {
    return is_a ? pair.tightness(mine, theirs) : pair.tightness(theirs, mine);
  }
};

// Whether the negation is of a word that is linked to its opposite: not cheap, expensive.
bool is_flipped(const View& view, const Cue& cue) {
  return std::ranges::any_of(cue.scope, [&](int unit) {
    return view.link(unit) >= 0 && view.kind(unit) == Likeness::opposite;
  });
}

// Two negations close to each other cancel out.
void drop_double(std::vector<Cue>& left) {
  if (left.size() >= 2 && left[1].unit - left[0].unit <= negation_reach)
    left.erase(left.begin(), left.begin() + 2);
}

// "Not even they came" and "even they did not come".
void drop_even(const Pair& pair, std::vector<Cue>& mine, std::vector<Cue>& theirs) {
  if (mine.size() != 1 || theirs.size() != 1 || pair.sameness() < even_same) return;
  const bool a = pair.a.word(mine[0].unit + 1) == "even";
  const bool b = pair.b.word(theirs[0].unit + 1) == "even";
  if (a == b) return;
  mine.clear();
  theirs.clear();
}

bool is_negative_form(const std::string& lemma) {
  if (lemma.size() <= 6) return false;
  for (const char* prefix : {"un", "in", "im", "dis", "non", "ir"})
    if (lemma.starts_with(prefix)) return true;
  return false;
}

// Whether words without a link in [begin, end) of the other text may say what the negation says.
bool is_said(const View& view, int begin, int end) {
  const Side& there = view.there();
  for (int unit = std::max(0, begin); unit < std::min(there.size(), end); ++unit)
    if (view.back(unit) < 0 && !(there[unit].word == "but" && there.word(unit - 1) == ",") &&
        (there.lists->implicit.has(there[unit].lemma) || is_negative_form(there[unit].lemma)))
      return true;
  return false;
}

void call(Calls& calls, const Cue& cue, const View& view) {
  std::vector<int> heads;
  for (std::size_t k = 0; k < std::min<std::size_t>(2, cue.scope.size()); ++k)
    if (view.link(cue.scope[k]) >= 0) heads.push_back(cue.scope[k]);
  // Where the negation would stand on the other side: after what is before it here.
  int place = 0;
  for (int back = cue.unit - 1; back >= 0; --back)
    if (view.link(back) >= 0) {
      place = view.link(back) + 1;
      break;
    }
  Stretch hole{place, place};
  const double context = view.tightness(one_unit(cue.unit), hole);
  const bool said = is_said(view, place - 6, place + 7);
  const bool same =
      std::ranges::any_of(heads, [&](int unit) { return is_same(view.kind(unit)); }) &&
      (context >= 0.33 || view.pair.sameness() >= least_negation_same);
  const bool sure =
      !heads.empty() && !said && (same || context >= 0.66);
  const double weight = sure ? 0.6 + 0.4 * context : 0.3 + 0.2 * context;
  const int head = heads.empty() ? cue.unit : heads[0];
  const Stretch units{std::min(head, cue.unit), std::max(head, cue.unit) + 1};
  if (!heads.empty()) hole = one_unit(view.link(head));
  calls.add(Kind::negation, sure ? Verdict::contradicted : Verdict::unknown, weight,
            view.is_a ? units : hole, view.is_a ? hole : units);
}

}  // namespace

std::vector<Cue> negations(const Side& side) {
  const Lists& lists = *side.lists;
  std::vector<Cue> found;
  for (int unit = 0; unit < side.size(); ++unit) {
    const std::string &word = side[unit].word, &lemma = side[unit].lemma;
    const bool verb = lists.denying.has(lemma) && side.word(unit + 1) == "to";
    const bool phrase = begins_denial(side, unit);
    if (!verb && !phrase && !lists.negations.has(word) && !lists.negations.has(lemma)) continue;
    if (is_harmless(side, unit) || (word == "nor" && !found.empty())) continue;
    found.push_back({unit, scope(side, phrase ? unit + 1 : unit)});
  }
  return found;
}

void find_negations(Calls& calls) {
  const Pair& pair = calls.pair;
  std::vector<Cue> free_a, theirs = negations(pair.b);
  std::erase_if(theirs, [&](const Cue& cue) { return calls.called_b(cue.unit); });
  for (const Cue& cue : negations(pair.a))
    if (!calls.called_a(cue.unit) && !claim(pair, cue, theirs)) free_a.push_back(cue);
  const View of_a{pair, true}, of_b{pair, false};
  drop_double(free_a);
  drop_double(theirs);
  drop_even(pair, free_a, theirs);
  for (const Cue& cue : free_a)
    if (!is_flipped(of_a, cue)) call(calls, cue, of_a);
  for (const Cue& cue : theirs)
    if (!is_flipped(of_b, cue)) call(calls, cue, of_b);
}

}  // namespace otherwords::facts
