// A bitext as the kernels see it.
#pragma once

#include "side.hpp"

namespace otherwords {

struct Bitext {
  Side left;
  Side right;
  std::size_t left_words;   // vocabulary sizes
  std::size_t right_words;

  std::size_t size() const { return left.size(); }

  void check() const {
    left.check(left_words);
    right.check(right_words);
    if (left.size() != right.size())
      throw std::invalid_argument("bitext: the sides differ in their number of sentences");
  }

  // Whether the pair can be aligned: both sides have words, none has too many.
  bool usable(std::size_t s, std::size_t max_words) const {
    const std::size_t i = left.length(s), j = right.length(s);
    return i && j && i <= max_words && j <= max_words;
  }
};

// The hidden Markov model of word alignment (Vogel, Ney & Tillmann 1996) in one direction:
// every observed word comes from a position of the other sentence or from the empty word,
// which remembers the position before it (Och & Ney 2003).

// Expected counts are whole multiples of 2^-32, so that they add up the same in any order.
constexpr double fixed_point = 4294967296.0;

constexpr std::size_t longest_jump = 50;  // longer jumps share the weight of the last one
constexpr std::size_t jump_buckets = 2 * longest_jump + 1;

// Weights of jumps i - i'; `first` those from before the sentence.
struct JumpWeights {
  std::array<double, jump_buckets> inner;
  std::array<double, jump_buckets> first;
};

// Expected counts of jumps in fixed point, so that the order of adding does not matter.
struct JumpCounts {
  std::array<std::uint64_t, jump_buckets> inner{};
  std::array<std::uint64_t, jump_buckets> first{};
};

// Jump weights before training: one word ahead is most likely.
JumpWeights initial_jumps();

// Weights from expected counts, smoothed with the initial ones.
JumpWeights jumps_from(const JumpCounts& counts);

// Jump weights stretched over all distances of sentences of up to `max_words`.
class JumpTable {
 public:
  JumpTable(const JumpWeights& weights, std::size_t max_words);

  // Weight of a jump to position i from i' = `from`, for i = 0, 1, ...
  const float* to(std::size_t from) const { return ahead_.data() + reach_ - from; }
  // Weight of a jump to position i = `at` from i', for i' = 0, 1, ...
  const float* into(std::size_t at) const { return back_.data() + reach_ - at; }
  const float* first() const { return first_.data(); }

  // 1 over the sum of weights from `from` to all positions of a sentence of that length.
  float normaliser(std::size_t from, std::size_t length) const {
    return static_cast<float>(
        1.0 / (sums_[reach_ - from + length] - sums_[reach_ - from]));
  }
  float first_normaliser(std::size_t length) const {
    return static_cast<float>(1.0 / first_sums_[length]);
  }

 private:
  std::size_t reach_;
  std::vector<float> ahead_, back_, first_;
  std::vector<double> sums_, first_sums_;
};

// One sentence pair in one direction. Matrices are observed words x positions.
class Chain {
 public:
  // Posteriors p(a_j = i | both sentences) into `posterior`. Emissions are positive.
  void run(std::size_t observed, std::size_t positions, const float* emission,
           const float* null_emission, const JumpTable& jumps, float null_probability,
           float* posterior);

  // After run: adds the expected jumps, each weighted with its posterior.
  void add_jumps(JumpCounts& counts) const;

 private:
  void forward(const float* emission, const float* null_emission, const JumpTable& jumps);
  void backward(const float* emission, const float* null_emission, const JumpTable& jumps,
                float* posterior);

  std::size_t observed_ = 0, positions_ = 0;
  float null_probability_ = 0;
  std::vector<float> real_, mass_, future_, next_, normaliser_, scale_;
  std::vector<float> leaving_;  // share of each position that a word before leaves by a jump
  std::vector<float> jumps_;    // expected jumps from n - 1 ahead to n - 1 back
  std::array<float, jump_buckets> inner_{}, first_{};
};

}  // namespace otherwords
