// Tense: when something happens, in texts that are otherwise the same: it is being done, it has been
// done, it will be done, it was done.
#include <algorithm>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/phrases.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

enum class Tense { none, present, running, perfect, past, before_past, future };

constexpr double least_tense_frame = 0.9, least_tense_same = 0.7;
constexpr int longest_verb_group = 6;
constexpr double changed_tense_weight = 0.7;

bool is_verb(const Side& side, int unit) { return side.tagged(unit, "VB"); }

bool is_one(std::string_view word, const Words& some) { return some.has(word); }

// The first unit of the verb's group: will have been, is being, did not.
int group_begin(const Side& side, int verb) {
  static const Words helpers("be have do will shall would");
  int begin = verb;
  while (begin > 0 && verb - begin < longest_verb_group) {
    const Unit& before = side[begin - 1];
    const bool adverb = before.tag == "RB" || before.tag == "RBR";
    const bool helper = helpers.has(before.lemma) || before.tag == "MD" || before.word == "'ll" ||
                        before.word == "'ve" || before.word == "'re" || before.word == "'m" ||
                        before.word == "'s" || before.word == "'d";
    const bool going = before.word == "to" && begin > 1 &&
                       (side[begin - 2].word == "going" || side[begin - 2].word == "used" ||
                        side[begin - 2].word == "about");
    const bool to = (before.word == "going" || before.word == "used" || before.word == "about") &&
                    side[begin].word == "to";
    if (!adverb && !helper && !going && !to) break;
    --begin;
  }
  // "Did you see": the auxiliary stands before the subject.
  while (begin < verb && (side[begin].tag == "RB" || side[begin].tag == "RBR")) ++begin;
  return begin;
}

// "Had he come": the auxiliary stands before the subject.
bool is_inverted(const Side& side, int begin) {
  static const Words first("had were should did do does is are was has have");
  static const Words ends(", ; . : and but");
  int start = begin;
  while (start > 0 && !ends.has(side[start - 1].word)) --start;
  return start < begin && first.has(side[start].word);
}

Tense tense_of(const Side& side, Stretch group) {
  static const Words will("will 'll shall wo");
  static const Words is("is are am 're 'm");
  static const Words was("was were");
  static const Words has("has have 've");
  const int verb = group.end - 1;
  bool modal = false, future = false, running = false, done = false, done_before = false;
  bool past = false, used = false;
  const bool follows_be = verb > 0;
  for (int unit = group.begin; unit < verb; ++unit) {
    const std::string_view word = side[unit].word;
    const std::string& tag = side[verb].tag;
    if (is_one(word, will)) future = true;
    else if (side[unit].tag == "MD") modal = true;
    else if (word == "going" && side.word(unit + 1) == "to") future = true;
    else if (word == "used" && side.word(unit + 1) == "to") used = true;
    else if (word == "about" && side.word(unit + 1) == "to") future = true;
    else if (word == "to") continue;
    else if (word == "being") running = true;
    else if (is_one(word, has)) done = true;
    else if (word == "had") done_before = true;
    else if (word == "did" || is_one(word, was)) past = true;
    else if (word == "'d") modal = true;
    else if (word == "'s" && follows_be) {
      if (tag == "VBN" || side.word(unit + 1) == "been") return Tense::none;  // is or has
    }
  }
  if (modal) return Tense::none;
  if (used) return Tense::past;
  if (past && future) return Tense::none;  // was going to
  if (future) return Tense::future;
  const std::string& tag = side[verb].tag;
  if (side[verb].word == "'s" || is_inverted(side, group.begin)) return Tense::none;
  if (group.begin == verb) {
    if (verb > 0 && (side[verb - 1].word == "to" || side[verb - 1].tag == "MD")) return Tense::none;
    if (tag == "VBZ" || tag == "VBP") return Tense::present;
    if (tag == "VBD") return Tense::past;
    return Tense::none;
  }
  const bool participle = tag == "VBN" || tag == "VBD" || side[verb].word == "been";
  if (done_before) return participle || tag == "VBG" ? Tense::before_past : Tense::none;
  if (done) return participle ? Tense::perfect : tag == "VBG" ? Tense::running : Tense::none;
  if (past) return Tense::past;
  if (running || tag == "VBG") return Tense::running;
  return Tense::present;
}

