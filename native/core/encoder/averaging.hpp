// An averaging network over pieces and their n-grams (Universal Sentence Encoder Multilingual, Yang et al.
// 2020): embeddings, convolutions over two, three and five neighbours, a norm, the mean over the text, and
// dense layers. 8-bit weights, run by the kernels of the transformer.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "encoder/transformer.hpp"
#include "encoder/unigram.hpp"

namespace otherwords {

// Rows of codes of six bits in canonical Huffman codes. A code c in a row of group g stands for
// lows[g] + c scales[g].
struct CodedArrays {
  std::span<const std::uint8_t> groups;   // of each row
  std::span<const std::uint16_t> sizes;   // bytes of each row
  std::span<const std::uint8_t> lengths;  // bits of the codes of each group
  std::span<const float> lows, scales;    // of each group
  std::span<const std::uint8_t> bits;     // row after row, from the highest bit down
};

class CodedTable {
 public:
  static constexpr std::size_t codes = 64;
  static constexpr unsigned longest = 12;  // bits of a code

  CodedTable(const CodedArrays& arrays, std::size_t width);

  std::size_t size() const { return arrays_.groups.size(); }
  void read(std::size_t row, std::span<float> out) const;

 private:
  struct Entry {
    std::uint8_t code, length;
  };

  CodedArrays arrays_;
  std::vector<std::size_t> starts_;
  std::vector<Entry> entries_;  // of each group, by the next `longest` bits
};

struct AveragingArrays {
  CodedArrays words;
  LinearArrays project;  // from embeddings to the inputs of all convolutions, side by side
  NormArrays project_norm;
  std::vector<LinearArrays> convolutions;  // two for each order
  NormArrays norm;                         // of the embedding and the outputs of all convolutions
  LinearArrays mean;
  std::vector<LinearArrays> dense;  // see AveragingEncoder::finish
  float epsilon;
  std::uint32_t begin, end;  // rows of the marks at the ends of a text
};

class AveragingEncoder {
 public:
  // The arrays must outlive it. Throws std::invalid_argument if they do not fit together.
  AveragingEncoder(UnigramPieces pieces, const AveragingArrays& arrays, const Kernels& kernels);

  const UnigramPieces& pieces() const { return pieces_; }
  std::size_t outputs() const { return dense_.back().linear.outputs; }

  // One unit vector per text; `between` as of TextEncoder.
  std::vector<float> encode(std::span<const std::string_view> texts, unsigned threads,
                            const std::function<void()>& between) const;

 private:
  struct Scratch {
    UnigramPieces::Scratch pieces;
    LinearLayer::Scratch linear;
    std::vector<std::uint32_t> rows;
    std::vector<float> words, projected, windows, inner, outer, features;
    std::vector<double> sums;
  };

  void encode(std::string_view text, float* out, Scratch& scratch) const;
  void add_features(std::size_t from, std::size_t to, Scratch& scratch) const;
  void convolve(std::size_t order, std::size_t count, Scratch& scratch) const;
  void finish(const std::vector<float>& text, float* out, Scratch& scratch) const;
  std::vector<float> apply(const LinearLayer& layer, const std::vector<float>& row,
                           Scratch& scratch) const;

  UnigramPieces pieces_;
  const Kernels* kernels_;
  std::size_t width_, branch_;  // numbers of an embedding, and of the output of a convolution
  CodedTable words_;
  LinearLayer project_, mean_;
  std::vector<LinearLayer> convolutions_, dense_;
  std::vector<float> project_weight_, project_bias_, weight_, bias_;  // of the norms
  float epsilon_;
  std::uint32_t begin_, end_;
};

}  // namespace otherwords
