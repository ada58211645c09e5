// Summaries of greedy matching by vectors (BERTScore, Zhang et al. 2020), for learned metrics.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "encoders/static_table.hpp"

namespace otherwords {

// The pieces of a text, and which of them are signs (punctuation).
struct SignedPieces {
  std::vector<Piece> pieces;
  std::vector<std::uint8_t> signs;

  void split(const WordPieces& splitter, std::string_view text, WordPieces::Scratch& scratch);
};

// Of the cosines of a text's pieces with their best partners.
struct SoftSummary {
  static constexpr std::size_t size = 9;

  double weighted;  // mean, by rarity; signs count little
  double mean;
  double lowest;  // mean of the lowest quarter
  double least;
  double function, content, signs;  // means over frequent words, others, signs; 1 of none
  double lost;                      // weight of pieces whose cosine is below one half, as a share
  double mass;                      // log of 1 + what all pieces lack of 1, in usual words

  double* copy(double* out) const {
    for (const double value : {weighted, mean, lowest, least, function, content, signs, lost, mass})
      *out++ = value;
    return out;
  }
};

class SoftMatch {
 public:
  explicit SoftMatch(const StaticTable& table) : table_(table) {}

  // For each mix (how much of either neighbour is added to a vector) the summaries of left and
  // right, 0 throughout if either is empty. A product of mixed vectors is a sum of products of
  // plain ones, so that these are computed once.
  void compare(const SignedPieces& left, const SignedPieces& right, std::span<const float> mixes,
               SoftSummary* out);

 private:
  struct Side {
    std::vector<std::uint32_t> kinds;  // of each piece: texts repeat theirs
    std::vector<Piece> distinct;
    std::vector<std::uint32_t> slots;  // of a table by hash: 1 + a kind, 0 if empty
    std::vector<float> vectors;        // of the kinds
    std::vector<float> next, second;   // product of each piece with the first and second to follow
  };

  struct Mixed {
    float mix;
    std::vector<float> left_scales, right_scales, left_best, right_best;
  };

  void read(std::span<const Piece> pieces, Side& side) const;
  const float* kind_row(std::uint32_t left_kind);
  static void set_scales(const Side& side, float mix, std::vector<float>& out);
  void match_row(std::size_t row, Mixed& mixed);
  SoftSummary summary(const SignedPieces& text, std::span<const float> best);

  const StaticTable& table_;
  Side left_, right_;
  std::vector<float> kind_rows_;           // products of kinds of the left with all of the right,
  std::vector<std::uint32_t> row_owners_;  // as many as fit, and which kind each of them is of
  std::array<std::vector<float>, 3> products_;  // of plain vectors: the rows in use
  std::vector<Mixed> mixed_;
  std::vector<float> sums_, sorted_;
};

}  // namespace otherwords