// Whether the text says in which future something is: "leaves tomorrow" and "will leave tomorrow".
bool has_future_time(const Side& side) {
  static const Words times(
      "tomorrow tonight next soon shortly later coming upcoming if when unless once until till before "
      "after by whenever as");
  return std::ranges::any_of(side.units, [](const Unit& unit) {
    if (times.has(unit.word)) return true;
    const auto known = category(unit.lemma);
    return known && (known->name == "month" || known->name == "weekday" || known->name == "season" ||
                     known->name == "part of day" || known->name == "day");
  });
}

// Whether somebody says or thinks what follows: its tense follows that of the report.
bool is_reported(const Side& side, int verb) {
  static const Words reports(
      "say tell claim believe think know show report state argue add explain announce insist suggest "
      "warn note find hope fear feel write admit deny agree reveal confirm complain promise expect "
      "estimate warn accord predict conclude hear learn understand suppose realise realize "
      "ask wonder mean ensure remember forget notice see decide assume");
  for (int unit = 0; unit < verb; ++unit)
    if (reports.has(side[unit].lemma) && (side.tagged(unit, "VB") || side[unit].lemma == "accord"))
      return true;
  for (int unit = verb + 1; unit < side.size(); ++unit)
    if (side[unit].word == "," || side[unit].word == "\"" || side[unit].word == "''")
      for (int on = unit + 1; on < std::min(side.size(), unit + 5); ++on)
        if (reports.has(side[on].lemma) && side.tagged(on, "VB")) return true;
  return false;
}

bool exclude(Tense one, Tense other, bool future_time) {
  if (one > other) std::swap(one, other);
  if (one == Tense::none || one == other) return false;
  if (other == Tense::future)
    return one == Tense::perfect || one == Tense::past || one == Tense::before_past || !future_time;
  if (one == Tense::present) return other == Tense::past || other == Tense::before_past;
  if (one == Tense::running) return other != Tense::present;
  return one == Tense::perfect && other == Tense::before_past;
}

// Whether the unit only helps another verb that follows.
bool is_helper(const Side& side, int unit) {
  if (!auxiliaries().has(side[unit].lemma)) return false;
  for (int on = unit + 1; on < std::min(side.size(), unit + 4); ++on) {
    if (side[on].tag == "RB" || side[on].word == "to") continue;
    return is_verb(side, on);
  }
  return false;
}

}  // namespace

void find_tenses(Calls& calls) {
  const Pair& pair = calls.pair;
  if (pair.sameness() < least_tense_same) return;
  for (int i = 0; i < pair.a.size(); ++i) {
    const int j = pair.to_b(i);
    if (j < 0 || !pair.is_same_word(i) || !is_verb(pair.a, i) || !is_verb(pair.b, j)) continue;
    if (is_helper(pair.a, i) || is_helper(pair.b, j)) continue;
    const Stretch one{group_begin(pair.a, i), i + 1}, other{group_begin(pair.b, j), j + 1};
    if (!calls.free(one, other)) continue;
    const bool later = has_future_time(pair.a) || has_future_time(pair.b);
    if (!exclude(tense_of(pair.a, one), tense_of(pair.b, other), later)) continue;
    if (is_reported(pair.a, i) || is_reported(pair.b, j)) continue;
    if (!is_same_outside(pair, one, other, least_tense_frame)) continue;
    calls.add(Kind::tense, Verdict::contradicted, changed_tense_weight, one, other);
  }
}

}  // namespace otherwords::facts
