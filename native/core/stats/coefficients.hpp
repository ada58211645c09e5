// Spearman's rank correlation of rows that are sampled with replacement.
#pragma once

#include "standard.hpp"

namespace otherwords::meta {

// Room to work in, kept from resample to resample.
struct RankRoom {
  std::vector<double> x, y;
};

// Spearman's rho of two columns of dense ranks (from 0) if the unit of each row is sampled this many
// times, ties at their mean rank; NaN if a side does not change. Ranks are below the number of rows.
double spearman(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y,
                std::span<const std::uint32_t> units, std::span<const std::uint16_t> times,
                RankRoom& room);

// How two scores order the pairs of the same rows: what Kendall's tau (1945) and accuracy with
// calibrated ties (Deutsch, Foster & Freitag 2023) are made of.

// Pairs of rows by what x and y say of them; a row is never paired with a copy of itself.
struct PairCounts {
  std::int64_t concordant = 0, discordant = 0, tied_x = 0, tied_y = 0, tied_both = 0;
};

// Room to work in, kept from resample to resample, by ranks of y: the weight of rows that are lower in x
// (and a tree of sums of it), and of those tied in x.
struct PairRoom {
  std::vector<std::uint32_t> weights, tree, tied;
};

// Rows with a score x, the dense rank (from 0) of y, and the unit that each row is resampled with.
// Scores of x that differ by no more than epsilon are tied.
class PairRows {
 public:
  // Throws std::invalid_argument if the columns differ in length or a rank is out of range.
  PairRows(std::span<const double> x, std::span<const std::uint32_t> y,
           std::span<const std::uint32_t> units, double epsilon);

  std::size_t units() const { return units_; }

  // The pairs if each unit is sampled this many times.
  PairCounts count(std::span<const std::uint16_t> times, PairRoom& room) const;

 private:
  struct Row {
    double x;
    std::uint32_t y, unit, window;  // the first row that is tied with this one
  };
  std::vector<Row> rows_;  // in the order of x
  std::size_t ranks_ = 0;  // of y
  std::size_t units_ = 0;
};

// The pairs of rows that have both scores; NaN is missing.
PairCounts count_pairs(std::span<const double> x, std::span<const double> y, double epsilon);

// The smallest difference of x below which calling a tie is right most often, in the mean over
// groups that follow each other, of these sizes; 0 if ties are best left alone. If there are more
// than `limit` pairs in all, a sample of as many is looked at, the same in every run.
double tie_threshold(std::span<const double> x, std::span<const double> y,
                     std::span<const std::uint32_t> sizes, std::size_t limit);

}  // namespace otherwords::meta
