#include "bitext/alignment.hpp"

#include "bitext/training.hpp"
#include "parallel.hpp"

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

namespace {

constexpr std::size_t pairs_at_once = 1 << 14;  // whose links wait to be put in order

struct Link {
  std::uint32_t left, right;
  float posterior;
};

// The posteriors of one sentence pair in both directions, and their decoding.
class PairAligner {
 public:
  PairAligner(const AlignmentView& table, const AlignmentOptions& options,
              const JumpTable& right_jumps, const JumpTable& left_jumps)
      : table_(table), options_(options), right_jumps_(right_jumps), left_jumps_(left_jumps) {}

  void align(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
             std::vector<Link>& links) {
    rows_ = left.size();
    columns_ = right.size();
    emissions(left, right);
    const auto null = static_cast<float>(options_.null_probability);
    right_.run(columns_, rows_, right_emission_.data(), right_null_.data(), right_jumps_, null,
               right_posterior_.data());
    left_.run(rows_, columns_, left_emission_.data(), left_null_.data(), left_jumps_, null,
              left_posterior_.data());
    if (!options_.heuristic)
      by_threshold(links);
    else
      by_heuristic(links);
  }

 private:
  void emissions(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right);
  void by_threshold(std::vector<Link>& links) const;
  void by_heuristic(std::vector<Link>& links) const;

  // The geometric mean of the two directions' posteriors.
  float posterior(std::size_t i, std::size_t j) const {
    return std::sqrt(right_posterior_[j * rows_ + i] * left_posterior_[i * columns_ + j]);
  }

  const AlignmentView& table_;
  const AlignmentOptions& options_;
  const JumpTable &right_jumps_, &left_jumps_;
  Chain right_, left_;
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<float> right_emission_, left_emission_, right_null_, left_null_;
  std::vector<float> right_posterior_, left_posterior_;
};

void PairAligner::emissions(std::span<const std::uint32_t> left,
                            std::span<const std::uint32_t> right) {
  const std::size_t cells = rows_ * columns_;
  right_emission_.assign(cells, unseen_emission);
  left_emission_.assign(cells, unseen_emission);
  right_posterior_.resize(cells);
  left_posterior_.resize(cells);
  for (std::size_t i = 0; i < rows_; ++i) {
    if (left[i] + 1 >= table_.rows.size()) continue;
    const auto begin = table_.right.begin() + static_cast<std::ptrdiff_t>(table_.rows[left[i]]);
    const auto end = table_.right.begin() + static_cast<std::ptrdiff_t>(table_.rows[left[i] + 1]);
    for (std::size_t j = 0; j < columns_; ++j) {
      const auto found = std::lower_bound(begin, end, right[j]);
      if (found == end || *found != right[j]) continue;
      const auto k = static_cast<std::size_t>(found - table_.right.begin());
      right_emission_[j * rows_ + i] += table_.to_right[k];
      left_emission_[i * columns_ + j] += table_.to_left[k];
    }
  }
  const auto share = [](std::span<const float> shares, std::uint32_t word) {
    return word < shares.size() ? shares[word] + unseen_emission : unseen_emission;
  };
  right_null_.resize(columns_);
  left_null_.resize(rows_);
  for (std::size_t j = 0; j < columns_; ++j) right_null_[j] = share(table_.right_share, right[j]);
  for (std::size_t i = 0; i < rows_; ++i) left_null_[i] = share(table_.left_share, left[i]);
}

void PairAligner::by_threshold(std::vector<Link>& links) const {
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t j = 0; j < columns_; ++j)
      if (const float p = posterior(i, j); p > options_.threshold)
        links.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j), p});
}

// For every word the most likely position of the other side, or none if all are less likely
// than the empty word; then the heuristic.
void PairAligner::by_heuristic(std::vector<Link>& links) const {
  std::vector<std::uint8_t> forward(rows_ * columns_, 0), backward(rows_ * columns_, 0);
  const auto best = [](const float* row, std::size_t n) {
    float sum = 0;
    for (std::size_t x = 0; x < n; ++x) sum += row[x];
    const float* top = std::max_element(row, row + n);
    return *top > 1 - sum ? static_cast<std::size_t>(top - row) : n;
  };
  for (std::size_t j = 0; j < columns_; ++j)
    if (const std::size_t i = best(&right_posterior_[j * rows_], rows_); i < rows_)
      forward[i * columns_ + j] = 1;
  for (std::size_t i = 0; i < rows_; ++i)
    if (const std::size_t j = best(&left_posterior_[i * columns_], columns_); j < columns_)
      backward[i * columns_ + j] = 1;
  const auto matrix = symmetrise(forward, backward, rows_, columns_, *options_.heuristic);
  for (std::size_t i = 0; i < rows_; ++i)
    for (std::size_t j = 0; j < columns_; ++j)
      if (matrix[i * columns_ + j])
        links.push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j),
                         posterior(i, j)});
}

}  // namespace

void AlignmentView::check() const {
  if (rows.empty() || rows.front() != 0 || rows.back() != right.size() ||
      to_right.size() != right.size() || to_left.size() != right.size())
    throw std::invalid_argument("alignment model: the arrays do not fit each other");
  for (std::size_t e = 0; e + 1 < rows.size(); ++e)
    if (rows[e] > rows[e + 1]) throw std::invalid_argument("alignment model: rows out of order");
  const auto sound = [](float x) { return x >= 0 && x <= 1; };
  for (const auto& values : {to_right, to_left, left_share, right_share})
    if (!std::all_of(values.begin(), values.end(), sound))
      throw std::invalid_argument("alignment model: a probability outside of 0 to 1");
  // No sum of them may be 0; first jumps only lead ahead.
  const auto weighty = [](double x) { return x >= 1e-13 && x <= 1; };
  for (const auto* jumps : {&right_jumps, &left_jumps})
    if (!std::all_of(jumps->inner.begin(), jumps->inner.end(), weighty) ||
        !std::all_of(jumps->first.begin() + longest_jump + 1, jumps->first.end(), weighty))
      throw std::invalid_argument("alignment model: a jump weight outside of 0 to 1");
}

Links align(const AlignmentView& table, const Bitext& bitext, const AlignmentOptions& options) {
  table.check();
  bitext.check();
  const JumpTable right_jumps(table.right_jumps, options.max_words);
  const JumpTable left_jumps(table.left_jumps, options.max_words);
  Links out;
  out.bounds.push_back(0);
  std::vector<std::vector<Link>> found(std::min(bitext.size(), pairs_at_once));
  for (std::size_t first = 0; first < bitext.size(); first += pairs_at_once) {
    const std::size_t pairs = std::min(bitext.size() - first, pairs_at_once);
    parallel_blocks(pairs, options.threads, pairs_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      PairAligner aligner(table, options, right_jumps, left_jumps);
                      for (std::size_t x = begin; x < end; ++x) {
                        const std::size_t s = first + x;
                        found[x].clear();
                        if (bitext.usable(s, options.max_words))
                          aligner.align(bitext.left.sentence(s), bitext.right.sentence(s),
                                        found[x]);
                      }
                    },
                    options.interrupt);
    for (std::size_t x = 0; x < pairs; ++x) {
      for (const Link& link : found[x]) {
        out.left.push_back(link.left);
        out.right.push_back(link.right);
        out.posteriors.push_back(link.posterior);
      }
      out.bounds.push_back(static_cast<std::int64_t>(out.left.size()));
    }
  }
  return out;
}

}  // namespace otherwords
