// Roles: two phrases that have changed places around the same predicate.
#include <algorithm>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

constexpr double almost_all = 0.9;  // share of content the same where two neighbours are enough
constexpr int longest_moved = 5;    // words of a phrase that changes places
constexpr int farthest = 12;        // units between two phrases

// What may stand between two phrases whose order does not matter.
bool is_order_free(std::string_view lemma) {
  static const Words made("and or , ; & plus be as well the a an both nor / -");
  return made.has(lemma);
}

bool is_listing(std::string_view word) {
  static const Words made(", and or ( ) ; / &");
  return made.has(word);
}

bool ends_sentence(std::string_view word) {
  return word == "." || word == "?" || word == "!" || word == ":";
}

bool is_symmetric(std::string_view lemma) {
  static const Words made(
      "between difference compare comparison versus vs v. similar similarity both meet marry equal "
      "resemble differ distinguish either neither different versa relationship relation connection "
      "together combine mix talk speak");
  return made.has(lemma);
}

// Units [a, a + size) that stand in the same order as [b, b + size).
struct Chunk {
  int a, b, size;

  int end_a() const { return a + size; }
  int end_b() const { return b + size; }
};

// Runs of links that keep the order, from left to right.
std::vector<Chunk> chunks_of(const Pair& pair) {
  std::vector<Chunk> chunks;
  for (int i = 0; i < pair.a.size(); ++i) {
    if (!pair.is_same_word(i)) continue;
    const int j = pair.to_b(i);
    if (!chunks.empty() && chunks.back().end_a() == i && chunks.back().end_b() == j)
      ++chunks.back().size;
    else
      chunks.push_back({i, j, 1});
  }
  return chunks;
}

bool has_content(const Side& side, const Chunk& chunk) {
  for (int unit = chunk.a; unit < chunk.end_a(); ++unit)
    if (side[unit].content && !side.tagged(unit, "FW")) return true;
  return false;
}

bool is_nominal(const Side& side, const Chunk& chunk) {
  for (int unit = chunk.a; unit < chunk.end_a(); ++unit)
    if (side.tagged(unit, "NN")) return true;
  return false;
}

bool are_same(const Side& side, int one, int other, int length) {
  for (int step = 0; step < length; ++step)
    if (other + step < 0 || side.word(one + step).empty() ||
        side.word(one + step) != side.word(other + step))
      return false;
  return true;
}

// Whether X and Y stand in two phrases that are joined and alike apart from them: black tea or
// green tea.
bool are_coordinated(const Side& side, const Chunk& x, const Chunk& y) {
  for (int place = x.end_a(); place < y.a; ++place) {
    if (side[place].word != "and" && side[place].word != "or") continue;
    const int behind_x = place - x.end_a(), before_y = y.a - place - 1;
    if (!are_same(side, x.end_a(), y.end_a(), behind_x)) return false;
    if (x.a - before_y >= 0 && are_same(side, place + 1, x.a - before_y, before_y)) return true;
    static const Words degrees("so very even also only more most just");
    for (int unit = place + 1; unit < y.a; ++unit)
      if (!is_order_free(side[unit].word) && !degrees.has(side[unit].word)) return false;
    return true;
  }
  return false;
}

// Whether a participle with a form of be, and then by, stands among the units.
bool is_passive(const Side& side, Stretch units) {
  bool by = false, participle = false;
  for (int unit = units.begin; unit < units.end; ++unit) {
    by = by || side[unit].word == "by";
    participle = participle || side[unit].tag == "VBN" || side[unit].tag == "VBD";
  }
  return by && participle;
}

// Whether X and Y have each other's neighbours, and the words between them differ.
bool have_changed(const Pair& pair, const Chunk& x, const Chunk& y) {
  const Stretch between_a{x.end_a(), y.a}, between_b{y.end_b(), x.b};
  bool around = false, verb = false;
  for (int unit = between_a.begin; unit < between_a.end; ++unit)
    if (pair.to_b(unit) >= 0 && between_b.has(pair.to_b(unit))) {
      around = true;
      verb = verb || pair.a.tagged(unit, "VB");
    }
  if (!around) return false;
  verb = verb && pair.sameness() >= almost_all;
  const int frame = pair.linked(x.a - 1, y.b - 1) + pair.linked(x.end_a(), y.end_b()) +
                    pair.linked(y.a - 1, x.b - 1) + pair.linked(y.end_a(), x.end_b());
  if (frame < (verb && is_nominal(pair.a, x) && is_nominal(pair.a, y) ? 2 : 3)) return false;
  bool joining = true;
  for (int unit = between_a.begin; unit < between_a.end; ++unit) {
    if (ends_sentence(pair.a[unit].word)) return false;
    joining = joining && is_order_free(pair.a[unit].lemma);
  }
  if (joining || are_coordinated(pair.a, x, y)) return false;
  if (is_listing(pair.a[between_a.begin].word) && is_listing(pair.a[between_a.end - 1].word))
    return false;
  for (int unit = std::max(0, x.a - 6); unit < std::min(pair.a.size(), y.end_a() + 2); ++unit)
    if (is_symmetric(pair.a[unit].lemma)) return false;
  return is_passive(pair.a, between_a) == is_passive(pair.b, between_b);
}

