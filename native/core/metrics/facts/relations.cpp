// Relations of clauses: cause, time order, condition, concession and comparison. A connective has a
// direction: what follows "because" is the cause, what follows "so" the effect. Two texts agree if
// the same content is on the same end of the relation.
#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

// 1 if what follows is the ground (the cause, the earlier event, the condition, the standard of
// comparison), -1 if it is what comes of it. Lemmas.
struct Class {
  std::string_view name;
  int direction;
  std::string_view phrases;
};

constexpr Class classes[] = {
    {"cause", 1,
     "because|because of|due to|owing to|thanks to|as a result of|cause by|result from|stem from|"
     "on account of|come from|arise from|in view of|trigger by|follow from|give that|"
     "as a consequence of|in light of|inasmuch as|seeing that|now that|be to blame"},
    {"cause", -1,
     "so|therefore|thus|hence|consequently|as a result|lead to|result in|cause|so that|"
     "that be why|which be why|trigger|bring about|accordingly|give rise to|be responsible for|"
     "contribute to|which mean that|for this reason|as a consequence|because of it|"
     "because of this|because of that"},
    {"time", 1, "after|follow|following|once|as soon as|in the wake of|since then|upon|the moment"},
    {"time", -1,
     "after that|after this|thereafter|before|prior to|and then|precede|later|then|afterward|"
     "afterwards|subsequently|only then|ahead of|up to"},
    {"until", -1, "until|till"},
    {"during", 1, "during|in the course of|throughout|in the middle of"},
    {"condition", 1, "if|assuming that"},
    {"exception", 1, "unless|except if|except when|except where|but not if|but not when"},
    {"requirement", 1,
     "only if|only when|only once|only after|only where|if and only if|but only if|"
     "only on condition that|only provided that|and only if|provided that|provided|"
     "on condition that|as long as|so long as"},
    {"concession", 1,
     "although|though|even though|despite|in spite of|regardless of|irrespective of|"
     "notwithstanding|no matter"},
    {"any_case", 1, "even if|even when|whether or not|even where|even after|even without"},
    {"purpose", -1, "in order to|in order that|so as to"},
    {"since", 1, "since"},
    {"as", 1, "as"},
    {"when", 1, "when|whenever|by the time"},
    {"while", 1, "while|whilst"},
    {"instead", 1, "instead of|rather than|in place of"},
    {"besides", 1, "as well as|in addition to|besides|along with|together with"},
    {"more", 1, "more than"},
    {"more", -1, "less than|few than|fewer than"},
};

// Classes that can stand for each other; all others exclude each other in one place.
const WordPairs& compatible() {
  static const WordPairs made(
      "since cause|since time|as cause|as during|as when|as while|when time|when during|"
      "when condition|when while|while during|while concession|while as|cause purpose|when cause|"
      "condition time|until time|since when|since as|while time|as besides|cause time|as time|"
      "requirement condition|requirement when|requirement time|any_case concession|any_case when");
  return made;
}

constexpr int longest_connective = 4;
constexpr double least_relation_tight = 0.5;
// Share of content that is the same where ends are compared.
constexpr double least_relation_same = 0.45;
constexpr double least_replaced_same = 0.3;  // where a connective replaces another
constexpr double wrong_content = 1.5;  // that must stand on the wrong end
constexpr double least_condition_same = 0.6, least_condition_content = 1.0;

struct Connective {
  int begin, end;
  std::string_view name;
  int direction;
  Stretch follows, others;
};

const std::unordered_map<std::string, const Class*>& connectives() {
  static const std::unordered_map<std::string, const Class*> made = [] {
    std::unordered_map<std::string, const Class*> out;
    for (const Class& one : classes)
      for (const std::string_view phrase : split(one.phrases, "|"))
        out.insert_or_assign(std::string(phrase), &one);
    return out;
  }();
  return made;
}

