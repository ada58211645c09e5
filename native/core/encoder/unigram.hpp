// Text -> pieces of a unigram model (Kudo 2018), as SentencePiece makes them: characters are replaced by
// a compiled table, spaces become U+2581, and the segmentation of highest probability is taken.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hash.hpp"

namespace otherwords {

// The arrays `pieces/...` and `normalizer/...` of a model.
struct UnigramArrays {
  std::span<const std::uint64_t> hashes;  // of the pieces, ascending
  std::span<const float> scores;          // log probability of each
  std::span<const std::uint32_t> units;   // a double array (Darts): bytes -> place of their replacement
  std::span<const std::uint8_t> replacements;  // each ends with a zero byte
  std::uint32_t longest;                       // characters of a piece
  std::uint32_t unknown;                       // row of what is no piece
};

class UnigramPieces {
 public:
  explicit UnigramPieces(const UnigramArrays& arrays);
  UnigramPieces(UnigramPieces&&) = default;  // never copied: the index looks at its buckets

  std::size_t size() const { return index_.size(); }

  // What a thread needs and keeps from text to text.
  struct Scratch {
    std::string text;
    std::vector<std::uint32_t> ends, starts, rows;  // by position, in characters
    std::vector<double> best;
  };

  // Appends the rows of the text's pieces to `out`; a text without a character is one unknown piece.
  void split(std::string_view text, std::vector<std::uint32_t>& out, Scratch& scratch) const;

 private:
  struct Replacement {
    std::string_view becomes;
    std::size_t size;  // bytes that it replaces
  };
  Replacement replacement(std::string_view text, std::size_t at) const;
  void normalise(std::string_view text, std::string& out) const;

  UnigramArrays arrays_;
  std::vector<std::uint32_t> buckets_;
  HashIndex index_;
  double unknown_score_;
};

}  // namespace otherwords
