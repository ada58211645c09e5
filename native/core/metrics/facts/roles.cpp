// Roles: two phrases that have changed places around the same predicate.
#include <algorithm>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

constexpr double almost_all = 0.9;  // share of content the same where two neighbours are enough
constexpr int longest_moved = 5;    // words of a phrase that changes places
constexpr int farthest = 12;        // units between two phrases
constexpr double exchange_share = 0.93;  // of content the same where long phrases change places

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

// What a phrase depends on: the nearest unit before it that is neither article nor possessive.
// -1 if there is none.
int governor_unit(const Side& side, int unit) {
  for (--unit; unit >= 0; --unit) {
    const std::string& tag = side[unit].tag;
    if (tag != "DT" && tag != "PRP$" && tag != "POS" && tag != "PDT" && tag != "JJ" && tag != "CD")
      break;
  }
  return unit;
}

std::string_view governor(const Side& side, int unit) {
  return side.lemma(governor_unit(side, unit));
}

// Whether a phrase that took over a place has another preposition there: blamed the fog for the
// delay, blamed the delay on the fog.
bool has_other_preposition(const Pair& pair, int a, int b) {
  const int one = governor_unit(pair.a, a), other = governor_unit(pair.b, b);
  const auto is_preposition = [](const Side& side, int unit) {
    return unit >= 0 && (side[unit].tag == "IN" || side[unit].tag == "TO");
  };
  if (!is_preposition(pair.a, one) && !is_preposition(pair.b, other)) return false;
  return pair.a.lemma(one) != pair.b.lemma(other);
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
    if (pair.a.lists->symmetric.has(pair.a[unit].lemma)) return false;
  if (has_other_preposition(pair, y.a, x.b)) return false;
  return is_passive(pair.a, between_a) == is_passive(pair.b, between_b);
}

// The unit near the two that is linked to its opposite, -1 if there is none.
int converse_near(const Pair& pair, const Chunk& x, const Chunk& y) {
  for (int unit = std::max(0, x.a - 4); unit < std::min(pair.a.size(), y.end_a() + 2); ++unit)
    if (pair.kind(unit) == Likeness::opposite) return unit;
  return -1;
}

// Words that carry a role: content, and pronouns of persons whatever their case. -1 if it is none.
int role_person(std::string_view word) {
  static const Words persons[] = {Words("i me"), Words("we us"), Words("he him"), Words("she her"),
                                  Words("they them")};
  for (int number = 0; number < 5; ++number)
    if (persons[number].has(word)) return number;
  return -1;
}

bool has_role(const Side& side, int unit) {
  return (side[unit].content && side[unit].weight > 0) ||
         (side[unit].tag == "PRP" && role_person(side[unit].word) >= 0);
}

struct Linked {
  int a, b;
};

// Units of both texts that carry roles and are the same words, in the order of the first text;
// none if much has no partner.
std::vector<Linked> role_links(const Pair& pair) {
  std::vector<Linked> out;
  std::vector<char> taken(pair.b.units.size(), 0);
  double kept = 0;
  for (int i = 0; i < pair.a.size(); ++i) {
    if (!has_role(pair.a, i)) continue;
    int j = pair.to_b(i) >= 0 && pair.is_same_word(i) ? pair.to_b(i) : -1;
    const int person = pair.a[i].content ? -1 : role_person(pair.a[i].word);
    for (int other = 0; j < 0 && person >= 0 && other < pair.b.size(); ++other)
      if (!taken[static_cast<std::size_t>(other)] && pair.to_a(other) < 0 &&
          pair.b[other].tag == "PRP" && role_person(pair.b[other].word) == person)
        j = other;
    if (j < 0 || taken[static_cast<std::size_t>(j)]) continue;
    taken[static_cast<std::size_t>(j)] = 1;
    kept += pair.a[i].weight + pair.b[j].weight;
    out.push_back({i, j});
  }
  if (kept < exchange_share * (pair.a.total + pair.b.total)) out.clear();
  return out;
}

