// Aligns a bitext with a trained table: posteriors in both directions, decoded to links.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "bitext/corpus.hpp"
#include "bitext/hmm.hpp"
#include "bitext/links.hpp"
#include "bitext/symmetrise.hpp"

namespace otherwords {

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
