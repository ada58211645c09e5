// Pronouns and questions: small words that change what is said.
#include <algorithm>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/phrases.hpp"
#include "metrics/facts/words.hpp"
#include "text/unicode.hpp"

namespace otherwords::facts {
namespace {

constexpr double least_small_tight = 0.5, least_pronoun_same = 0.3;
constexpr double same_person_tight = 0.66, same_person_frame = 0.93;
constexpr double least_question_same = 0.5;  // otherwise it may be a rhetorical question

// Whether the last mark of the text is a question mark.
bool asks(const Side& side) {
  for (int unit = side.size() - 1; unit >= 0; --unit) {
    const std::string& word = side[unit].word;
    if (word == "?" || word == "." || word == "!" || has_alphanumeric(word)) return word == "?";
  }
  return false;
}

// "Could you pass the salt?" asks for salt.
bool is_request(const Side& side) {
  static const Words verbs("can could would will won might may");
  for (int unit = 0; unit + 1 < side.size(); ++unit)
    if (verbs.has(side[unit].word) &&
        (side[unit + 1].word == "you" || side.word(unit + 2) == "you" ||
         (side[unit + 1].word == "i" && side.word(unit + 2) == "have")))
      return true;
  return false;
}

// "I wonder whether he knows." asks whether he knows.
bool asks_indirectly(const Side& side) {
  static const Words verbs("wonder ask know tell doubt wondering");
  bool asks = false;
  for (int unit = 0; unit < side.size(); ++unit) {
    const std::string_view word = side[unit].word;
    asks = asks || verbs.has(side[unit].lemma) || word == "please";
    if (asks && (word == "whether" || word == "if" || side[unit].tag.starts_with("W"))) return true;
  }
  return false;
}

void find_questions(Calls& calls) {
  const Pair& pair = calls.pair;
  const int a = pair.a.size(), b = pair.b.size();
  if (a == 0 || b == 0 || asks(pair.a) == asks(pair.b)) return;
  const Side& question = asks(pair.a) ? pair.a : pair.b;
  const Side& statement = asks(pair.a) ? pair.b : pair.a;
  if (is_request(question) || asks_indirectly(statement)) return;
  if (pair.sameness() >= least_question_same)
    calls.add(Kind::question, Verdict::contradicted, 0.5 + 0.5 * pair.sameness(), one_unit(a - 1),
              one_unit(b - 1));
  else
    calls.add(Kind::question, Verdict::unknown, 0.3, one_unit(a - 1), one_unit(b - 1));
}

int person(std::string_view word) {
  static const Words persons[] = {
      Words("he him his himself"),
      Words("she her hers herself"),
      Words("i me my mine myself"),
      Words("you your yours yourself"),
      Words("we us our ours ourselves"),
      Words("they them their theirs themselves"),
      Words("it its itself"),
  };
  for (int number = 0; number < 7; ++number)
    if (persons[number].has(word)) return number;
  return -1;
}

// Numbers of `person`.
enum Person { he, she, i_myself, you, we, they, it };

bool are_of_one_thing(int one, int other) {
  return (one == they && other == it) || (one == it && other == they);
}

// Whether nothing but the person differs: they have won, we have won. "You" and "we" can be
// anybody, "they" a single person.
bool is_another(const Pair& pair, const Slot& slot, int one, int other) {
  if (slot.tight < same_person_tight || slot.a.size() != slot.b.size()) return false;
  const int low = std::min(one, other), high = std::max(one, other);
  if (high == it || (low == you && high == we) || (low <= she && high == they)) return false;
  return is_same_outside(pair, slot.a, slot.b, same_person_frame);
}

void find_pronouns(Calls& calls, const Slot& slot) {
  const Pair& pair = calls.pair;
  for (int i = slot.a.begin; i < slot.a.end; ++i) {
    const int one = person(pair.a[i].word);
    if (one < 0) continue;
    for (int j = slot.b.begin; j < slot.b.end; ++j) {
      const int other = person(pair.b[j].word);
      if (other < 0 || one == other || !calls.free(i, j)) continue;
      if (are_of_one_thing(one, other)) continue;
      const bool sure = (one <= she && other <= she) || is_another(pair, slot, one, other);
      calls.add(Kind::pronoun, sure ? Verdict::contradicted : Verdict::unknown,
                sure ? 0.4 + 0.6 * slot.tight : 0.4 * slot.tight, one_unit(i), one_unit(j));
    }
  }
}

}  // namespace

void find_small_words(Calls& calls) {
  find_questions(calls);
  for (const Slot& slot : calls.pair.slots())
    if (slot.closed && slot.tight >= least_small_tight &&
        (calls.pair.sameness() >= least_pronoun_same || slot.tight >= same_person_tight) &&
        calls.free(slot.a, slot.b))
      find_pronouns(calls, slot);
}

}  // namespace otherwords::facts
