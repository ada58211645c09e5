// Repeated words, words that are misspelt, and capitals.
#include <algorithm>
#include <unordered_map>

#include "metrics/facts/kinds.hpp"
#include "metrics/facts/words.hpp"
#include "text/unicode.hpp"

namespace otherwords::facts {
namespace {

constexpr int longest_repeated = 6;  // words of a repeated phrase

bool has_letter(std::string_view word) {
  for (std::size_t at = 0; at < word.size();) {
    const CodePoint c = decode(word, at);
    if (is_letter(c.value)) return true;
    at += c.size;
  }
  return false;
}

bool are_same(const Side& a, Stretch x, const Side& b, Stretch y) {
  if (x.size() != y.size()) return false;
  for (int step = 0; step < x.size(); ++step)
    if (a[x.begin + step].word_hash != b[y.begin + step].word_hash) return false;
  return true;
}

// The second and later copies of phrases that stand twice in a row.
std::vector<Stretch> repeated_stretches(const Side& side) {
  static const Words doubled("very had that really so far long no ha bye blah");  // on purpose
  std::vector<Stretch> found;
  std::unordered_map<std::uint64_t, int> last;
  int end = 0;
  for (int begin = 0; begin < side.size(); ++begin) {
    const auto [known, added] = last.try_emplace(side[begin].word_hash, -longest_repeated);
    const int before = known->second;
    known->second = begin;
    if (begin < end || begin - before > longest_repeated) continue;
    const int most = std::min({longest_repeated, begin, side.size() - begin});
    for (int length = begin - before; length <= most; ++length) {
      const Stretch units{begin, begin + length};
      if (!are_same(side, units, side, {begin - length, begin})) continue;
      bool letters = false;
      for (int unit = units.begin; unit < units.end; ++unit)
        letters = letters || has_letter(side[unit].word);
      const std::string& word = side[begin].word;
      if (!letters || (length == 1 && (doubled.has(word) || word.starts_with('#')))) continue;
      found.push_back(units);
      end = units.end;
      break;
    }
  }
  return found;
}

bool has(const Side& there, const std::vector<Stretch>& known, const Side& here, Stretch units) {
  return std::ranges::any_of(known,
                             [&](Stretch one) { return are_same(here, units, there, one); });
}

// The last unit before it with the same word, the unit itself if there is none.
int first_copy(const Side& side, int unit) {
  for (int back = unit - 1; back >= 0; --back)
    if (side[back].word_hash == side[unit].word_hash) return back;
  return unit;
}

// Behind what the unit's left neighbour is linked to.
int place_of(const std::vector<int>& links, int unit) {
  for (int back = unit - 1; back >= 0; --back)
    if (links[static_cast<std::size_t>(back)] >= 0) return links[static_cast<std::size_t>(back)] + 1;
  return 0;
}

// Give the link of a repeated unit to its first copy, if that has none.
void move_a(Pair& pair, int unit) {
  const int other = pair.to_b(unit), first = first_copy(pair.a, unit);
  const Likeness kind = pair.kind(unit);
  const double score = pair.score(unit);
  pair.unlink(unit);
  if (pair.to_b(first) < 0) pair.link(first, other, kind, score);
}

void move_b(Pair& pair, int unit) {
  const int mine = pair.to_a(unit), first = first_copy(pair.b, unit);
  const Likeness kind = pair.kind(mine);
  const double score = pair.score(mine);
  pair.unlink(mine);
  if (pair.to_a(first) < 0) pair.link(mine, first, kind, score);
}

}  // namespace

void find_repetitions(Calls& calls) {
  Pair& pair = calls.pair;
  const auto mine = repeated_stretches(pair.a), theirs = repeated_stretches(pair.b);
  for (const Stretch units : mine) {
    if (has(pair.b, theirs, pair.a, units)) continue;
    for (int unit = units.begin; unit < units.end; ++unit)
      if (pair.to_b(unit) >= 0) move_a(pair, unit);
    const int place = place_of(pair.links_of_a(), units.begin);
    calls.add(Kind::repetition, Verdict::added, 1.0, units, {place, place});
  }
  for (const Stretch units : theirs) {
    if (has(pair.a, mine, pair.b, units)) continue;
    for (int unit = units.begin; unit < units.end; ++unit)
      if (pair.to_a(unit) >= 0) move_b(pair, unit);
    const int place = place_of(pair.links_of_b(), units.begin);
    calls.add(Kind::repetition, Verdict::missing, 1.0, {place, place}, units);
  }
}

void find_spellings(Calls& calls) {
  const Pair& pair = calls.pair;
  for (int i = 0; i < pair.a.size(); ++i)
    if (pair.kind(i) == Likeness::spelling && calls.free(i, pair.to_b(i)))
      calls.add(Kind::spelling, Verdict::equivalent, 0.3, one_unit(i), one_unit(pair.to_b(i)));
}

void find_capitals(Calls& calls) {
  const Pair& pair = calls.pair;
  std::string one, other;
  for (int i = 0; i < pair.a.size(); ++i) {
    const int j = pair.to_b(i);
    if (j < 0 || !calls.free(i, j) || pair.a[i].form == pair.b[j].form) continue;
    lower_into(pair.a[i].form, one);
    lower_into(pair.b[j].form, other);
    if (one == other)
      calls.add(Kind::letter_case, Verdict::unknown, 0.3, one_unit(i), one_unit(j));
  }
}

}  // namespace otherwords::facts
