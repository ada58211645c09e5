#include "metrics/facts/alignment.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <tuple>

namespace otherwords::facts {
namespace {

constexpr double near_counts[] = {0.5, 0.3, 0.2};  // of neighbours one, two and three units away
constexpr int near_reach = 3;
constexpr double context_share = 0.6;
constexpr double distortion_share = 0.3;
constexpr double least_score = 0.62;  // of a link by evidence
constexpr int context_reach = 3;      // units of context on either side of a slot

double identity(Likeness kind) {
  return kind == Likeness::same ? 1.0 : kind == Likeness::lemma ? 0.97 : 0.93;
}

double rounded(double value, double scale) { return std::nearbyint(value * scale) / scale; }

struct Candidate {
  double score;
  int i, j;
  Likeness kind;

  bool operator<(const Candidate& other) const {
    return std::tuple(-score, i, j, kind) < std::tuple(-other.score, other.i, other.j, other.kind);
  }
};

struct Hashes {
  std::uint64_t word, lemma, stem;
};

void link_best(Pair& pair, std::vector<Candidate>& candidates) {
  std::ranges::sort(candidates, std::less<>());
  for (const Candidate& one : candidates)
    if (pair.to_b(one.i) < 0 && pair.to_a(one.j) < 0) pair.link(one.i, one.j, one.kind, one.score);
}

double distortion(const Pair& pair, int i, int j) {
  return std::abs(static_cast<double>(i) / pair.a.size() - static_cast<double>(j) / pair.b.size());
}

// Content words and numbers that are the same, best context first.
void link_same(Pair& pair) {
  const Side &a = pair.a, &b = pair.b;
  const int rows = a.size(), columns = b.size();
  if (rows == columns && std::equal(a.units.begin(), a.units.end(), b.units.begin(),
                                    [](const Unit& x, const Unit& y) {
                                      return x.word_hash == y.word_hash && x.word == y.word;
                                    })) {
    for (int unit = 0; unit < rows; ++unit) pair.link(unit, unit, Likeness::same, 1.0);
    return;
  }
  // Rows that are near to the one that is scored: those of two long texts would fill the memory.
  constexpr int held_rows = 2 * near_reach + 1;
  std::vector<Likeness> found(static_cast<std::size_t>(held_rows) *
                              static_cast<std::size_t>(columns));
  const auto cell = [&](int i, int j) -> Likeness& {
    return found[static_cast<std::size_t>(i % held_rows) * static_cast<std::size_t>(columns) +
                 static_cast<std::size_t>(j)];
  };
  std::vector<Hashes> theirs;
  std::vector<int> numbers;
  for (int j = 0; j < columns; ++j) {
    theirs.push_back({b[j].word_hash, b[j].lemma_hash, b[j].stem_hash});
    if (b[j].number >= 0) numbers.push_back(j);
  }
  const auto compare = [&](int i) {
    const Unit& x = a[i];
    Likeness* row = found.data() + static_cast<std::size_t>(i % held_rows) * theirs.size();
    for (std::size_t j = 0; j < theirs.size(); ++j)
      row[j] = x.word_hash == theirs[j].word     ? Likeness::same
               : x.lemma_hash == theirs[j].lemma ? Likeness::lemma
               : x.stem_hash == theirs[j].stem   ? Likeness::stem
                                                 : Likeness::none;
    if (x.number < 0) return;
    for (const int j : numbers)
      if (cell(i, j) == Likeness::none && a.number(i).equals(b.number(j)))
        cell(i, j) = Likeness::lemma;
  };
  const auto has = [&](int i, int j) {
    return i >= 0 && j >= 0 && i < rows && j < columns && cell(i, j) != Likeness::none;
  };
  std::vector<Candidate> candidates;
  for (int i = 0; i < std::min(near_reach, rows); ++i) compare(i);
  for (int i = 0; i < rows; ++i) {
    if (i + near_reach < rows) compare(i + near_reach);
    for (int j = 0; j < columns; ++j) {
      if (!has(i, j) || !(a[i].content || b[j].content)) continue;
      double near = 0;
      for (int step = 1; step <= 3; ++step) {
        near += near_counts[step - 1] * has(i - step, j - step);
        near += near_counts[step - 1] * has(i + step, j + step);
      }
      const double score = identity(cell(i, j)) + context_share * near / 2 -
                           distortion_share * distortion(pair, i, j);
      candidates.push_back({rounded(score, 1e9), i, j, cell(i, j)});
    }
  }
  link_best(pair, candidates);
}

// Whether evidence is looked for: words with content, and function words that have opposites and
// are not in the other text themselves.
bool is_open(const Side& side, int unit, const Side& other) {
  if (side[unit].content) return side[unit].number < 0;
  return side.lists->has_opposite(side[unit].lemma) && std::ranges::none_of(other.units, [&](const Unit& one) {
           return one.lemma_hash == side[unit].lemma_hash;
         });
}

double nearness(const Pair& pair, int i, int j) {
  double near = 0;
  for (int step = 1; step <= 3; ++step) {
    near += near_counts[step - 1] * pair.linked(i - step, j - step);
    near += near_counts[step - 1] * pair.linked(i + step, j + step);
  }
  return near;
}

// Words without a link for which evidence is looked for. Evidence is about the word, not about its
// place: units with the same word, lemma and stem, names or not, are of one kind.
struct Open {
  struct Key {
    std::uint64_t word, lemma, stem;
    bool is_name;
    auto operator<=>(const Key&) const = default;
  };

