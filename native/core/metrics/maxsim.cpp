#include "metrics/maxsim.hpp"

#include "hash.hpp"

namespace otherwords {
namespace {

// Distinct words of two sentences, multiplied: the table of their similarities must fit.
constexpr std::size_t most_kinds = std::size_t{1} << 28;

// Similarities of kinds to tokens that are kept.
constexpr std::size_t most_cells = std::size_t{1} << 26;

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

// The right side's words by their synonyms: going through these costs less than comparing all pairs.
void MaxSim::index_synonyms() {
  synonyms_.clear();
  for (std::uint32_t k = 0; k < right_.kinds.size(); ++k) {
    if (right_.kinds[k].word == HashIndex::npos) continue;
    for (const std::uint32_t id : lexicon_.synonyms(right_.kinds[k].word))
      synonyms_.push_back({id, k, no_item});
  }
  synonym_slots_.assign(std::bit_ceil(2 * synonyms_.size() + 1), no_item);
  for (std::uint32_t k = 0; k < synonyms_.size(); ++k)
    synonyms_[k].next = std::exchange(synonym_slot(synonyms_[k].id), k);
}

// Marks the right side's words that share a synonym with a word. One word in two cases, where case is
// kept, is not its own synonym.
void MaxSim::mark_synonyms(const Kind& kind, std::uint8_t* marks) {
  if (kind.word == HashIndex::npos) return;
  for (const std::uint32_t id : lexicon_.synonyms(kind.word))
    for (std::uint32_t k = synonym_slot(id); k != no_item; k = synonyms_[k].next)
      if (synonyms_[k].id == id && right_.kinds[synonyms_[k].kind].word != kind.word)
        marks[synonyms_[k].kind] = 1;
}

// Eq. 1 for every pair of distinct words: I(tag, tag) + Syn(lemma, lemma).
void MaxSim::compare_kinds() {
  const std::size_t columns = right_.kinds.size();
  if (left_.kinds.size() * columns > most_kinds)
    throw std::length_error("a segment has too many different words to match (" +
                            std::to_string(std::max(left_.kinds.size(), columns)) +
                            "); split it into sentences");
  index_synonyms();
  similarity_.assign(left_.kinds.size() * columns, 0);
  std::uint8_t* row = similarity_.data();
  for (const Kind& a : left_.kinds) {
    mark_synonyms(a, row);
    for (std::size_t k = 0; k < columns; ++k) {
      const Kind& b = right_.kinds[k];
      const bool same = a.lemma == b.lemma && a.word != HashIndex::npos;
      row[k] = static_cast<std::uint8_t>((a.tag == b.tag) + (row[k] | same));
    }
    row += columns;
  }
  const std::size_t size = std::max<std::size_t>(right_.tokens.size(), 1);
  const std::size_t fit = std::max<std::size_t>(most_cells / size, 1);
  row_owners_.assign(std::min(std::max<std::size_t>(left_.kinds.size(), 1), fit), no_item);
  token_rows_.resize(row_owners_.size() * size);
}

// Phases 1 and 2: takes the first equal item, left to right on both sides (MAXSIM §2.1). Equal items
// have equal keys.
template <typename Key, typename Equal>
std::size_t MaxSim::match_exactly(unsigned n, Phase phase, const Key& key, const Equal& equal,
                                  std::vector<Match>* matches) {
  const std::size_t items = open_.size();
  equals_.assign(std::bit_ceil(2 * items + 1), {0, no_item, no_item});
  following_.resize(items);
  const auto slot_of = [&](const Side& side, std::uint32_t start) -> Equals& {
    std::uint64_t all = 0;
    for (unsigned k = 0; k < n; ++k) all = (all + key(side.tokens[start + k])) * 0x9e3779b97f4a7c15u;
    const std::size_t mask = equals_.size() - 1;
    for (std::size_t slot = (all >> 32) & mask;; slot = (slot + 1) & mask) {
      Equals& found = equals_[slot];
      if (found.item == no_item) {
        found.key = all;
        return found;
      }
      if (found.key != all) continue;
      unsigned k = 0;
      while (k < n && equal(side.tokens[start + k], right_.tokens[found.item + k])) ++k;
      if (k == n) return found;
    }
  };
  for (auto j = static_cast<std::uint32_t>(items); j-- > 0;) {
    if (!open_[j]) continue;
    Equals& slot = slot_of(right_, j);
    if (slot.item == no_item) slot.item = j;
    following_[j] = slot.first;
    slot.first = j;
  }
  std::size_t kept = 0;
  for (const std::uint32_t i : left_.rest) {
    Equals& slot = slot_of(left_, i);
    if (slot.item == no_item || slot.first == no_item) {
      left_.rest[kept++] = i;
      continue;
    }
    const std::uint32_t j = slot.first;
    slot.first = following_[j];
    open_[j] = 0;
    if (matches)
      matches->push_back({n, phase, left_.tokens[i].position, right_.tokens[j].position, 1.0});
  }
  const std::size_t found = left_.rest.size() - kept;
  left_.rest.resize(kept);
  return found;
}

// The similarity of a kind of the left side to every token of the right side. A text repeats its
// kinds, so rows are kept, as many as fit.
const std::uint8_t* MaxSim::token_row(std::uint32_t left_kind) {
  const std::size_t size = right_.tokens.size(), slot = left_kind % row_owners_.size();
  std::uint8_t* row = token_rows_.data() + slot * size;
  if (std::exchange(row_owners_[slot], left_kind) != left_kind) {
    const std::uint8_t* kinds = similarity_.data() + left_kind * right_.kinds.size();
    for (std::size_t j = 0; j < size; ++j) row[j] = kinds[right_.tokens[j].kind];
  }
  return row;
}

// The mean of S_k, in units of 1/2n, of an n-gram of the left side with each of the right side that is
// not matched; none may be 0 (MAXSIM §2.1.2).
const std::uint8_t* MaxSim::weights(std::uint32_t start, unsigned n) {
  const std::size_t items = open_.size();
  std::uint8_t* out = weights_.data();
  const std::uint8_t *open = open_.data(), *first = token_row(left_.tokens[start].kind);
  for (std::size_t j = 0; j < items; ++j) out[j] = first[j] & open[j];
  for (unsigned k = 1; k < n; ++k) {
    const std::uint8_t* next = token_row(left_.tokens[start + k].kind) + k;
    for (std::size_t j = 0; j < items; ++j)
      out[j] = out[j] && next[j] ? static_cast<std::uint8_t>(out[j] + next[j]) : std::uint8_t{0};
  }
  return out;
}

MatchCounts MaxSim::match_ngrams(unsigned n, std::vector<Match>* matches) {
  left_.rest.resize(ngrams(left_.tokens.size(), n));
  std::iota(left_.rest.begin(), left_.rest.end(), 0u);
  open_.assign(ngrams(right_.tokens.size(), n), 255);
  weights_.resize(open_.size());
  const MatchCounts sizes{0, double(left_.rest.size()), double(open_.size())};
  std::size_t exact = match_exactly(
      n, Phase::lemma_and_tag, [](const Token& a) { return a.lemma ^ a.tag; },
      [](const Token& a, const Token& b) { return a.lemma == b.lemma && a.tag == b.tag; },
      matches);
  exact += match_exactly(
      n, Phase::lemma, [](const Token& a) { return a.lemma; },
      [](const Token& a, const Token& b) { return a.lemma == b.lemma; }, matches);
  const std::uint64_t units =
      matching_.solve(left_.rest.size(), open_.size(),
                      [&](std::size_t i) { return weights(left_.rest[i], n); });
  if (matches)
    for (std::size_t i = 0; i < left_.rest.size(); ++i)
      if (const std::size_t j = matching_.partner(i); j != Matching::free_node)
        matches->push_back({n, Phase::bipartite, left_.tokens[left_.rest[i]].position,
                            right_.tokens[j].position, matching_.weight(i) / (2.0 * n)});
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

// MAXSIM_{n+d} (ACL-08: HLT): Syn of the dependents, I of the relations and Syn of the heads, in
// units of 1/3. Equal lemmas count as synonyms: triples have no phases that match them first.
MatchCounts MaxSim::match_triples(std::vector<Match>* matches) {
  const auto synonymous = [&](std::uint32_t i, std::uint32_t j) -> bool {
    const std::uint32_t left = left_.tokens[i].kind, right = right_.tokens[j].kind;
    const Kind &a = left_.kinds[left], &b = right_.kinds[right];
    return a.lemma == b.lemma || similarity(left, right) > (a.tag == b.tag);
  };
  const auto weight = [&](std::size_t i, std::size_t j) -> std::uint8_t {
    const Triple &a = left_.triples[i], &b = right_.triples[j];
    return static_cast<std::uint8_t>(synonymous(a.dependent, b.dependent) +
                                     (a.relation == b.relation) + synonymous(a.head, b.head));
  };
  weights_.resize(right_.triples.size());
  const std::uint64_t units =
      matching_.solve(left_.triples.size(), right_.triples.size(), [&](std::size_t i) {
        for (std::size_t j = 0; j < weights_.size(); ++j) weights_[j] = weight(i, j);
        return weights_.data();
      });
  if (matches)
    for (std::size_t i = 0; i < left_.triples.size(); ++i)
      if (const std::size_t j = matching_.partner(i); j != Matching::free_node)
        matches->push_back({0, Phase::bipartite, left_.tokens[left_.triples[i].dependent].position,
                            right_.tokens[right_.triples[j].dependent].position,
                            matching_.weight(i) / 3.0});
  return {double(units) / 3.0, double(left_.triples.size()), double(right_.triples.size())};
}

}  // namespace otherwords
