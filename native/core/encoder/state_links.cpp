#include "encoder/state_links.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "wide.hpp"

namespace otherwords {
namespace {

constexpr std::size_t dot_lanes = 16;

// Lane by lane, so that the order of the sum is the same however it is compiled.
OTHERWORDS_WIDE float lane_dot(const float* a, const float* b, std::size_t n) {
  std::array<float, dot_lanes> sums{};
  std::size_t k = 0;
  for (; k + dot_lanes <= n; k += dot_lanes)
    for (std::size_t lane = 0; lane < dot_lanes; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  for (std::size_t lane = 0; k + lane < n; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  for (std::size_t half = dot_lanes / 2; half > 0; half /= 2)
    for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  return sums[0];
}

}  // namespace

float cosine_of(const float* one, const float* other, std::size_t size) {
  return std::clamp(lane_dot(one, other, size), -1.0f, 1.0f);
}

void match_states(std::span<const float> left, std::span<const float> right, std::size_t width,
                  bool same, StateLinks& of_left, StateLinks& of_right) {
  const std::size_t n = left.size() / width, m = right.size() / width;
  const float start = n > 0 && m > 0 ? (same ? 1.0f : -2.0f) : 0.0f;
  of_left.cosines.assign(n, start);
  of_right.cosines.assign(m, start);
  of_left.partners.assign(n, 0);
  of_right.partners.assign(m, 0);
  if (same) {
    std::iota(of_left.partners.begin(), of_left.partners.end(), 0u);
    of_right.partners = of_left.partners;
    return;
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < m; ++j) {
      const float cosine = cosine_of(&left[i * width], &right[j * width], width);
      if (cosine > of_left.cosines[i]) {
        of_left.cosines[i] = cosine;
        of_left.partners[i] = static_cast<std::uint32_t>(j);
      }
      if (cosine > of_right.cosines[j]) {
        of_right.cosines[j] = cosine;
        of_right.partners[j] = static_cast<std::uint32_t>(i);
      }
    }
}

MatchSummary::MatchSummary(std::span<const float> cosines, std::span<const std::uint32_t> rows,
                           std::size_t others, std::span<const float> weights) {
  const std::size_t n = cosines.size();
  if (n == 0 || others == 0) {
    weighted = mean = lowest = least = n == others ? 1.0 : 0.0;
    lost = 1.0 - mean;
    return;
  }
  double sum = 0, weighted_sum = 0, total = 0;
  std::size_t low = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double weight = weights.empty() ? 0.0 : double{weights[rows[i]]};
    sum += double{cosines[i]};
    weighted_sum += weight * double{cosines[i]};
    total += weight;
    low += cosines[i] < 0.5f;
  }
  const auto size = static_cast<double>(n);
  mean = sum / size;
  weighted = total > 0 ? weighted_sum / total : mean;
  lost = static_cast<double>(low) / size;
  std::vector<float> sorted(cosines.begin(), cosines.end());
  const std::size_t quarter = (n + 3) / 4;
  std::ranges::sort(sorted);
  lowest = 0;
  for (std::size_t i = 0; i < quarter; ++i) lowest += double{sorted[i]};
  lowest /= static_cast<double>(quarter);
  least = double{sorted[0]};
}

}  // namespace otherwords
