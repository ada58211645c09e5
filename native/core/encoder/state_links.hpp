// Greedy matching of states (BERTScore, Zhang et al. 2020, section 3): every state takes the partner of
// highest cosine on the other side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace otherwords {

// Of two unit vectors, -1 to 1. Sums have one order, so every machine gives the same bytes.
float cosine_of(const float* one, const float* other, std::size_t size);

// For each state of a text its best partner.
struct StateLinks {
  std::vector<float> cosines;
  std::vector<std::uint32_t> partners;

  // Without the states at the ends.
  std::span<const float> inner() const {
    return cosines.size() < 2 ? std::span<const float>()
                              : std::span(cosines).subspan(1, cosines.size() - 2);
  }
};

// Rows are unit vectors of `width` numbers. Without a state on the other side cosines are 0. States of
// the `same` text have themselves as partners.
void match_states(std::span<const float> left, std::span<const float> right, std::size_t width,
                  bool same, StateLinks& of_left, StateLinks& of_right);

// Of the cosines of a text's pieces with their partners. A text without pieces has 1 beside another such
// text, else 0.
struct MatchSummary {
  static constexpr std::size_t size = 5;

  double weighted;  // mean by weight; the plain one without weights, or if all are 0
  double mean;
  double lowest;  // mean of the lowest quarter
  double least;
  double lost;  // share of cosines below one half

  MatchSummary(std::span<const float> cosines, std::span<const std::uint32_t> rows,
               std::size_t others, std::span<const float> weights);

  double* copy(double* out) const {
    for (const double value : {weighted, mean, lowest, least, lost}) *out++ = value;
    return out;
  }
};

}  // namespace otherwords