// The noun after "by" of a passive verb, -1 if there is none.
int agent_of(const Side& side, int verb) {
  const std::string& tag = side[verb].tag;
  if ((tag != "VBN" && tag != "VBD") || verb + 2 >= side.size()) return -1;
  bool passive = false;
  for (int unit = std::max(0, verb - 3); unit < verb; ++unit)
    passive = passive || side[unit].lemma == "be" || side[unit].lemma == "get";
  if (!passive) return -1;
  for (int by = verb + 1; by < std::min(side.size() - 1, verb + 7); ++by) {
    if (side[by].word == "by") {
      for (int unit = by + 1; unit < std::min(side.size(), by + 5); ++unit)
        if (side.tagged(unit, "NN")) return unit;
      return -1;
    }
    if (side.tagged(by, "VB") || ends_sentence(side[by].word) || side[by].word == ",") return -1;
  }
  return -1;
}

// The nearest noun before the verb, -1 if there is none.
int subject_of(const Side& side, int verb) {
  for (int unit = verb - 1; unit > std::max(-1, verb - 5); --unit)
    if (side.tagged(unit, "NN")) return unit;
  return -1;
}

// The same verb between the same phrases, active in one text and passive in the other.
void find_voices(Calls& calls) {
  const Pair& pair = calls.pair;
  for (int i = 0; i < pair.a.size(); ++i) {
    if (!pair.is_same_word(i) || !pair.a.tagged(i, "VB")) continue;
    const int j = pair.to_b(i);
    const int one = agent_of(pair.a, i), other = agent_of(pair.b, j);
    if ((one < 0) == (other < 0)) continue;
    bool kept = false;
    if (one >= 0) {
      const int agent = pair.to_b(one), subject = subject_of(pair.b, j);
      kept = 0 <= subject && subject < j && j < agent && pair.to_a(subject) >= 0 &&
             pair.to_a(subject) < i;
    } else {
      const int agent = pair.to_a(other), subject = subject_of(pair.a, i);
      kept = 0 <= subject && subject < i && i < agent && pair.to_b(subject) >= 0 &&
             pair.to_b(subject) < j;
    }
    if (kept && calls.free(i, j)) {
      calls.add(Kind::roles, Verdict::contradicted, 0.8, one_unit(i), one_unit(j));
      return;
    }
  }
}

// The unit near the two that is linked to its opposite, -1 if there is none.
int converse_near(const Pair& pair, const Chunk& x, const Chunk& y) {
  for (int unit = std::max(0, x.a - 4); unit < std::min(pair.a.size(), y.end_a() + 2); ++unit)
    if (pair.kind(unit) == Likeness::opposite) return unit;
  return -1;
}

}  // namespace

void find_roles(Calls& calls) {
  const Pair& pair = calls.pair;
  const auto chunks = chunks_of(pair);
  for (std::size_t k = 0; chunks.size() >= 3 && k < chunks.size(); ++k) {
    const Chunk& x = chunks[k];
    if (x.size > longest_moved || !has_content(pair.a, x)) continue;
    for (std::size_t l = k + 1; l < chunks.size(); ++l) {
      const Chunk& y = chunks[l];
      if (y.a - x.end_a() > farthest) break;
      if (y.b >= x.b || y.size > longest_moved || !has_content(pair.a, y)) continue;
      if (!have_changed(pair, x, y)) continue;
      if (!calls.free_a({x.a, y.end_a()})) return;  // a relation whose ends are exchanged
      const int unit = converse_near(pair, x, y);
      if (unit < 0)
        calls.add(Kind::roles, Verdict::contradicted, 0.8, {x.a, y.end_a()}, {y.b, x.end_b()});
      else  // taller and shorter, before and after
        calls.add(Kind::roles, Verdict::equivalent, 0.8, one_unit(unit),
                  one_unit(pair.to_b(unit)));
      return;
    }
  }
  find_voices(calls);
}

}  // namespace otherwords::facts