// Two phrases X and Y, however long, that have changed places while all else stayed: P X M Y S is
// P Y M X S. Each takes over what the other depended on; a phrase that only moved keeps it.
bool find_exchange(Calls& calls) {
  const Pair& pair = calls.pair;
  const auto links = role_links(pair);
  const int count = static_cast<int>(links.size());
  if (count < 3) return false;
  std::vector<int> rank(links.size());
  for (std::size_t k = 0; k < links.size(); ++k)
    rank[k] = static_cast<int>(std::ranges::count_if(
        links, [&](const Linked& one) { return one.b < links[k].b; }));
  const auto at = [&](int k) { return rank[static_cast<std::size_t>(k)]; };
  int low = 0, high = count - 1;
  while (low < count && at(low) == low) ++low;
  if (low == count) return false;
  while (at(high) == high) --high;
  int y = low;
  while (at(y) != low) ++y;
  const int size_x = high - at(low) + 1, size_y = high - y + 1;
  const int middle = low + size_x;  // the first of M
  if (middle > y) return false;
  for (int k = low; k <= high; ++k) {
    const int wanted = k < middle ? at(low) + (k - low)
                       : k < y    ? low + size_y + (k - middle)
                                  : low + (k - y);
    if (at(k) != wanted) return false;
  }
  const auto unit_a = [&](int k) { return links[static_cast<std::size_t>(k)].a; };
  const auto unit_b = [&](int k) { return links[static_cast<std::size_t>(k)].b; };
  const auto nominal = [&](int from, int to) {
    for (int k = from; k < to; ++k)
      if (pair.a.tagged(unit_a(k), "NN") || pair.a[unit_a(k)].tag == "PRP") return true;
    return false;
  };
  if (!nominal(low, middle) || !nominal(y, high + 1)) return false;
  const std::string_view x_there = governor(pair.a, unit_a(low));
  const std::string_view y_there = governor(pair.a, unit_a(y));
  if (x_there != governor(pair.b, unit_b(y)) || y_there != governor(pair.b, unit_b(low)))
    return false;
  if (x_there == y_there && middle == y) return false;
  const Stretch between_a{unit_a(middle - 1) + 1, unit_a(y)};
  const Stretch between_b{unit_b(high) + 1, unit_b(low)};
  bool joining = true;
  for (int unit = between_a.begin; unit < between_a.end; ++unit) {
    if (pair.a[unit].word == "?" || pair.a[unit].word == "/") return false;
    joining = joining && is_order_free(pair.a[unit].lemma);
  }
  if (joining || is_passive(pair.a, between_a) != is_passive(pair.b, between_b)) return false;
  int last = between_a.end - 1;
  while (last > between_a.begin && pair.a[last].tag == "DT") --last;
  if (is_listing(pair.a[between_a.begin].word) && is_listing(pair.a[last].word)) return false;
  const Chunk one{unit_a(low), unit_b(low), unit_a(middle - 1) + 1 - unit_a(low)};
  const Chunk other{unit_a(y), unit_b(y), unit_a(high) + 1 - unit_a(y)};
  if (are_coordinated(pair.a, one, other)) return false;
  for (int unit = std::max(0, one.a - 6); unit < std::min(pair.a.size(), other.end_a() + 2); ++unit)
    if (pair.a.lists->symmetric.has(pair.a[unit].lemma) || pair.kind(unit) == Likeness::opposite) return false;
  const Stretch a{one.a, other.end_a()}, b{unit_b(y), unit_b(middle - 1) + 1};
  if (!calls.free(a, b)) return false;
  calls.add(Kind::roles, Verdict::contradicted, 0.8, a, b);
  return true;
}

}  // namespace

void find_roles(Calls& calls) {
  const Pair& pair = calls.pair;
  if (find_exchange(calls)) return;
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
}

}  // namespace otherwords::facts
