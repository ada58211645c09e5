#include "meta/kendall.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace otherwords::meta {
namespace {

// Adds to a binary indexed tree (Fenwick 1994), whose sums of all lower ranks take few steps.
void add(std::vector<std::uint32_t>& tree, std::size_t rank, std::uint32_t weight) {
  for (std::size_t i = rank + 1; i < tree.size(); i += i & (~i + 1)) tree[i] += weight;
}

std::int64_t below(const std::vector<std::uint32_t>& tree, std::size_t rank) {
  std::int64_t sum = 0;
  for (std::size_t i = rank; i > 0; i &= i - 1) sum += tree[i];
  return sum;
}

}  // namespace

KendallRows::KendallRows(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y,
                         std::span<const std::uint32_t> units) {
  if (x.size() != y.size() || x.size() != units.size())
    throw std::invalid_argument("both ranks and a unit are needed for every row");
  rows_.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (x[i] >= x.size() || y[i] >= x.size())
      throw std::invalid_argument("a rank is higher than the number of rows");
    rows_.push_back({x[i], y[i], units[i]});
    ranks_ = std::max<std::size_t>(ranks_, y[i] + 1);
    units_ = std::max<std::size_t>(units_, units[i] + std::size_t{1});
  }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.x < b.x; });
}

double KendallRows::tau_b(std::span<const std::uint16_t> times, KendallRoom& room) const {
  room.tree.assign(ranks_ + 1, 0);
  room.weights.assign(ranks_, 0);
  std::int64_t before = 0;       // weight of the rows whose x is lower
  std::int64_t surplus = 0;      // concordant less discordant pairs
  std::int64_t different_x = 0;  // pairs that differ in x
  for (std::size_t first = 0; first < rows_.size();) {
    std::size_t last = first;
    std::int64_t tied = 0;
    for (; last < rows_.size() && rows_[last].x == rows_[first].x; ++last) {
      const auto& row = rows_[last];
      const std::int64_t weight = times[row.unit];
      if (weight == 0) continue;
      tied += weight;
      const std::int64_t lower = below(room.tree, row.y);
      const std::int64_t higher = before - lower - room.weights[row.y];
      surplus += weight * (lower - higher);
    }
    for (; first < last; ++first) {
      const std::uint32_t weight = times[rows_[first].unit];
      if (weight == 0) continue;
      add(room.tree, rows_[first].y, weight);
      room.weights[rows_[first].y] += weight;
    }
    different_x += tied * before;
    before += tied;
  }
  std::int64_t different_y = 0;
  std::int64_t lower = 0;
  for (const std::int64_t weight : room.weights) {
    different_y += weight * lower;
    lower += weight;
  }
  if (different_x == 0 || different_y == 0) return std::numeric_limits<double>::quiet_NaN();
  const double tau = static_cast<double>(surplus) / (std::sqrt(static_cast<double>(different_x)) *
                                                     std::sqrt(static_cast<double>(different_y)));
  return std::clamp(tau, -1.0, 1.0);
}

}  // namespace otherwords::meta
