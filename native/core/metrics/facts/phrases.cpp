#include "metrics/facts/phrases.hpp"

#include <algorithm>

#include "metrics/facts/words.hpp"

namespace otherwords::facts {
namespace {

bool ends_clause(std::string_view word) {
  static const Words made(", ; . : ! ?");
  return made.has(word);
}

}  // namespace

Phrases::Phrases(std::span<const PhraseClass> classes) {
  int number = 0;
  for (const PhraseClass& one : classes) {
    for (const std::string_view phrase : split(one.phrases, "|")) {
      auto words = split(phrase);
      entries_[words.at(0)].push_back({std::move(words), number});
    }
    ++number;
  }
}

void Phrases::look(const Side& side, int begin, std::string_view first, Phrase& best) const {
  const auto found = entries_.find(first);
  if (found == entries_.end()) return;
  for (const Entry& entry : found->second) {
    const int size = static_cast<int>(entry.words.size());
    if (size <= best.units.size()) continue;
    bool all = true;
    for (int step = 1; all && step < size; ++step) {
      const std::string_view word = entry.words[static_cast<std::size_t>(step)];
      all = side.word(begin + step) == word || side.lemma(begin + step) == word;
    }
    if (all) best = {{begin, begin + size}, entry.number};
  }
}

std::vector<Phrase> Phrases::in(const Side& side) const {
  std::vector<Phrase> out;
  for (int begin = 0; begin < side.size(); ++begin) {
    Phrase best{{begin, begin}, -1};
    look(side, begin, side[begin].word, best);
    if (side[begin].lemma != side[begin].word) look(side, begin, side[begin].lemma, best);
    if (best.number < 0) continue;
    out.push_back(best);
    begin = best.units.end - 1;
  }
  return out;
}

int content_behind(const Side& side, int unit) {
  for (; unit < side.size() && !ends_clause(side[unit].word); ++unit)
    if (side[unit].content) return unit;
  return -1;
}

int content_before(const Side& side, int unit) {
  for (; unit >= 0 && !ends_clause(side[unit].word); --unit)
    if (side[unit].content) return unit;
  return -1;
}

void drop_twins(const Pair& pair, std::vector<Phrase>& mine, std::vector<Phrase>& theirs) {
  std::erase_if(mine, [&](const Phrase& one) {
    const auto twin = std::ranges::find_if(theirs, [&](const Phrase& other) {
      return one.number == other.number && pair.same(one.units.end - 1, other.units.end - 1);
    });
    if (twin == theirs.end()) return false;
    theirs.erase(twin);
    return true;
  });
}

bool are_same_units(const Pair& pair, Stretch a, Stretch b) {
  if (a.size() != b.size()) return false;
  for (int step = 0; step < a.size(); ++step)
    if (pair.a[a.begin + step].word_hash != pair.b[b.begin + step].word_hash) return false;
  return true;
}

bool is_same_outside(const Pair& pair, Stretch a, Stretch b, double least) {
  int last = -1;
  double same = 0, total = 0;
  for (int i = 0; i < pair.a.size(); ++i) {
    if (a.has(i)) continue;
    total += pair.a[i].weight;
    const int j = pair.to_b(i);
    if (j < 0) continue;
    if (is_same(pair.kind(i))) same += pair.a[i].weight;
    if (pair.a[i].weight > 0) {
      if (j < last) return false;
      last = j;
    }
  }
  for (int j = 0; j < pair.b.size(); ++j) {
    if (b.has(j)) continue;
    total += pair.b[j].weight;
    if (pair.to_a(j) >= 0 && is_same(pair.kind(pair.to_a(j)))) same += pair.b[j].weight;
  }
  return total > 0 && same >= least * total;
}

}  // namespace otherwords::facts
