#include "stats/coefficients.hpp"

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

namespace {

constexpr double rounding = 2.5e-12;  // of differences of scores that are 1 at most

// Adds to a binary indexed tree (Fenwick 1994), whose sums of all lower ranks take few steps.
void add(std::vector<std::uint32_t>& tree, std::size_t rank, std::uint32_t weight) {
  for (std::size_t i = rank + 1; i < tree.size(); i += i & (~i + 1)) tree[i] += weight;
}

std::int64_t below(const std::vector<std::uint32_t>& tree, std::size_t rank) {
  std::int64_t sum = 0;
  for (std::size_t i = rank; i > 0; i &= i - 1) sum += tree[i];
  return sum;
}

std::uint64_t mixed(std::uint64_t number) {  // SplitMix64 (Steele, Lea & Flood 2014)
  number += 0x9e3779b97f4a7c15u;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9u;
  number = (number ^ (number >> 27)) * 0x94d049bb133111ebu;
  return number ^ (number >> 31);
}

struct Point {
  double x, y;
};

std::vector<Point> known(std::span<const double> x, std::span<const double> y) {
  std::vector<Point> points;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!std::isnan(x[i]) && !std::isnan(y[i])) points.push_back({x[i], y[i]});
  return points;
}

// What is won by calling a pair tied whose scores lie this far apart.
struct Gain {
  double distance, gain;
};

void weigh(const Point& a, const Point& b, double weight, std::vector<Gain>& gains) {
  const double distance = std::abs(a.x - b.x);
  if (distance == 0) return;  // tied already
  if (a.y == b.y)
    gains.push_back({distance, weight});
  else if ((a.x < b.x) == (a.y < b.y))
    gains.push_back({distance, -weight});
}

void weigh_group(const std::vector<Point>& points, double share, std::vector<Gain>& gains) {
  const std::size_t size = points.size();
  const double pairs = static_cast<double>(size) * static_cast<double>(size - 1) / 2;
  if (share >= 1) {
    for (std::size_t i = 1; i < size; ++i)
      for (std::size_t j = 0; j < i; ++j) weigh(points[i], points[j], 1 / pairs, gains);
    return;
  }
  const auto sample = static_cast<std::uint64_t>(std::ceil(pairs * share));
  for (std::uint64_t k = 0; k < sample; ++k) {
    const std::size_t i = mixed(2 * k) % size, j = mixed(2 * k + 1) % size;
    if (i != j) weigh(points[i], points[j], 1 / static_cast<double>(sample), gains);
  }
}

double best_threshold(std::vector<Gain>& gains) {
  std::sort(gains.begin(), gains.end(), [](const Gain& a, const Gain& b) {
    return a.distance != b.distance ? a.distance < b.distance : a.gain < b.gain;
  });
  double sum = 0, best = rounding, threshold = 0;
  for (std::size_t i = 0; i < gains.size(); ++i) {
    sum += gains[i].gain;
    const bool ends =
        i + 1 == gains.size() || gains[i + 1].distance - gains[i].distance > rounding;
    if (ends && sum > best) {
      best = sum + rounding;
      threshold = gains[i].distance;
    }
  }
  return threshold;
}

}  // namespace

PairRows::PairRows(std::span<const double> x, std::span<const std::uint32_t> y,
                   std::span<const std::uint32_t> units, double epsilon) {
  if (x.size() != y.size() || x.size() != units.size())
    throw std::invalid_argument("both scores and a unit are needed for every row");
  rows_.reserve(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (y[i] >= x.size()) throw std::invalid_argument("a rank is higher than the number of rows");
    if (std::isnan(x[i])) throw std::invalid_argument("a row has no score");
    rows_.push_back({x[i], y[i], units[i], 0});
    ranks_ = std::max<std::size_t>(ranks_, y[i] + 1);
    units_ = std::max<std::size_t>(units_, units[i] + std::size_t{1});
  }
  std::stable_sort(rows_.begin(), rows_.end(),
                   [](const Row& a, const Row& b) { return a.x < b.x; });
  std::uint32_t window = 0;
  for (auto& row : rows_) {
    while (row.x - rows_[window].x > epsilon) ++window;
    row.window = window;
  }
}

PairCounts PairRows::count(std::span<const std::uint16_t> times, PairRoom& room) const {
  room.tree.assign(ranks_ + 1, 0);
  room.weights.assign(ranks_, 0);
  room.tied.assign(ranks_, 0);
  PairCounts found;
  std::int64_t before = 0, tied = 0;  // weight of the rows that are lower in x, and tied in x
  std::size_t first = 0;
  for (const auto& row : rows_) {
    for (; first < row.window; ++first) {  // these were tied with earlier rows
      const auto& left = rows_[first];
      const std::uint32_t weight = times[left.unit];
      if (weight == 0) continue;
      add(room.tree, left.y, weight);
      room.weights[left.y] += weight;
      room.tied[left.y] -= weight;
      before += weight;
      tied -= weight;
    }
    const std::int64_t weight = times[row.unit];
    if (weight == 0) continue;
    const std::int64_t lower = below(room.tree, row.y), same = room.weights[row.y];
    const std::int64_t both = room.tied[row.y];
    found.concordant += weight * lower;
    found.discordant += weight * (before - lower - same);
    found.tied_y += weight * same;
    found.tied_both += weight * both;
    found.tied_x += weight * (tied - both);
    room.tied[row.y] += static_cast<std::uint32_t>(weight);
    tied += weight;
  }
  return found;
}

PairCounts count_pairs(std::span<const double> x, std::span<const double> y, double epsilon) {
  const auto points = known(x, y);
  std::vector<double> left, values;
  for (const auto& point : points) {
    left.push_back(point.x);
    values.push_back(point.y);
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<std::uint32_t> ranks;
  for (const auto& point : points) {
    const auto place = std::lower_bound(values.begin(), values.end(), point.y);
    ranks.push_back(static_cast<std::uint32_t>(place - values.begin()));
  }
  const std::vector<std::uint32_t> units(points.size(), 0);
  const std::vector<std::uint16_t> once(1, 1);
  PairRoom room;
  return PairRows(left, ranks, units, epsilon).count(once, room);
}

double tie_threshold(std::span<const double> x, std::span<const double> y,
                     std::span<const std::uint32_t> sizes, std::size_t limit) {
  std::vector<std::vector<Point>> groups;
  double pairs = 0;
  std::size_t start = 0;
  for (const std::uint32_t size : sizes) {
    if (start + size > std::min(x.size(), y.size()))
      throw std::invalid_argument("the groups have more points than there are");
    auto points = known(x.subspan(start, size), y.subspan(start, size));
    start += size;
    if (points.size() < 2) continue;
    pairs += static_cast<double>(points.size()) * static_cast<double>(points.size() - 1) / 2;
    groups.push_back(std::move(points));
  }
  std::vector<Gain> gains;
  const double share = static_cast<double>(limit) / pairs;
  for (const auto& points : groups) weigh_group(points, share, gains);
  return best_threshold(gains);
}

}  // namespace otherwords::meta
