#include "bitext/hmm.hpp"

namespace otherwords {
namespace {

// States whose share is below this are skipped; they could not change a posterior by more.
constexpr float negligible_share = 1e-6f;

std::size_t bucket(std::ptrdiff_t jump) {
  constexpr auto window = static_cast<std::ptrdiff_t>(longest_jump);
  return static_cast<std::size_t>(std::clamp(jump, -window, window) + window);
}

// The inner loop of everything here. Every element is summed in the same order whatever the
// width of the processor's vectors, so that all machines agree.
void add_scaled(float* __restrict to, const float* __restrict from, float factor, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] += factor * from[i];
}

void add_products(float* __restrict to, const float* __restrict from,
                  const float* __restrict weights, float factor, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] += from[i] * weights[i] * factor;
}

void normalise(std::array<double, jump_buckets>& weights) {
  double sum = 0;
  for (double w : weights) sum += w;
  for (double& w : weights) w /= sum;
}

}  // namespace

JumpWeights initial_jumps() {
  JumpWeights weights;
  for (std::size_t b = 0; b < jump_buckets; ++b) {
    const double jump = static_cast<double>(b) - longest_jump;
    weights.inner[b] = 1.0 / (1.0 + std::pow(std::abs(jump - 1), 1.5)) + 1e-3;
    weights.first[b] = jump < 1 ? 0 : 1.0 / (1.0 + jump - 1) + 1e-3;
  }
  normalise(weights.inner);
  normalise(weights.first);
  return weights;
}

JumpWeights jumps_from(const JumpCounts& counts) {
  JumpWeights weights = initial_jumps();
  for (std::size_t b = 0; b < jump_buckets; ++b) {
    weights.inner[b] = static_cast<double>(counts.inner[b]) / fixed_point + weights.inner[b] * 10;
    weights.first[b] = static_cast<double>(counts.first[b]) / fixed_point + weights.first[b] * 10;
  }
  normalise(weights.inner);
  normalise(weights.first);
  return weights;
}

JumpTable::JumpTable(const JumpWeights& weights, std::size_t max_words)
    : reach_(max_words), ahead_(2 * max_words + 1), back_(2 * max_words + 1), first_(max_words),
      sums_(2 * max_words + 2, 0.0), first_sums_(max_words + 1, 0.0) {
  for (std::size_t x = 0; x < ahead_.size(); ++x) {
    const auto jump = static_cast<std::ptrdiff_t>(x) - static_cast<std::ptrdiff_t>(max_words);
    ahead_[x] = static_cast<float>(weights.inner[bucket(jump)]);
    back_[x] = static_cast<float>(weights.inner[bucket(-jump)]);
    sums_[x + 1] = sums_[x] + ahead_[x];
  }
  for (std::size_t i = 0; i < max_words; ++i) {
    first_[i] = static_cast<float>(weights.first[bucket(static_cast<std::ptrdiff_t>(i) + 1)]);
    first_sums_[i + 1] = first_sums_[i] + first_[i];
  }
}

void Chain::run(std::size_t observed, std::size_t positions, const float* emission,
                const float* null_emission, const JumpTable& jumps, float null_probability,
                float* posterior) {
  observed_ = observed;
  positions_ = positions;
  null_probability_ = null_probability;
  real_.resize(observed * positions);
  mass_.resize(observed * positions);
  scale_.resize(observed);
  normaliser_.resize(positions);
  future_.resize(positions);
  next_.resize(positions);
  leaving_.resize(positions);
  jumps_.assign(2 * positions - 1, 0);
  inner_.fill(0);
  first_.fill(0);
  for (std::size_t i = 0; i < positions; ++i)
    normaliser_[i] = (1 - null_probability) * jumps.normaliser(i, positions);
  forward(emission, null_emission, jumps);
  backward(emission, null_emission, jumps, posterior);
}

// mass_[j][i]: probability that the last real position up to word j is i, given words 0..j;
// real_ the part of it where word j itself comes from i. Before the first real word the
// empty word remembers positions as likely as a first jump would reach them.
void Chain::forward(const float* emission, const float* null_emission, const JumpTable& jumps) {
  const std::size_t n = positions_;
  for (std::size_t j = 0; j < observed_; ++j) {
    float* real = &real_[j * n];
    float* mass = &mass_[j * n];
    const float null = null_probability_ * null_emission[j];
    std::fill(real, real + n, 0.0f);
    if (j == 0) {
      const float whole = jumps.first_normaliser(n);
      for (std::size_t i = 0; i < n; ++i) {
        const float start = whole * jumps.first()[i];
        real[i] = (1 - null_probability_) * start * emission[i];
        mass[i] = real[i] + null * start;
      }
    } else {
      const float* before = mass - n;
      for (std::size_t i = 0; i < n; ++i)
        if (before[i] > negligible_share)
          add_scaled(real, jumps.to(i), before[i] * normaliser_[i], n);
      for (std::size_t i = 0; i < n; ++i) {
        real[i] *= emission[j * n + i];
        mass[i] = real[i] + null * before[i];
      }
    }
    float sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += mass[i];
    const float scale = 1 / sum;
    scale_[j] = scale;
    for (std::size_t i = 0; i < n; ++i) {
      real[i] *= scale;
      mass[i] *= scale;
    }
  }
}

// future_[i]: probability of the words after j given memory i, scaled so that
// sum_i mass_[j][i] future_[i] = 1.
void Chain::backward(const float* emission, const float* null_emission, const JumpTable& jumps,
                     float* posterior) {
  const std::size_t n = positions_;
  std::fill(future_.begin(), future_.end(), 1.0f);
  for (std::size_t j = observed_; j-- > 0;) {
    for (std::size_t i = 0; i < n; ++i) posterior[j * n + i] = real_[j * n + i] * future_[i];
    if (j == 0) break;
    const float null = null_probability_ * null_emission[j] * scale_[j];
    std::fill(next_.begin(), next_.end(), 0.0f);
    const float* before = &mass_[(j - 1) * n];
    for (std::size_t k = 0; k < n; ++k)
      leaving_[k] = before[k] > negligible_share ? before[k] * normaliser_[k] : 0.0f;
    for (std::size_t i = 0; i < n; ++i) {
      if (posterior[j * n + i] <= negligible_share) continue;
      const float weight = emission[j * n + i] * future_[i] * scale_[j];
      add_scaled(next_.data(), jumps.into(i), weight, n);
      add_products(&jumps_[n - 1 - i], leaving_.data(), jumps.into(i), weight, n);
    }
    for (std::size_t i = 0; i < n; ++i)
      future_[i] = next_[i] * normaliser_[i] + null * future_[i];
  }
  for (std::size_t x = 0; x < jumps_.size(); ++x)
    inner_[bucket(static_cast<std::ptrdiff_t>(n - 1) - static_cast<std::ptrdiff_t>(x))] +=
        jumps_[x];
  for (std::size_t i = 0; i < n; ++i)
    first_[bucket(static_cast<std::ptrdiff_t>(i) + 1)] += posterior[i];
}

void Chain::add_jumps(JumpCounts& counts) const {
  for (std::size_t b = 0; b < jump_buckets; ++b) {
    counts.inner[b] += static_cast<std::uint64_t>(static_cast<double>(inner_[b]) * fixed_point);
    counts.first[b] += static_cast<std::uint64_t>(static_cast<double>(first_[b]) * fixed_point);
  }
}

}  // namespace otherwords