  struct Kind {
    Profile profile;
    std::vector<int> units;
  };
  std::vector<Kind> kinds;

  Open(const Side& side, const Side& other, const std::vector<int>& links, Evidence& evidence) {
    std::map<Key, std::size_t> numbers;
    for (int unit = 0; unit < side.size(); ++unit) {
      if (links[static_cast<std::size_t>(unit)] >= 0 || !is_open(side, unit, other)) continue;
      const Unit& one = side[unit];
      const Key key{one.word_hash, one.lemma_hash, one.stem_hash, side.is_name(unit)};
      const auto [place, is_new] = numbers.try_emplace(key, kinds.size());
      if (is_new) kinds.push_back({evidence.profile(side, unit), {}});
      kinds[place->second].units.push_back(unit);
    }
  }
};

// Content words that are left, by evidence and context.
void link_alike(Pair& pair, Evidence& evidence) {
  const Side &a = pair.a, &b = pair.b;
  const Open mine(a, b, pair.links_of_a(), evidence);
  if (mine.kinds.empty()) return;
  const Open theirs(b, a, pair.links_of_b(), evidence);
  std::vector<Candidate> candidates;
  const auto propose = [&](int i, int j, const Found& found) {
    if (found.kind != Likeness::opposite && !(a[i].content && b[j].content)) return;
    const double score = static_cast<double>(found.similarity) +
                         context_share * nearness(pair, i, j) / 2 -
                         distortion_share * distortion(pair, i, j);
    if (score >= least_score) candidates.push_back({rounded(score, 1e6), i, j, found.kind});
  };
  for (const Open::Kind& one : mine.kinds)
    for (const Open::Kind& other : theirs.kinds) {
      const Found found = evidence.of(one.profile, other.profile);
      if (found.kind == Likeness::none) continue;
      for (const int i : one.units)
        for (const int j : other.units) propose(i, j, found);
    }
  link_best(pair, candidates);
}

// Function words and punctuation that are the same, next to linked neighbours.
void link_function_words(Pair& pair) {
  const Side &a = pair.a, &b = pair.b;
  std::vector<int> theirs;
  for (int j = 0; j < b.size(); ++j)
    if (pair.to_a(j) < 0 && !b[j].content) theirs.push_back(j);
  struct Near {
    double near;
    int apart, i, j;
  };
  for (int round = 0; round < 2; ++round) {  // the second time along links of the first
    std::vector<Near> scored;
    for (int i = 0; i < a.size(); ++i) {
      if (pair.to_b(i) >= 0 || a[i].content) continue;
      for (const int j : theirs) {
        if (pair.to_a(j) >= 0 || a[i].lemma_hash != b[j].lemma_hash) continue;
        const double near = nearness(pair, i, j);
        if (near > 0) scored.push_back({rounded(near, 1e6), std::abs(i - j), i, j});
      }
    }
    std::ranges::sort(scored, [](const Near& x, const Near& y) {
      return std::tuple(-x.near, x.apart, x.i, x.j) < std::tuple(-y.near, y.apart, y.i, y.j);
    });
    for (const Near& one : scored)
      if (pair.to_b(one.i) < 0 && pair.to_a(one.j) < 0)
        pair.link(one.i, one.j, Likeness::same, 1.0);
  }
}

// Function words that are the same and stand in the same slot, in order.
void link_within_slots(Pair& pair) {
  for (const Slot& slot : pair.find_slots()) {
    int next = slot.b.begin;
    for (int i = slot.a.begin; i < slot.a.end; ++i) {
      if (pair.a[i].content) continue;
      for (int j = next; j < slot.b.end; ++j)
        if (pair.a[i].word_hash == pair.b[j].word_hash && pair.to_a(j) < 0) {
          pair.link(i, j, Likeness::same, 1.0);
          next = j + 1;
          break;
        }
    }
  }
}

// Words of which one side has a form that nothing knows, in the same slot.
void link_misspelt(Pair& pair, Evidence& evidence) {
  for (const Slot& slot : pair.find_slots())
    for (int i = slot.a.begin; i < slot.a.end; ++i)
      for (int j = slot.b.begin; j < slot.b.end; ++j)
        if (pair.to_b(i) < 0 && pair.to_a(j) < 0 && evidence.is_misspelt(pair.a, i, pair.b, j))
          pair.link(i, j, Likeness::spelling, 1.0);
}

std::vector<Stretch> runs(const std::vector<int>& links) {
  std::vector<Stretch> out;
  const int size = static_cast<int>(links.size());
  for (int place = 0; place < size; ++place) {
    if (links[static_cast<std::size_t>(place)] >= 0) continue;
    int end = place;
    while (end < size && links[static_cast<std::size_t>(end)] < 0) ++end;
    out.push_back({place, end});
    place = end;
  }
  return out;
}

// What stands on the other side between two neighbours, and whether nothing there is linked.
std::pair<Stretch, bool> between(const std::vector<int>& links, int before, int after) {
  if (before < after &&
      std::all_of(links.begin() + (before + 1), links.begin() + after, [](int x) { return x < 0; }))
    return {{before + 1, after}, true};
  const int place = before >= 0 ? before + 1 : std::max(after, 0);
  return {{place, place}, false};
}

}  // namespace

Pair::Pair(const Side& one, const Side& other)
    : a(one),
      b(other),
      to_b_(one.units.size(), -1),
      to_a_(other.units.size(), -1),
      kinds_(one.units.size(), Likeness::none),
      scores_(one.units.size(), 0.0) {}

void Pair::link(int i, int j, Likeness kind, double score) {
  to_b_[static_cast<std::size_t>(i)] = j;
  to_a_[static_cast<std::size_t>(j)] = i;
  kinds_[static_cast<std::size_t>(i)] = kind;
  scores_[static_cast<std::size_t>(i)] = score;
}

bool Pair::linked(int i, int j) const {
  if (i >= 0 && i < a.size() && j >= 0 && j < b.size()) return to_b(i) == j;
  return (i < 0 && j < 0) || (i >= a.size() && j >= b.size());
}

bool Pair::same(int i, int j) const {
  if (i >= 0 && i < a.size() && j >= 0 && j < b.size()) return to_b(i) == j && is_same(kind(i));
  return (i < 0 && j < 0) || (i >= a.size() && j >= b.size());
}

double Pair::tightness(Stretch x, Stretch y) const {
  int count = 0;
  for (int back = 1; back <= context_reach; ++back) {
    if (!same(x.begin - back, y.begin - back)) break;
    ++count;
    if (x.begin - back < 0) {
      count = context_reach;
      break;
    }
  }
  for (int on = 0; on < context_reach; ++on) {
    if (!same(x.end + on, y.end + on)) break;
    ++count;
    if (x.end + on >= a.size()) {
      count += context_reach - 1 - on;
      break;
    }
  }
  return static_cast<double>(count) / (2 * context_reach);
}

bool Pair::is_same_outside(Stretch x, Stretch y, double least) const {
  int last = -1;
  double same = 0, total = 0;
  for (int i = 0; i < a.size(); ++i) {
    if (x.has(i)) continue;
    total += a[i].weight;
    const int j = to_b(i);
    if (j < 0) continue;
    if (is_same(kind(i))) same += a[i].weight;
    if (a[i].weight > 0) {
      if (j < last) return false;
      last = j;
    }
  }
  for (int j = 0; j < b.size(); ++j) {
    if (y.has(j)) continue;
    total += b[j].weight;
    if (to_a(j) >= 0 && is_same_word(to_a(j))) same += b[j].weight;
  }
  return total > 0 && same >= least * total;
}

std::vector<Slot> Pair::find_slots() const {
  std::vector<Slot> out;
  std::vector<Stretch> taken;
  for (const Stretch& mine : runs(to_b_)) {
    const int before = mine.begin ? to_b(mine.begin - 1) : -1;
    const int after = mine.end < a.size() ? to_b(mine.end) : b.size();
    const auto [theirs, closed] = between(to_a_, before, after);
    if (closed) taken.push_back(theirs);
    const double tight = tightness(mine, theirs);
    out.push_back({mine, theirs, closed ? tight : std::min(tight, 0.5), closed});
  }
  for (const Stretch& theirs : runs(to_a_)) {
    if (std::ranges::any_of(taken, [&](const Stretch& one) {
          return one.begin == theirs.begin && one.end == theirs.end;
        }))
      continue;
    const int before = theirs.begin ? to_a(theirs.begin - 1) : -1;
    const int after = theirs.end < b.size() ? to_a(theirs.end) : a.size();
    const auto [mine, closed] = between(to_b_, before, after);
    const double tight = tightness(mine, theirs);
    out.push_back({mine, theirs, closed ? tight : std::min(tight, 0.5), closed});
  }
  return out;
}

void Pair::settle() {
  slots_ = find_slots();
  const double total = a.total + b.total;
  sameness_ = 1;
  unlinked_ = 0;
  if (total <= 0) return;
  double same_content = 0, linked_content = 0;
  for (int i = 0; i < a.size(); ++i) {
    if (to_b(i) < 0) continue;
    const double content = a[i].weight + b[to_b(i)].weight;
    linked_content += content;
    if (is_same(kind(i))) same_content += content;
  }
  sameness_ = same_content / total;
  unlinked_ = std::max(0.0, 1.0 - linked_content / total);
}

void align(Pair& pair, Evidence& evidence) {
  link_same(pair);
  link_alike(pair, evidence);
  link_function_words(pair);
  link_within_slots(pair);
  link_misspelt(pair, evidence);
}

}  // namespace otherwords::facts
