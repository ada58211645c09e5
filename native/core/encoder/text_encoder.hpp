// Texts -> vectors: word pieces, windows of long texts, batches, the transformer, pooling. A text that
// occurs twice is encoded once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "encoder/transformer.hpp"
#include "encoders/wordpiece.hpp"

namespace otherwords {

struct EncoderSettings {
  std::size_t longest;                // pieces at once, with those at the ends
  std::uint32_t unknown, begin, end;  // rows of [UNK], [CLS], [SEP]
  bool to_unit;                       // vectors of texts have length 1
};

class TextEncoder {
 public:
  // Called between batches; what it throws ends the work.
  using Between = std::function<void()>;

  TextEncoder(WordPieces pieces, Transformer transformer, const EncoderSettings& settings);

  const WordPieces& pieces() const { return pieces_; }
  const Transformer& transformer() const { return transformer_; }

  // One vector per text, zeros for a text without a piece. A text that is longer than the encoder reads
  // at once is read in windows; its vector is their mean, weighted by the pieces that each adds.
  std::vector<float> encode(std::span<const std::string_view> texts, unsigned threads,
                            const Between& between) const;

  // The states of the pieces of all texts, text after text, and where each text's start. With `ends`,
  // those of [CLS] and [SEP] too. Of a piece in two windows the state of the one where it stands
  // farther from the end.
  std::pair<std::vector<float>, std::vector<std::int64_t>> states(
      std::span<const std::string_view> texts, bool ends, unsigned threads,
      const Between& between) const;

  // The head's outputs for pairs of texts; `left_out` becomes the number of pieces of each pair that
  // were cut off, from the end of the longer text first.
  std::vector<float> compare(std::span<const std::string_view> texts,
                             std::span<const std::int64_t> left,
                             std::span<const std::int64_t> right, unsigned threads,
                             const Between& between, std::vector<std::int64_t>& left_out) const;

 private:
  using Rows = std::vector<std::uint32_t>;

  std::vector<Rows> split(std::span<const std::string_view> texts, unsigned threads) const;

  WordPieces pieces_;
  Transformer transformer_;
  EncoderSettings settings_;
};

}  // namespace otherwords
