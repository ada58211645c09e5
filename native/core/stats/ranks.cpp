#include "stats/ranks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace otherwords::meta {
namespace {

// Dense ranks with their weights become mean ranks, from the middle of all; the sum of squares.
double settle(std::vector<double>& ranks, double total) {
  double before = 0, squares = 0;
  for (double& rank : ranks) {
    const double weight = rank;
    rank = before + weight / 2 - total / 2;  // half a rank too low, as all of them are
    squares += weight * rank * rank;
    before += weight;
  }
  return squares;
}

}  // namespace

double spearman(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y,
                std::span<const std::uint32_t> units, std::span<const std::uint16_t> times,
                RankRoom& room) {
  room.x.assign(x.size(), 0);
  room.y.assign(x.size(), 0);
  double total = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double weight = times[units[i]];
    room.x[x[i]] += weight;
    room.y[y[i]] += weight;
    total += weight;
  }
  const double of_x = settle(room.x, total), of_y = settle(room.y, total);
  if (of_x == 0 || of_y == 0) return std::numeric_limits<double>::quiet_NaN();
  double products = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    products += times[units[i]] * room.x[x[i]] * room.y[y[i]];
  return std::clamp(products / (std::sqrt(of_x) * std::sqrt(of_y)), -1.0, 1.0);
}

}  // namespace otherwords::meta
