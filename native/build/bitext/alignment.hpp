// Links of a bitext: positions of both sides, sentence by sentence.
#pragma once

#include "bitext/hmm.hpp"
#include "buffer.hpp"

namespace otherwords {

struct Links {
  Buffer<std::uint32_t> left, right;
  Buffer<float> posteriors;  // none where nothing is known about them
  Buffer<std::int64_t> bounds;
};

struct LinksView {
  std::span<const std::uint32_t> left, right;
  std::span<const std::int64_t> bounds;  // sentences + 1

  std::size_t size() const { return bounds.size() - 1; }

  void check() const {
    if (left.size() != right.size() || bounds.empty() || bounds.front() != 0 ||
        bounds.back() != static_cast<std::int64_t>(left.size()))
      throw std::invalid_argument("links: the bounds do not fit the links");
    for (std::size_t s = 0; s < size(); ++s)
      if (bounds[s] > bounds[s + 1]) throw std::invalid_argument("links: bounds out of order");
  }
};

// Two directional alignments made one (Och & Ney 2003; Koehn, Axelrod et al. 2005).

enum class Heuristic { intersection, union_, grow_diag, grow_diag_final, grow_diag_final_and };

// `forward` and `backward` are left x right matrices of 0 and 1; the result is one too.
std::vector<std::uint8_t> symmetrise(const std::vector<std::uint8_t>& forward,
                                     const std::vector<std::uint8_t>& backward, std::size_t rows,
                                     std::size_t columns, Heuristic heuristic);

// The same for all sentence pairs of a bitext.
Links symmetrise(const LinksView& forward, const LinksView& backward, Heuristic heuristic);

// Aligns a bitext with a trained table: posteriors in both directions, decoded to links.

// A trained AlignmentTable, wherever its arrays live. Words outside of it may occur in the
// text; nothing is known about them.
struct AlignmentView {
  std::span<const std::uint64_t> rows;
  std::span<const std::uint32_t> right;
  std::span<const float> to_right, to_left, left_share, right_share;
  JumpWeights right_jumps, left_jumps;

  void check() const;
};

struct AlignmentOptions {
  std::optional<Heuristic> heuristic;  // of two directional alignments; none: by threshold
  double threshold;                    // on the posterior of a link
  double null_probability;
  std::size_t max_words;
  unsigned threads;
  std::function<void()> interrupt;  // called now and then; an exception from it ends the work
};

Links align(const AlignmentView& table, const Bitext& bitext, const AlignmentOptions& options);

}  // namespace otherwords
