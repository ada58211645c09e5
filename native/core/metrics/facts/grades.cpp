// Degree: adverbs on a scale from hardly to completely; steps far apart contradict.
#include <algorithm>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/phrases.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

enum Grade {
  hardly_so, slightly_so, fairly_so, very_so, almost_so, completely_so, enough_so,
  more_than_enough_so,
};

constexpr PhraseClass grades[] = {
    {"barely|hardly|scarcely|not very|hardly at all|not particularly|not especially"},
    {"slightly|a little|a bit|a tiny bit|a little bit|a touch|a shade|mildly|marginally|somewhat|"
     "modestly|faintly|vaguely|loosely|only slightly|very slightly|ever so slightly|partly|partially|"
     "in part|lightly|to some extent|to some degree|minimally|only just|only partly|a tad|remotely"},
    {"fairly|rather|reasonably|moderately|relatively|tolerably|comparatively|more or less"},
    {"very|highly|extremely|hugely|deeply|terribly|bitterly|radically|dramatically|greatly|"
     "enormously|considerably|significantly|remarkably|immensely|intensely|seriously|severely|"
     "profoundly|exceptionally|exceedingly|vastly|strongly|heavily|sharply|fiercely|awfully|"
     "incredibly|unusually|overwhelmingly|massively|wildly|badly|drastically|substantially|"
     "desperately|by far|a great deal"},
    {"almost|nearly|practically|virtually|just about|as good as|close to|not quite|"
     "almost completely|almost entirely|nearly completely|practically completely|"
     "almost wholly|almost totally|not wholly|not entirely|not completely|not fully|not totally"},
    {"completely|entirely|utterly|totally|absolutely|wholly|fully|perfectly|thoroughly|in full|"
     "in its entirety|in their entirety|all the way|altogether|flawlessly|to a cinder|"
     "one hundred percent|from start to finish|in every respect"},
    {"just enough|barely enough|only just enough|scarcely enough"},
    {"more than enough|plenty"},
};

constexpr double least_grade_frame = 0.9, least_grade_same = 0.5;
constexpr double all_same_frame = 0.97;  // where the adverbs may stand in other places
constexpr double grade_weight = 0.8;

bool are_apart(int a, int b) {
  const int low = std::min(a, b), high = std::max(a, b);
  if (high >= enough_so) return low == enough_so && high == more_than_enough_so;
  switch (low) {
    case hardly_so: return high >= fairly_so;
    case slightly_so: return high >= very_so;
    case fairly_so: return high == completely_so;
    case almost_so: return high == completely_so;
    default: return false;
  }
}

// The word whose degree it is: the one behind, or that before at the end of a clause.
int graded(const Side& side, Stretch units) {
  const int behind = units.end;
  if (behind < side.size() && side[behind].content) return behind;
  return content_before(side, units.begin - 1);
}

// "Just long enough" and "more than long enough".
void find_enough(Calls& calls) {
  const Pair& pair = calls.pair;
  const auto amount = [](const Side& side, int enough) {
    for (int back = 1; back <= 3; ++back) {
      const std::string_view word = side.word(enough - back);
      if (word == "just" || word == "barely" || word == "scarcely" || word == "hardly") return 1;
      if (word == "than" && side.word(enough - back - 1) == "more") return 2;
    }
    return 0;
  };
  for (int i = 0; i < pair.a.size(); ++i) {
    if (pair.a[i].word != "enough" || !pair.is_same_word(i)) continue;
    const int j = pair.to_b(i);
    const int one = amount(pair.a, i), other = amount(pair.b, j);
    if (one && other && one != other && calls.free(i, j))
      calls.add(Kind::degree, Verdict::contradicted, grade_weight, one_unit(i), one_unit(j));
  }
}

}  // namespace

void find_grades(Calls& calls) {
  static const Phrases known(grades);
  const Pair& pair = calls.pair;
  if (pair.sameness() < least_grade_same) return;
  find_enough(calls);
  auto mine = known.in(pair.a);
  if (mine.empty()) return;
  auto theirs = known.in(pair.b);
  drop_twins(pair, mine, theirs);
  for (const Phrase& one : mine)
    for (const Phrase& other : theirs) {
      if (!are_apart(one.number, other.number) || !calls.free(one.units, other.units)) continue;
      if (is_same_outside(pair, one.units, other.units, all_same_frame)) {
        calls.add(Kind::degree, Verdict::contradicted, grade_weight, one.units, other.units);
        continue;
      }
      const int i = graded(pair.a, one.units), j = graded(pair.b, other.units);
      if (i < 0 || j < 0 || pair.to_b(i) != j || is_quantity(pair.a[i].lemma)) continue;
      if (pair.kind(i) == Likeness::opposite) continue;  // slightly cheaper, much less expensive
      const bool beside = pair.same(i, j) && pair.context(i, j) >= 0.34;
      if (beside || is_same_outside(pair, one.units, other.units, least_grade_frame))
        calls.add(Kind::degree, Verdict::contradicted, grade_weight, one.units, other.units);
    }
}

}  // namespace otherwords::facts
