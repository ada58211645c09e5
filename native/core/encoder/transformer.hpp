// A BERT-type transformer with 8-bit weights: word rows in, states out. Texts of a batch stand one after
// the other without padding, so that a text's states do not depend on its neighbours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "encoder/kernels.hpp"

namespace otherwords {

struct LinearArrays {
  std::span<const std::int8_t> panels;
  std::span<const float> scales, bias;
};

struct NormArrays {
  std::span<const float> weight, bias;
};

struct LayerArrays {
  LinearArrays qkv, out, up, down;
  NormArrays attention_norm, norm;
};

// Rows of codes with a scale each: signed bytes, or two 4-bit codes per byte, the first half of the row in
// the low bits; a 4-bit code c stands for c - 7.5. `columns`, if not empty, are factors of the dimensions.
struct EmbeddingArrays {
  std::span<const std::uint8_t> codes;
  std::span<const float> scales, columns;
};

enum class Pooling : std::uint32_t { mean = 0, first = 1, pair = 2 };

struct TransformerArrays {
  EmbeddingArrays words, positions;
  std::span<const float> types;  // one or two rows
  NormArrays norm;
  std::vector<LayerArrays> layers;
  std::vector<LinearArrays> head;  // GELU between its layers
  std::size_t heads = 0;
  float epsilon = 0;
  Pooling pooling = Pooling::mean;
};

// The word rows of a text; those from `second` on are of the second text of a pair.
struct Sequence {
  std::span<const std::uint32_t> rows;
  std::size_t second;
};

// A linear layer and what it looks at, padded as the kernels want it; it moves and is never copied.
struct LinearLayer {
  struct Scratch {
    std::vector<std::uint8_t> codes;
    std::vector<float> scales;
  };

  LinearLayer(const LinearArrays& arrays, std::size_t inputs);
  LinearLayer(LinearLayer&&) = default;

  // Rows of round_up(inputs) numbers in, rows of linear.stride() numbers out.
  void apply(const Kernels& kernels, const float* rows, std::size_t count, float* out,
             Scratch& scratch) const;

  Linear linear;

 private:
  std::vector<std::int32_t> offsets_;
  std::vector<float> scales_, bias_;
};

class Transformer {
 public:
  // The arrays must outlive it. Throws std::invalid_argument if they do not fit together.
  Transformer(const TransformerArrays& arrays, const Kernels& kernels);
  Transformer(Transformer&&) = default;

  std::size_t width() const { return width_; }
  std::size_t stride() const { return round_up(width_); }
  std::size_t words() const { return words_.count; }
  std::size_t positions() const { return positions_.size() / stride(); }
  std::size_t outputs() const;  // of pool()
  bool reads_pairs() const { return pooling_ == Pooling::pair; }
  bool has_types() const { return types_.size() > stride(); }
  const Kernels& kernels() const { return *kernels_; }

  // What a thread needs and keeps from batch to batch.
  struct Scratch {
    std::vector<float> states, mixed, qkv, inner, attention;
    LinearLayer::Scratch linear;
  };

  // The states of the texts, one row of stride() numbers per piece; they are in `scratch.states`.
  const float* run(std::span<const Sequence> texts, Scratch& scratch) const;

  // The vector of a text from its states, or the head's outputs: outputs() numbers.
  void pool(const Sequence& text, const float* states, float* out, Scratch& scratch) const;

 private:
  struct Norm {
    std::vector<float> weight, bias;
  };
  struct Layer {
    LinearLayer qkv, out, up, down;
    Norm attention_norm, norm;
  };
  struct Table {
    EmbeddingArrays arrays;
    std::size_t count = 0, width = 0;
    bool is_halved = false;
    void read(std::size_t row, float* out) const;
  };

  Norm norm(const NormArrays& arrays) const;
  Table table(const EmbeddingArrays& arrays) const;
  void embed(std::span<const Sequence> texts, float* states) const;
  void attention(const Layer& layer, std::span<const Sequence> texts, std::size_t count,
                 Scratch& scratch) const;
  void feed_forward(const Layer& layer, std::size_t count, Scratch& scratch) const;

  const Kernels* kernels_;
  std::size_t width_;
  Heads heads_;
  float epsilon_;
  Pooling pooling_;
  Table words_;
  std::vector<float> positions_, types_;  // padded rows
  Norm norm_;
  std::vector<Layer> layers_;
  std::vector<LinearLayer> head_;
};

}  // namespace otherwords
