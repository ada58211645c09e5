// Texts -> vectors: word pieces, windows of long texts, batches, the transformer, pooling. A text that
// occurs twice is encoded once.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "encoder/state_links.hpp"
#include "encoder/transformer.hpp"
#include "encoder/wordpiece.hpp"

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

  // The cosine of the vectors of each pair of texts; 1 for the same vectors, also if both are zeros.
  std::vector<double> cosines(std::span<const std::string_view> texts,
                              std::span<const std::int64_t> left,
                              std::span<const std::int64_t> right, unsigned threads,
                              const Between& between) const;

  // For each pair of texts the cosine of their vectors, then the summaries of left and right; `weights`
  // are those of the word rows.
  std::vector<double> match(std::span<const std::string_view> texts,
                            std::span<const std::int64_t> left,
                            std::span<const std::int64_t> right, std::span<const float> weights,
                            unsigned threads, const Between& between) const;

  // The partner of each piece of both texts among the pieces of the other.
  std::pair<StateLinks, StateLinks> links(std::string_view one, std::string_view other) const;

  // How many of the texts have each word row.
  std::vector<std::uint32_t> count(std::span<const std::string_view> texts, unsigned threads) const;

 private:
  using Rows = std::vector<std::uint32_t>;

  enum class States { none, pieces, all };  // all: with those of [CLS] and [SEP]

  struct Encoded {
    std::vector<float> vectors, states;
    std::vector<std::size_t> starts{0};  // of each text's states

    std::span<const float> of(std::size_t text, std::size_t width) const {
      return std::span(states).subspan(starts[text] * width,
                                       (starts[text + 1] - starts[text]) * width);
    }
  };

  Encoded encode_rows(const std::vector<Rows>& rows, bool vectors, States wanted,
                      unsigned threads, const Between& between) const;
  std::vector<Rows> split(std::span<const std::string_view> texts, unsigned threads) const;

  WordPieces pieces_;
  Transformer transformer_;
  EncoderSettings settings_;
};

}  // namespace otherwords
