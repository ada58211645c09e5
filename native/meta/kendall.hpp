// Kendall's tau-b (Kendall 1945) of rows that are drawn with replacement.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace otherwords::meta {

// Room to work in, kept from draw to draw: the weight of each rank of y, and a tree of sums of them.
struct KendallRoom {
  std::vector<std::uint32_t> weights, tree;
};

// Rows with the dense ranks (from 0) of two scores, and the unit that each row is drawn with.
class KendallRows {
 public:
  // Throws std::invalid_argument if the columns differ in length or a rank is out of range.
  KendallRows(std::span<const std::uint32_t> x, std::span<const std::uint32_t> y,
              std::span<const std::uint32_t> units);

  std::size_t units() const { return units_; }

  // Tau-b if each unit is drawn so many times; NaN if a side does not change.
  double tau_b(std::span<const std::uint16_t> times, KendallRoom& room) const;

 private:
  struct Row {
    std::uint32_t x, y, unit;
  };
  std::vector<Row> rows_;  // in the order of x
  std::size_t ranks_ = 0;  // of y
  std::size_t units_ = 0;
};

}  // namespace otherwords::meta
