// Spearman's rank correlation of rows that are sampled with replacement.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace otherwords::meta