bool can_begin_connective(const std::string& lemma) {
  static const std::unordered_set<std::string> made = [] {
    std::unordered_set<std::string> out;
    for (const auto& [phrase, one] : connectives()) out.insert(phrase.substr(0, phrase.find(' ')));
    return out;
  }();
  return made.contains(lemma);
}

bool is_end(std::string_view word) {
  static const Words ends(", ; . : ! ?");
  return ends.has(word);
}

bool is_stop(std::string_view word) { return word != "," && is_end(word); }

bool stands_behind(std::string_view lemma) {
  static const Words behind("later afterward afterwards subsequently thereafter");
  return behind.has(lemma);
}

bool is_connective(const Side& side, int unit) {
  const std::string &lemma = side[unit].lemma, &tag = side[unit].tag;
  const std::string_view before = side.word(unit - 1);
  const auto is_one_of = [](std::string_view word, std::initializer_list<std::string_view> some) {
    return std::ranges::find(some, word) != some.end();
  };
  if (lemma == "so") return unit == 0 || is_one_of(before, {",", ";", "and"});
  if (is_one_of(lemma, {"cause", "precede", "follow", "trigger"})) return tag.starts_with("VB");
  if (lemma == "then") return is_one_of(before, {",", ";", "and", ".", "only", "but"});
  if (stands_behind(lemma)) {
    const std::string_view after = side.word(unit + 1);
    return is_one_of(before, {",", ";", "and", "."}) || after.empty() || is_end(after);
  }
  if (lemma == "once") return tag == "IN";
  if (lemma == "as") {
    if (tag != "IN" || (unit > 0 && before != ",")) return false;
    for (int on = 1; on <= 3; ++on)
      if (side.word(unit + on) == "as") return false;
    return true;
  }
  if (lemma == "if") {
    static const Words asking("know ask wonder see decide check sure doubt determine as even");
    return unit == 0 || !asking.has(side[unit - 1].lemma);
  }
  if (side[unit].word == "provided") {  // a conjunction before a clause, not "was provided"
    static const Words subjects("the a an it they he she you we i there no nobody");
    return before == "," || (subjects.has(side.word(unit + 1)) && side.lemma(unit - 1) != "be" &&
                             side.lemma(unit - 1) != "have");
  }
  if (is_one_of(lemma, {"following", "besides", "upon"}))
    return is_one_of(tag, {"IN", "VBG", "VBN", "RB"});
  if (lemma == "throughout") return true;
  return is_one_of(tag, {"IN", "RB", "WRB"}) || lemma == "because" || lemma == "although";
}

// The units up to the end of the clause; of "he left and ate afterwards" those before.
Stretch follows(const Side& side, int begin, int end) {
  int stop = end;
  while (stop < side.size() && !is_end(side[stop].word)) ++stop;
  if (stop == end && stands_behind(side[begin].lemma)) {
    int start = begin;
    while (start > 0 && !is_end(side[start - 1].word) && side[start - 1].word != "and") --start;
    return {start, begin};
  }
  return {end, stop};
}

// The other end of the relation: the clause before, or that after a comma.
Stretch others(const Side& side, int begin, Stretch follows) {
  const int start = std::min(begin, follows.begin);
  if (start == 0 || is_stop(side[start - 1].word)) {
    int stop = follows.end + 1;
    while (stop < side.size() && !is_stop(side[stop].word)) ++stop;
    return {std::min(follows.end, side.size()), std::min(stop, side.size())};
  }
  int first = start;
  while (first > 0 && !is_stop(side[first - 1].word)) --first;
  return {first, start};
}

