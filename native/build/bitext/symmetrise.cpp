#include "bitext/symmetrise.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace otherwords {
namespace {

using Matrix = std::vector<std::uint8_t>;

constexpr std::size_t longest_sentence = 10'000;  // words

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
    static constexpr std::pair<int, int> neighbours[] = {{-1, 0}, {0, -1}, {1, 0},  {0, 1},
                                                          {-1, -1}, {-1, 1}, {1, -1}, {1, 1}};
    for (bool added = true; added;) {
      added = false;
      for (std::size_t i = 0; i < rows_; ++i)
        for (std::size_t j = 0; j < columns_; ++j) {
          if (!links_[i * columns_ + j]) continue;
          for (const auto& [down, across] : neighbours) {
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

// The least matrix that holds all links of a sentence pair.
struct Size {
  std::size_t rows = 0, columns = 0;

  Size holding(const LinksView& links, std::size_t s) const {
    Size out = *this;
    for (auto k = static_cast<std::size_t>(links.bounds[s]);
         k < static_cast<std::size_t>(links.bounds[s + 1]); ++k) {
      out.rows = std::max(out.rows, links.left[k] + std::size_t{1});
      out.columns = std::max(out.columns, links.right[k] + std::size_t{1});
    }
    if (out.rows > longest_sentence || out.columns > longest_sentence)
      throw std::invalid_argument("links: a sentence of more than 10,000 words");
    return out;
  }
};

Matrix matrix(const LinksView& links, std::size_t s, Size size) {
  Matrix out(size.rows * size.columns, 0);
  for (auto k = static_cast<std::size_t>(links.bounds[s]);
       k < static_cast<std::size_t>(links.bounds[s + 1]); ++k)
    out[links.left[k] * size.columns + links.right[k]] = 1;
  return out;
}

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

Links symmetrise(const LinksView& forward, const LinksView& backward, Heuristic heuristic) {
  forward.check();
  backward.check();
  if (forward.size() != backward.size())
    throw std::invalid_argument("links: the directions differ in their number of sentences");
  Links out;
  out.bounds.push_back(0);
  for (std::size_t s = 0; s < forward.size(); ++s) {
    const Size size = Size{}.holding(forward, s).holding(backward, s);
    const Matrix links = symmetrise(matrix(forward, s, size), matrix(backward, s, size), size.rows,
                                    size.columns, heuristic);
    for (std::size_t x = 0; x < links.size(); ++x)
      if (links[x]) {
        out.left.push_back(static_cast<std::uint32_t>(x / size.columns));
        out.right.push_back(static_cast<std::uint32_t>(x % size.columns));
      }
    out.bounds.push_back(static_cast<std::int64_t>(out.left.size()));
  }
  return out;
}

}  // namespace otherwords
