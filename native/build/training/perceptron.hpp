// What the trainers of the tagger and the parser share: the structured averaged perceptron
// (Collins 2002) in integers, with a margin that the gold answer must win by (Taskar et al. 2003)
// and with features hidden at random, so that none is relied on alone (Soegaard 2013).
#pragma once

#include "hash.hpp"

namespace otherwords {

struct TrainingOptions {
  unsigned epochs = 8;
  unsigned runs = 1;        // from nothing, with other shuffles; their weights are averaged
  unsigned cutoff = 3;      // a feature seen less often is not used
  unsigned loss = 30;       // by how much the gold answer for a word or span must win
  unsigned dropout = 20;    // percentage of features hidden at each step
  unsigned resolution = 4;  // quantised steps per perceptron update
  unsigned least = 2;       // smaller quantised weights are dropped,
  unsigned least_best = 4;  // and all of a feature whose greatest is smaller than this,
  unsigned most_bytes = 0;  // or than what it takes to make the parser that small (0: any size)
  std::uint64_t seed = 1;
};

// Weights that know their average over all steps: value - drift / steps (Daume 2006).
class AveragedWeights {
 public:
  explicit AveragedWeights(std::size_t n) : value_(n), drift_(n) {}

  const std::int32_t* row(std::size_t at) const { return value_.data() + at; }
  void add(std::size_t at, std::int32_t by, std::int64_t step) {
    value_[at] += by;
    drift_[at] += by * step;
  }
  // The average, `resolution` times as large, not yet divided by the number of steps.
  std::int64_t total(std::size_t at, std::int64_t steps, std::int64_t resolution) const {
    return (value_[at] * steps - drift_[at]) * resolution;
  }
  void clear() {
    std::fill(value_.begin(), value_.end(), 0);
    std::fill(drift_.begin(), drift_.end(), 0);
  }
  // All weights become 0 again; the average goes on.
  void restart(std::int64_t step) {
    for (std::size_t at = 0; at < value_.size(); ++at) add(at, -value_[at], step + 1);
  }
  std::size_t size() const { return value_.size(); }

 private:
  std::vector<std::int32_t> value_;
  std::vector<std::int64_t> drift_;
};

inline void shuffle(std::vector<std::size_t>& order, std::uint64_t& state) {
  for (std::size_t i = order.size(); i > 1; --i) {
    state += 0x9e3779b97f4a7c15ULL;
    std::swap(order[i - 1], order[mix(state) % i]);
  }
}

// The keys seen at least `cutoff` times, sorted.
inline std::vector<std::uint64_t> frequent_keys(std::vector<std::uint64_t> seen, unsigned cutoff) {
  std::sort(seen.begin(), seen.end());
  std::vector<std::uint64_t> kept;
  for (std::size_t i = 0; i < seen.size();) {
    std::size_t end = i;
    while (end < seen.size() && seen[end] == seen[i]) ++end;
    if (end - i >= cutoff) kept.push_back(seen[i]);
    i = end;
  }
  return kept;
}

inline std::int64_t rounded_quotient(std::int64_t a, std::int64_t b) {
  return (a >= 0 ? a + b / 2 : a - b / 2) / b;
}

template <typename T>
T clipped(std::int64_t value) {
  constexpr std::int64_t limit = std::numeric_limits<T>::max();
  return static_cast<T>(std::clamp(value, -limit, limit));
}

}  // namespace otherwords