std::optional<Connective> connective_at(const Side& side, int place) {
  const bool provided = side[place].word == "provided";  // its lemma is that of the verb
  if (!provided && !can_begin_connective(side[place].lemma)) return {};
  std::string phrase;
  std::vector<std::string> phrases;
  for (int length = 1; length <= std::min(longest_connective, side.size() - place); ++length) {
    if (length > 1) phrase += ' ';
    phrase += provided && length == 1 ? side[place].word : side[place + length - 1].lemma;
    phrases.push_back(phrase);
  }
  for (int length = static_cast<int>(phrases.size()); length > 0; --length) {
    const auto known = connectives().find(phrases[static_cast<std::size_t>(length - 1)]);
    if (known == connectives().end() || (length == 1 && !is_connective(side, place))) continue;
    const int end = place + length;
    const Class& one = *known->second;
    if (one.name == "more" && side.is_number(end)) continue;  // more than 200
    const bool reversed = one.name == "time" && side.word(end) == "by";  // is followed by
    const Stretch behind = follows(side, place, end);
    return Connective{place,  end, one.name, reversed ? -one.direction : one.direction,
                      behind, others(side, place, behind)};
  }
  return {};
}

std::vector<Connective> find_connectives(const Side& side) {
  std::vector<Connective> found;
  for (int place = 0; place < side.size();) {
    const auto one = connective_at(side, place);
    if (one) found.push_back(*one);
    place = one ? one->end : place + 1;
  }
  return found;
}

// Content that is on the same end of both connectives, and on different ends.
std::pair<double, double> contents(const Pair& pair, const Connective& one,
                                   const Connective& other) {
  double kept = 0, changed = 0;
  for (int i = 0; i < pair.a.size(); ++i) {
    const int j = pair.to_b(i);
    if (j < 0 || !pair.a[i].content) continue;
    if ((one.begin <= i && i < one.end) || (other.begin <= j && j < other.end)) continue;
    if ((one.follows.has(i) && other.follows.has(j)) || (one.others.has(i) && other.others.has(j)))
      kept += pair.a[i].weight;
    else if ((one.follows.has(i) && other.others.has(j)) ||
             (one.others.has(i) && other.follows.has(j)))
      changed += pair.a[i].weight;
  }
  return {kept, changed};
}

void compare(Calls& calls, const Connective& one, const Connective& other) {
  static const Words symmetric("during while besides as when");
  if (symmetric.has(one.name) || one.follows.empty() || other.follows.empty() ||
      calls.pair.sameness() < least_relation_same)
    return;
  auto [kept, changed] = contents(calls.pair, one, other);
  if (one.direction != other.direction) std::swap(kept, changed);
  const Stretch a{one.begin, one.end}, b{other.begin, other.end};
  if (changed >= wrong_content && changed > 3 * kept)
    calls.add(Kind::relation, Verdict::contradicted, 0.8, a, b);
  else if (one.direction != other.direction && kept >= wrong_content && kept > 2 * changed)
    calls.add(Kind::relation, Verdict::equivalent, 0.8, a, b);
}

const Connective* within(const std::vector<Connective>& some, Stretch units) {
  for (const Connective& one : some)
    if (units.has(one.begin)) return &one;
  return nullptr;
}

bool is_conditional(std::string_view name) {
  static const Words made("condition exception requirement any_case");
  return made.has(name);
}

// "Only" before the verb and "if" behind it: it will only work if.
bool is_restricted(const Side& side, const Connective& one) {
  static const Words conditions("if when once after");
  if (!conditions.has(side[one.begin].word)) return false;
  for (int unit = one.begin - 1; unit >= std::max(0, one.begin - 7); --unit) {
    if (is_end(side[unit].word)) return false;
    if (side[unit].word == "only")
      return side[unit + 1].tag == "MD" || side.tagged(unit + 1, "VB") || unit + 1 == one.begin;
  }
  return false;
}

// How many negations stand outside the connective.
std::size_t denials(const Side& side, const Connective& one) {
  const auto cues = negations(side);
  return static_cast<std::size_t>(std::ranges::count_if(cues, [&](const Cue& cue) {
    return cue.unit < one.begin || cue.unit >= one.end;
  }));
}

