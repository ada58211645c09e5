#include "bitext/symmetrise.hpp"

#include <utility>

namespace otherwords {
namespace {

using Matrix = std::vector<std::uint8_t>;

class Growing {
 public:
  Growing(const Matrix& forward, const Matrix& backward, std::size_t rows, std::size_t columns)
      : forward_(forward), backward_(backward), rows_(rows), columns_(columns),
        links_(rows * columns, 0), left_(rows, 0), right_(columns, 0) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        if (in(forward, i, j) && in(backward, i, j)) add(i, j);
  }

  // Neighbours of links, diagonal ones too, that the union has and that give a word its first
  // link, until there are none.
  void grow_diag() {
    static constexpr std::pair<int, int> kNeighbours[] = {{-1, 0}, {0, -1}, {1, 0},  {0, 1},
                                                          {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    for (bool added = true; added;) {
      added = false;
      for (std::size_t i = 0; i < rows_; ++i)
        for (std::size_t j = 0; j < columns_; ++j) {
          if (!links_[i * columns_ + j]) continue;
          for (const auto& [down, across] : kNeighbours) {
            const std::size_t i2 = i + static_cast<std::size_t>(down);
            const std::size_t j2 = j + static_cast<std::size_t>(across);
            if (i2 >= rows_ || j2 >= columns_ || links_[i2 * columns_ + j2]) continue;
            if ((left_[i2] && right_[j2]) || !(in(forward_, i2, j2) || in(backward_, i2, j2)))
              continue;
            add(i2, j2);
            added = true;
          }
        }
    }
  }

  // Links of one direction where either word (`both`: where each of them) is still alone.
  void final(const Matrix& direction, bool both) {
    for (std::size_t i = 0; i < rows_; ++i)
      for (std::size_t j = 0; j < columns_; ++j) {
        const bool wanted = both ? !left_[i] && !right_[j] : !left_[i] || !right_[j];
        if (wanted && in(direction, i, j)) add(i, j);
      }
  }

  Matrix links() && { return std::move(links_); }

 private:
  bool in(const Matrix& matrix, std::size_t i, std::size_t j) const {
    return matrix[i * columns_ + j] != 0;
  }
  void add(std::size_t i, std::size_t j) {
    links_[i * columns_ + j] = left_[i] = right_[j] = 1;
  }

  const Matrix& forward_;
  const Matrix& backward_;
  std::size_t rows_, columns_;
  Matrix links_;
  std::vector<std::uint8_t> left_, right_;
};

}  // namespace

Matrix symmetrise(const Matrix& forward, const Matrix& backward, std::size_t rows,
                  std::size_t columns, Heuristic heuristic) {
  if (heuristic == Heuristic::union_) {
    Matrix links(rows * columns);
    for (std::size_t x = 0; x < links.size(); ++x) links[x] = forward[x] | backward[x];
    return links;
  }
  Growing growing(forward, backward, rows, columns);
  if (heuristic != Heuristic::intersection) growing.grow_diag();
  if (heuristic == Heuristic::grow_diag_final || heuristic == Heuristic::grow_diag_final_and) {
    const bool both = heuristic == Heuristic::grow_diag_final_and;
    growing.final(forward, both);
    growing.final(backward, both);
  }
  return std::move(growing).links();
}

}  // namespace otherwords
