// Support vector regression with a radial basis function (PEM §4.5).
#pragma once

#include "standard.hpp"

namespace otherwords {

// e^x for x <= 0, to 1e-14, by Taylor's series around the nearest multiple of ln 2: the same bits
// on every processor, and a loop over it can be vectorised. Below e^-700 it is 0.
inline double exp_negative(double x) {
  constexpr double log2e = 1.4426950408889634, high = 0.693147180369123816490,
                   low = 1.90821492927058770002e-10;  // ln 2 in two parts
  const double bounded = x < -700.0 ? -700.0 : x;
  const auto k = static_cast<std::int32_t>(bounded * log2e - 0.5);
  const double r = (bounded - k * high) - k * low;
  double sum = 1.0 / 479001600;  // 1 / 12!
  sum = sum * r + 1.0 / 39916800;
  sum = sum * r + 1.0 / 3628800;
  sum = sum * r + 1.0 / 362880;
  sum = sum * r + 1.0 / 40320;
  sum = sum * r + 1.0 / 5040;
  sum = sum * r + 1.0 / 720;
  sum = sum * r + 1.0 / 120;
  sum = sum * r + 1.0 / 24;
  sum = sum * r + 1.0 / 6;
  sum = sum * r + 0.5;
  sum = sum * r + 1.0;
  sum = sum * r + 1.0;
  const double power = std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52);
  return x < -700.0 ? 0.0 : sum * power;
}

// f(x) = sum over the support vectors of c_i exp(-gamma |x - x_i|^2) + bias.
class RadialBasis {
 public:
  // `support` has a row of `width` numbers for each coefficient.
  RadialBasis(std::span<const double> support, std::span<const double> coefficients,
              std::size_t width, double gamma, double bias)
      : columns_(support.size()), coefficients_(coefficients), width_(width), gamma_(gamma),
        bias_(bias) {
    const std::size_t size = coefficients.size();
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t k = 0; k < width; ++k) columns_[k * size + i] = support[i * width + k];
  }

  double operator()(const double* x) const {
    constexpr std::size_t block = 256;
    double distance[block];
    double sum = bias_;
    const std::size_t size = coefficients_.size();
    for (std::size_t first = 0; first < size; first += block) {
      const std::size_t here = first + block < size ? block : size - first;
      for (std::size_t i = 0; i < here; ++i) distance[i] = 0;
      for (std::size_t k = 0; k < width_; ++k) {
        const double* column = columns_.data() + k * size + first;
        for (std::size_t i = 0; i < here; ++i)
          distance[i] += (x[k] - column[i]) * (x[k] - column[i]);
      }
      for (std::size_t i = 0; i < here; ++i) distance[i] = exp_negative(-gamma_ * distance[i]);
      for (std::size_t i = 0; i < here; ++i) sum += coefficients_[first + i] * distance[i];
    }
    return sum;
  }

 private:
  std::vector<double> columns_;  // [feature][vector]
  std::span<const double> coefficients_;
  std::size_t width_;
  double gamma_, bias_;
};

}  // namespace otherwords
