#include "metrics/maxsim.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "hash.hpp"

namespace otherwords {
namespace {

// Distinct words of two sentences, multiplied: the table of their similarities must fit.
constexpr std::size_t most_kinds = std::size_t{1} << 28;

// Number of n-grams in a sentence of `tokens` words.
std::size_t ngrams(std::size_t tokens, unsigned n) { return tokens >= n ? tokens - n + 1 : 0; }

}  // namespace

void MaxSim::match(const Columns& columns, std::size_t left, std::size_t right,
                   unsigned orders, bool dependencies, MatchCounts* counts,
                   std::vector<Match>* matches) {
  load(columns, left, left_);
  load(columns, right, right_);
  compare_kinds();
  for (unsigned n = 1; n <= orders; ++n) *counts++ = match_ngrams(n, matches);
  if (!dependencies) return;
  load_triples(columns, left, left_);
  load_triples(columns, right, right_);
  *counts = match_triples(matches);
}

void MaxSim::load(const Columns& columns, std::size_t sentence, Side& side) {
  const auto begin = static_cast<std::size_t>(columns.bounds[sentence]);
  const auto end = static_cast<std::size_t>(columns.bounds[sentence + 1]);
  side.tokens.clear();
  side.kinds.clear();
  std::size_t capacity = 16;
  while (capacity < 2 * (end - begin)) capacity *= 2;
  side.slots.assign(capacity, 0);
  for (std::size_t t = begin; t < end; ++t) {
    if (!columns.words[t]) continue;
    const std::uint32_t kind =
        kind_of(columns.lemmas[t], columns.dictionary_forms()[t], columns.tags[t], side);
    side.tokens.push_back(
        {columns.lemmas[t], columns.tags[t], kind, static_cast<std::uint32_t>(t - begin)});
  }
}

std::uint32_t MaxSim::kind_of(std::uint64_t lemma, std::uint64_t folded, std::uint32_t tag,
                              Side& side) {
  const std::size_t mask = side.slots.size() - 1;
  for (std::size_t slot = mix(lemma ^ tag) & mask;; slot = (slot + 1) & mask) {
    const std::uint32_t entry = side.slots[slot];
    if (entry == 0) {
      side.kinds.push_back({lemma, tag, lexicon_.find(folded)});
      side.slots[slot] = static_cast<std::uint32_t>(side.kinds.size());
      return side.slots[slot] - 1;
    }
    const Kind& kind = side.kinds[entry - 1];
    if (kind.lemma == lemma && kind.tag == tag) return entry - 1;
  }
}

// Eq. 1 for every pair of distinct words: I(tag, tag) + Syn(lemma, lemma).
void MaxSim::compare_kinds() {
  const std::size_t columns = right_.kinds.size();
  if (left_.kinds.size() * columns > most_kinds)
    throw std::length_error("a segment has too many different words to match (" +
                            std::to_string(std::max(left_.kinds.size(), columns)) +
                            "); split it into sentences");
  similarity_.resize(left_.kinds.size() * columns);
  std::size_t cell = 0;
  for (const Kind& a : left_.kinds)
    for (const Kind& b : right_.kinds) {
      // One word in two cases, where case is kept, is not its own synonym.
      const bool synonyms = a.lemma == b.lemma ||
                            (a.word != HashIndex::npos && b.word != HashIndex::npos &&
                             a.word != b.word && lexicon_.share_synonym(a.word, b.word));
      similarity_[cell++] = static_cast<std::uint8_t>((a.tag == b.tag) + synonyms);
    }
}

// Phases 1 and 2: takes the first equal item, left to right on both sides (MAXSIM §2.1).
template <typename Equal>
std::size_t MaxSim::match_exactly(unsigned n, Phase phase, const Equal& equal,
                                  std::vector<Match>* matches) {
  const auto items_equal = [&](std::uint32_t i, std::uint32_t j) {
    for (unsigned k = 0; k < n; ++k)
      if (!equal(left_.tokens[i + k], right_.tokens[j + k])) return false;
    return true;
  };
  taken_.assign(right_.rest.size(), 0);
  std::size_t kept = 0, first = 0;
  for (std::uint32_t i : left_.rest) {
    while (first < taken_.size() && taken_[first]) ++first;
    std::size_t at = first;
    while (at < taken_.size() && (taken_[at] || !items_equal(i, right_.rest[at]))) ++at;
    if (at == taken_.size()) {
      left_.rest[kept++] = i;
      continue;
    }
    taken_[at] = 1;
    if (matches)
      matches->push_back({n, phase, left_.tokens[i].position,
                          right_.tokens[right_.rest[at]].position, 1.0});
  }
  const std::size_t found = left_.rest.size() - kept;
  left_.rest.resize(kept);
  std::size_t right_kept = 0;
  for (std::size_t at = 0; at < taken_.size(); ++at)
    if (!taken_[at]) right_.rest[right_kept++] = right_.rest[at];
  right_.rest.resize(right_kept);
  return found;
}

MatchCounts MaxSim::match_ngrams(unsigned n, std::vector<Match>* matches) {
  for (Side* side : {&left_, &right_}) {
    side->rest.resize(ngrams(side->tokens.size(), n));
    for (std::uint32_t i = 0; i < side->rest.size(); ++i) side->rest[i] = i;
  }
  const MatchCounts sizes{0, double(left_.rest.size()), double(right_.rest.size())};
  std::size_t exact = match_exactly(
      n, Phase::lemma_and_tag,
      [](const Token& a, const Token& b) { return a.lemma == b.lemma && a.tag == b.tag; },
      matches);
  exact += match_exactly(
      n, Phase::lemma, [](const Token& a, const Token& b) { return a.lemma == b.lemma; },
      matches);
  // The mean of S_k, in units of 1/2n; none may be 0 (MAXSIM §2.1.2).
  const auto weight = [&](std::size_t i, std::size_t j) -> std::uint8_t {
    int sum = 0;
    for (unsigned k = 0; k < n; ++k) {
      const int s = similarity(left_.tokens[left_.rest[i] + k].kind,
                               right_.tokens[right_.rest[j] + k].kind);
      if (s == 0) return 0;
      sum += s;
    }
    return static_cast<std::uint8_t>(sum);
  };
  const std::uint64_t units = matching_.solve(left_.rest.size(), right_.rest.size(), weight);
  if (matches)
    for (std::size_t i = 0; i < left_.rest.size(); ++i)
      if (const std::size_t j = matching_.partner(i); j != Matching::free_node)
        matches->push_back({n, Phase::bipartite, left_.tokens[left_.rest[i]].position,
                            right_.tokens[right_.rest[j]].position, weight(i, j) / (2.0 * n)});
  return {double(exact) + double(units) / (2.0 * n), sizes.left, sizes.right};
}

// Dependencies between two words; those to punctuation, and the root's, are no triples.
void MaxSim::load_triples(const Columns& columns, std::size_t sentence, Side& side) {
  const auto begin = static_cast<std::size_t>(columns.bounds[sentence]);
  const auto size = static_cast<std::size_t>(columns.bounds[sentence + 1]) - begin;
  side.word_at.assign(size, -1);
  for (std::size_t i = 0; i < side.tokens.size(); ++i)
    side.word_at[side.tokens[i].position] = static_cast<std::int64_t>(i);
  side.triples.clear();
  for (std::uint32_t i = 0; i < side.tokens.size(); ++i) {
    const std::size_t token = begin + side.tokens[i].position;
    const std::int32_t head = columns.heads[token];
    if (head < 0 || static_cast<std::size_t>(head) >= size || side.word_at[head] < 0) continue;
    side.triples.push_back(
        {i, static_cast<std::uint32_t>(side.word_at[head]), columns.relations[token]});
  }
}

// MAXSIM_{n+d}: the mean of relation identity and the two similarities, in units of 1/6.
MatchCounts MaxSim::match_triples(std::vector<Match>* matches) {
  const auto weight = [&](std::size_t i, std::size_t j) -> std::uint8_t {
    const Triple &a = left_.triples[i], &b = right_.triples[j];
    if (a.relation != b.relation) return 0;
    const int dependent =
        similarity(left_.tokens[a.dependent].kind, right_.tokens[b.dependent].kind);
    const int head = similarity(left_.tokens[a.head].kind, right_.tokens[b.head].kind);
    return dependent && head ? static_cast<std::uint8_t>(2 + dependent + head) : 0;
  };
  const std::uint64_t units = matching_.solve(left_.triples.size(), right_.triples.size(), weight);
  if (matches)
    for (std::size_t i = 0; i < left_.triples.size(); ++i)
      if (const std::size_t j = matching_.partner(i); j != Matching::free_node)
        matches->push_back({0, Phase::bipartite, left_.tokens[left_.triples[i].dependent].position,
                            right_.tokens[right_.triples[j].dependent].position,
                            weight(i, j) / 6.0});
  return {double(units) / 6.0, double(left_.triples.size()), double(right_.triples.size())};
}

}  // namespace otherwords