// Only if, unless, even if: each says another thing of the same condition.
void find_conditions(Calls& calls, const std::vector<Connective>& mine,
                     const std::vector<Connective>& theirs) {
  const Pair& pair = calls.pair;
  if (pair.sameness() < least_condition_same) return;
  const auto name_of = [](const Side& side, const Connective& one) {
    return is_restricted(side, one) ? std::string_view("requirement") : one.name;
  };
  // Whether the other text says the same of the same condition.
  const auto has_twin = [&](const Connective& one, const std::vector<Connective>& some, bool in_a) {
    return std::ranges::any_of(some, [&](const Connective& other) {
      const Connective &x = in_a ? one : other, &y = in_a ? other : one;
      return name_of(pair.a, x) == name_of(pair.b, y) && pair.same(x.end, y.end);
    });
  };
  for (const Connective& one : mine)
    for (const Connective& other : theirs) {
      const std::string_view x = name_of(pair.a, one), y = name_of(pair.b, other);
      if (x == y || !is_conditional(x) || !is_conditional(y)) continue;
      if (has_twin(one, theirs, true) || has_twin(other, mine, false)) continue;
      const auto are = [&](std::string_view p, std::string_view q) {
        return (x == p && y == q) || (x == q && y == p);
      };
      if (are("condition", "requirement") || are("condition", "any_case")) continue;
      const Stretch a{one.begin, one.end}, b{other.begin, other.end};
      const auto [kept, changed] = contents(pair, one, other);
      if (kept < least_condition_content || changed > kept || !calls.free(a, b)) continue;
      const bool even = denials(pair.a, one) % 2 == denials(pair.b, other) % 2;
      bool opposite = false;
      for (int i = one.follows.begin; i < one.follows.end; ++i)
        opposite = opposite || pair.kind(i) == Likeness::opposite;
      if (are("requirement", "any_case") || even != opposite)
        calls.add(Kind::relation, Verdict::contradicted, 0.8, a, b);
    }
}

// A connective of another class or direction in the same place.
void find_replaced(Calls& calls, const std::vector<Connective>& mine,
                   const std::vector<Connective>& theirs) {
  for (const Slot& slot : calls.pair.slots()) {
    if (!slot.closed || slot.tight < least_relation_tight || !calls.free(slot.a, slot.b)) continue;
    if (calls.pair.sameness() < least_replaced_same) continue;
    const Connective *one = within(mine, slot.a), *other = within(theirs, slot.b);
    if (!one || !other) continue;
    if (one->direction == other->direction &&
        (one->name == other->name || compatible().has(one->name, other->name)))
      continue;
    if (is_conditional(one->name) && is_conditional(other->name)) continue;
    calls.add(Kind::relation, Verdict::contradicted, 0.4 + 0.6 * slot.tight,
              {one->begin, one->end}, {other->begin, other->end});
  }
}

bool are_same_words(const Pair& pair, const Connective& one, const Connective& other) {
  if (one.end - one.begin != other.end - other.begin) return false;
  for (int step = 0; step < one.end - one.begin; ++step)
    if (pair.a[one.begin + step].lemma != pair.b[other.begin + step].lemma) return false;
  return true;
}

}  // namespace

void find_relations(Calls& calls) {
  const Pair& pair = calls.pair;
  const auto mine = find_connectives(pair.a), theirs = find_connectives(pair.b);
  if (mine.empty() || theirs.empty()) return;
  find_conditions(calls, mine, theirs);
  find_replaced(calls, mine, theirs);
  for (const Connective& one : mine) {
    std::vector<const Connective*> same;
    for (const Connective& other : theirs)
      if (other.name == one.name) same.push_back(&other);
    if (same.size() > 1)  // of several the one with the same words
      std::erase_if(same, [&](const Connective* o) { return !are_same_words(pair, one, *o); });
    if (same.size() == 1 &&
        calls.free({one.begin, one.end}, {same[0]->begin, same[0]->end}))
      compare(calls, one, *same[0]);
  }
}

}  // namespace otherwords::facts
