// Maximum-weight bipartite matching for small integer weights.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace otherwords {

// Kuhn-Munkres in its primal-dual form. MAXSIM's weights are multiples of 1/2n, so they are
// kept as integers 0..W with W <= 2n; the duals then move in steps of one, and W searches of
// augmenting paths over the tight edges are all that is needed. Weight 0 means no edge.
class Matching {
 public:
  static constexpr std::size_t free_node = static_cast<std::size_t>(-1);

  // Solves for `left` x `right` nodes; weight(i, j) gives an integer. Returns the total.
  template <typename Weight>
  std::uint64_t solve(std::size_t left, std::size_t right, const Weight& weight) {
    if (left * right <= dense_limit) {
      dense_.resize(left * right);
      for (std::size_t i = 0; i < left; ++i)
        for (std::size_t j = 0; j < right; ++j) dense_[i * right + j] = weight(i, j);
      return solve_over(left, right,
                        [&](std::size_t i, std::size_t j) { return dense_[i * right + j]; });
    }
    return solve_over(left, right, weight);
  }

  // After solve: the partner of a left node, or free_node.
  std::size_t partner(std::size_t left) const { return left_partner_[left]; }

 private:
  static constexpr std::size_t dense_limit = std::size_t{1} << 22;

  template <typename Weight>
  std::uint64_t solve_over(std::size_t left, std::size_t right, const Weight& weight) {
    left_partner_.assign(left, free_node);
    right_partner_.assign(right, free_node);
    int level = 0;  // the dual of every free left node
    for (std::size_t i = 0; i < left; ++i)
      for (std::size_t j = 0; j < right; ++j)
        if (weight(i, j) > level) level = weight(i, j);
    left_dual_.assign(left, level);
    right_dual_.assign(right, 0);
    for (; level > 0; --level) {
      while (augment_all(left, right, weight)) {
      }
      for (std::size_t i = 0; i < left; ++i) left_dual_[i] -= left_seen_[i];
      for (std::size_t j = 0; j < right; ++j) right_dual_[j] += right_seen_[j];
    }
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < left; ++i)
      if (left_partner_[i] != free_node) total += weight(i, left_partner_[i]);
    return total;
  }

  // One round of searches from every free left node; true if any path was found. After a
  // round that found none, the nodes seen are those whose duals must move.
  template <typename Weight>
  bool augment_all(std::size_t left, std::size_t right, const Weight& weight) {
    left_seen_.assign(left, 0);
    right_seen_.assign(right, 0);
    parent_.resize(right);
    bool found = false;
    for (std::size_t i = 0; i < left; ++i)
      if (left_partner_[i] == free_node && augment(i, right, weight)) found = true;
    return found;
  }

  // Breadth-first search for an augmenting path of tight edges from a free left node.
  template <typename Weight>
  bool augment(std::size_t root, std::size_t right, const Weight& weight) {
    queue_.assign(1, root);
    left_seen_[root] = 1;
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const std::size_t i = queue_[head];
      for (std::size_t j = 0; j < right; ++j) {
        if (right_seen_[j]) continue;
        const int w = weight(i, j);
        if (w == 0 || w != left_dual_[i] + right_dual_[j]) continue;
        right_seen_[j] = 1;
        parent_[j] = i;
        if (right_partner_[j] == free_node) {
          flip(j);
          return true;
        }
        left_seen_[right_partner_[j]] = 1;
        queue_.push_back(right_partner_[j]);
      }
    }
    return false;
  }

  void flip(std::size_t j) {
    while (j != free_node) {
      const std::size_t i = parent_[j];
      const std::size_t previous = left_partner_[i];
      left_partner_[i] = j;
      right_partner_[j] = i;
      j = previous;
    }
  }

  std::vector<std::uint8_t> dense_;
  std::vector<std::size_t> left_partner_, right_partner_, parent_, queue_;
  std::vector<int> left_dual_, right_dual_;
  std::vector<std::uint8_t> left_seen_, right_seen_;
};

}  // namespace otherwords
