// The best sequence of tags: Viterbi over pairs of tags (a tag trigram model), in a lattice that
// keeps for each word only the few tags its surroundings speak for. Training and tagging
// decode with the same code and differ in where the scores come from.
#pragma once

#include "standard.hpp"

namespace otherwords::tagging {

constexpr std::size_t max_candidates = 5;

// The tags that one word may get, best first, with their scores from words alone.
struct Candidates {
  std::array<std::uint8_t, max_candidates> tag{};
  std::array<std::int32_t, max_candidates> score{};
  std::size_t count = 0;
};

// The best tags, none more than `margin` below the first; the lower tag first among equals.
template <typename Score>
Candidates choose(const Score* scores, std::size_t tags, std::int32_t margin) {
  Candidates best;
  Score top = scores[0];
  for (std::size_t tag = 1; tag < tags; ++tag) top = std::max(top, scores[tag]);
  const std::int32_t threshold = top - margin;
  for (std::size_t tag = 0; tag < tags; ++tag) {
    const std::int32_t score = scores[tag];
    if (score < threshold) continue;
    if (best.count == max_candidates && score <= best.score[max_candidates - 1]) continue;
    std::size_t at = best.count < max_candidates ? best.count++ : max_candidates - 1;
    for (; at > 0 && best.score[at - 1] < score; --at) {
      best.tag[at] = best.tag[at - 1];
      best.score[at] = best.score[at - 1];
    }
    best.tag[at] = static_cast<std::uint8_t>(tag);
    best.score[at] = score;
  }
  return best;
}

// Reusable space for one sentence at a time.
struct Lattice {
  // For each pair of a candidate and the candidate before it: which one came before both.
  using Origins = std::array<std::array<std::uint8_t, max_candidates>, max_candidates>;
  std::vector<Candidates> words;
  std::vector<Origins> origins;
};

using PairScores = std::array<std::array<std::int32_t, max_candidates>, max_candidates>;

// One step of Viterbi. `best` has the scores of the pairs (before2, before) and gets those of
// the pairs (before, here). transition(a, b, c) is the score of tag c after tags a, b.
template <typename Transition>
void extend(const Candidates& before2, const Candidates& before, const Candidates& here,
            const Transition& transition, PairScores& best, Lattice::Origins& origins) {
  PairScores next;
  std::int32_t top = INT32_MIN;
  for (std::size_t p = 0; p < before.count; ++p)
    for (std::size_t k = 0; k < here.count; ++k) {
      std::int32_t max = INT32_MIN;
      for (std::size_t q = 0; q < before2.count; ++q) {
        const std::int32_t score =
            best[q][p] + transition(before2.tag[q], before.tag[p], here.tag[k]);
        if (score <= max) continue;
        max = score;
        origins[p][k] = static_cast<std::uint8_t>(q);
      }
      next[p][k] = max + here.score[k];
      top = std::max(top, next[p][k]);
    }
  // Only differences matter; keeping the best at 0 rules out overflow in a long sentence.
  for (std::size_t p = 0; p < before.count; ++p)
    for (std::size_t k = 0; k < here.count; ++k) best[p][k] = next[p][k] - top;
}

// Writes the tags of the best path through lattice.words. `end` is the tag that stands for
// both sentence boundaries.
template <typename Transition>
void viterbi(Lattice& lattice, const Transition& transition, std::uint8_t end,
             std::uint8_t* tags) {
  const std::size_t n = lattice.words.size();
  lattice.origins.resize(n + 1);
  Candidates outside;
  outside.count = 1;
  outside.tag[0] = end;
  const auto word = [&](std::size_t i) -> const Candidates& {
    return i < n ? lattice.words[i] : outside;  // i - 1 and i - 2 wrap around at the start
  };
  PairScores best{};
  for (std::size_t i = 0; i <= n; ++i)
    extend(word(i - 2), word(i - 1), word(i), transition, best, lattice.origins[i]);
  std::size_t here = 0, before = 0;  // candidates; the end has one
  for (std::size_t p = 1; p < word(n - 1).count; ++p)
    if (best[p][0] > best[before][0]) before = p;
  for (std::size_t i = n; i > 0; --i) {
    const std::size_t before2 = lattice.origins[i][before][here];
    here = before;
    before = before2;
    tags[i - 1] = lattice.words[i - 1].tag[here];
  }
}

}  // namespace otherwords::tagging
