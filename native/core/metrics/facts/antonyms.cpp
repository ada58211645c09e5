// Opposites: a word linked to its antonym, or to another member of an exclusive category.
#include <algorithm>
#include <string>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

constexpr double sure_context = 0.34;  // from which on opposites contradict each other

// The degree of comparison in which a word is meant.
enum class Degree { base, more, less, most, least };

bool are(std::string_view a, std::string_view b, std::string_view x, std::string_view y) {
  return (a == x && b == y) || (a == y && b == x);
}

bool are(Degree a, Degree b, Degree x, Degree y) {
  return (a == x && b == y) || (a == y && b == x);
}

Kind kind_of(const Lists& lists, const std::string& a, const std::string& b) {
  static const Words units("length mass time volume money power");
  const auto mine = lists.category(a), theirs = mine ? lists.category(b) : std::nullopt;
  if (!theirs || mine->name != theirs->name) return Kind::antonym;
  const std::string_view name = mine->name;
  if (name == "month" || name == "weekday" || name == "day" || name == "season" ||
      name == "part of day")
    return Kind::date;
  return units.has(name) ? Kind::unit : Kind::antonym;
}

// Whether "to" and "from" go with verbs such as sell and buy.
bool is_converse(const Pair& pair, int i, const std::vector<int>& linked) {
  const std::string_view a = pair.a.word(i), b = pair.b.word(pair.to_b(i));
  if (!are(a, b, "to", "from") && !are(a, b, "by", "to") && !are(a, b, "towards", "from") &&
      !are(a, b, "toward", "from"))
    return false;
  return std::ranges::any_of(linked, [&](int unit) {
    return pair.a.lists->are_converse(pair.a[unit].lemma, pair.b[pair.to_b(unit)].lemma);
  });
}

bool is_passive_verb(const Side& side, int verb) {
  if (side[verb].tag != "VBN" && side[verb].tag != "VBD") return false;
  for (int unit = verb - 1; unit >= std::max(0, verb - 3); --unit)
    if (side[unit].lemma == "be" || side[unit].lemma == "get") return true;
  return false;
}

bool is_denied(const std::vector<Cue>& cues, int unit) {
  return std::ranges::any_of(cues, [&](const Cue& cue) {
    const std::size_t count = std::min<std::size_t>(2, cue.scope.size());
    return std::find(cue.scope.begin(), cue.scope.begin() + static_cast<std::ptrdiff_t>(count),
                     unit) != cue.scope.begin() + static_cast<std::ptrdiff_t>(count);
  });
}

Degree degree(const Side& side, int unit) {
  const std::string_view before = side.word(unit - 1);
  if (before == "more") return Degree::more;
  if (before == "less" || before == "fewer") return Degree::less;
  if (before == "most") return Degree::most;
  if (before == "least") return Degree::least;
  const std::string& tag = side[unit].tag;
  if (tag == "JJR" || tag == "RBR") return Degree::more;
  if (tag == "JJS" || tag == "RBS") return Degree::most;
  return Degree::base;
}

}  // namespace

void find_antonyms(Calls& calls) {
  const Pair& pair = calls.pair;
  std::vector<int> linked;
  for (int i = 0; i < pair.a.size(); ++i)
    if (pair.kind(i) == Likeness::opposite) linked.push_back(i);
  if (linked.empty()) return;
  const auto cues_a = negations(pair.a), cues_b = negations(pair.b);
  static const Words particles("on off in out up down");
  for (const int i : linked) {
    const int j = pair.to_b(i);
    if (!calls.free(i, j) || is_converse(pair, i, linked)) continue;
    const double context = pair.context(i, j);
    const std::string_view a = pair.a.word(i), b = pair.b.word(j);
    const Stretch one = one_unit(i), other = one_unit(j);
    if (are(a, b, "if", "unless") && cues_a.size() == cues_b.size()) {  // if not, unless
      calls.add(Kind::negation, Verdict::equivalent, 0.7, one, other);
      continue;
    }
    if (are(a, b, "ever", "never")) {  // did not ever, never
      const auto& cues = a == "ever" ? cues_a : cues_b;
      if (!cues.empty()) {
        calls.add(Kind::negation, Verdict::equivalent, 0.7, one, other);
        continue;
      }
    }
    if (pair.a.lists->are_converse(pair.a[i].lemma, pair.b[j].lemma) &&
        is_passive_verb(pair.a, i) != is_passive_verb(pair.b, j)) {  // was given, received
      calls.add(Kind::roles, Verdict::equivalent, 0.7, one, other);
      continue;
    }
    const bool next = std::ranges::find(linked, i + 1) != linked.end();
    if (are(a, b, "more", "less") && next && pair.to_b(i + 1) == j + 1) {  // more slowly, less fast
      calls.add(Kind::antonym, Verdict::equivalent, 0.7, one, other);
      continue;
    }
    if (particles.has(a) && particles.has(b) && !pair.same(i - 1, j - 1)) continue;
    const Degree x = degree(pair.a, i), y = degree(pair.b, j);
    const bool reversed = are(x, y, Degree::more, Degree::less) ||
                          are(x, y, Degree::most, Degree::least) ||
                          are(x, y, Degree::base, Degree::less);
    const Kind kind = kind_of(*pair.a.lists, pair.a[i].lemma, pair.b[j].lemma);
    if (is_denied(cues_a, i) != is_denied(cues_b, j) || reversed)
      calls.add(Kind::negation, Verdict::equivalent, 0.7, one, other);
    else if (context >= sure_context)
      calls.add(kind, Verdict::contradicted, 0.5 + 0.5 * context, one, other);
    else
      calls.add(kind, Verdict::unknown, 0.3 + 0.3 * context, one, other);
  }
}

}  // namespace otherwords::facts
