// Vectors of word pieces at four bits per number: lookup, pooling, greedy matching.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "encoders/wordpiece.hpp"

namespace otherwords {

struct TableArrays {
  std::span<const std::uint8_t> codes;    // row by row; byte k holds numbers k (low) and k + d/2
  std::span<const float> steps;           // of each dimension: level l stands for (l - 7.5) step
  std::span<const std::uint8_t> weights;  // of a piece in a sentence, 2^(w/16 - 8)
  std::span<const std::uint8_t> rarity;   // -log p of a piece in text, in 1/16 nats
  float other_weight;                     // of a piece without a vector
};

// For each piece of a text the best partner on the other side.
struct PieceLinks {
  std::vector<float> cosines;
  std::vector<std::uint32_t> partners;
};

class StaticTable {
 public:
  StaticTable(WordPieces pieces, const TableArrays& arrays);

  const WordPieces& pieces() const { return pieces_; }
  std::size_t dimensions() const { return steps_.size(); }

  // The unit vector of a piece; one without a vector of its own gets random signs that its hash
  // decides, so that it is like itself and about orthogonal to all others.
  void vector_of(const Piece& piece, float* out) const;

  float weight_of(const Piece& piece) const;
  float rarity_of(const Piece& piece) const;

  // The weighted sum of the pieces' vectors, of length 1; zeros for a text without a piece.
  void pool(std::span<const Piece> pieces, float* out) const;

  // Of two unit vectors.
  float cosine(const float* one, const float* other) const;

  // Unit vectors of the pieces, row by row, with `mix` times each neighbour's added.
  void mixed(std::span<const Piece> pieces, float mix, std::vector<float>& out) const;

  // Greedy matching (BERTScore): every piece takes the partner of highest cosine.
  void match(std::span<const Piece> left, std::span<const Piece> right, float mix,
             PieceLinks& of_left, PieceLinks& of_right) const;

 private:
  WordPieces pieces_;
  TableArrays arrays_;
  std::vector<float> steps_;
  std::vector<float> scales_;  // 1 / length of each row as it is stored
};

}  // namespace otherwords
