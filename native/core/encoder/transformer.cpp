#include "encoder/transformer.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace otherwords {
namespace {

constexpr std::size_t inner_rows = 48;  // of the wide part of a layer, so that it stays in the cache
// No weight of a trained model is near it; below it nothing overflows.
constexpr float largest_number = 1000;

void check_numbers(std::span<const float> numbers) {
  if (!std::ranges::all_of(numbers, [](float x) { return std::abs(x) <= largest_number; }))
    throw std::invalid_argument("a number of the encoder is out of range");
}

void check_size(std::size_t found, std::size_t expected) {
  if (found != expected) throw std::invalid_argument("the arrays of the encoder do not fit");
}

std::vector<float> padded(std::span<const float> numbers) {
  check_numbers(numbers);
  std::vector<float> out(round_up(numbers.size()));
  std::ranges::copy(numbers, out.begin());
  return out;
}

template <typename T>
T* room(std::vector<T>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer.resize(size);
  return buffer.data();
}

}  // namespace

LinearLayer::LinearLayer(const LinearArrays& arrays, std::size_t inputs) {
  const std::size_t outputs = arrays.bias.size();
  if (inputs == 0 || outputs == 0 || inputs > 1 << 16 || outputs > 1 << 16)
    throw std::invalid_argument("the arrays of the encoder do not fit");
  check_size(arrays.scales.size(), outputs);
  check_size(arrays.panels.size(), round_up(outputs) * round_up(inputs, 4));
  scales_ = padded(arrays.scales);
  bias_ = padded(arrays.bias);
  offsets_.resize(round_up(outputs));
  const std::int8_t* w = arrays.panels.data();
  for (std::size_t panel = 0; panel < offsets_.size(); panel += lanes)
    for (std::size_t step = 0; step < (inputs + 3) / 4; ++step, w += 4 * lanes)
      for (std::size_t o = 0; o < lanes; ++o)
        offsets_[panel + o] -= 128 * (w[4 * o] + w[4 * o + 1] + w[4 * o + 2] + w[4 * o + 3]);
  linear = {inputs, outputs, arrays.panels.data(), offsets_.data(), scales_.data(), bias_.data()};
}

void LinearLayer::apply(const Kernels& kernels, const float* rows, std::size_t count, float* out,
                        Scratch& scratch) const {
  const std::size_t size = round_up(linear.inputs);
  const Codes codes{room(scratch.codes, count * size * kernels.code_size),
                    room(scratch.scales, count), size};
  kernels.quantise(rows, count, size, codes);
  kernels.multiply(linear, codes, count, out);
}

Transformer::Transformer(const TransformerArrays& arrays, const Kernels& kernels)
    : kernels_(&kernels),
      width_(arrays.norm.weight.size()),
      epsilon_(arrays.epsilon),
      pooling_(arrays.pooling) {
  if (width_ < 4 || width_ > 1 << 14 || arrays.heads == 0 || width_ % arrays.heads)
    throw std::invalid_argument("the encoder's width and heads do not fit");
  if (!(epsilon_ >= 1e-30f && epsilon_ < 1)) throw std::invalid_argument("a wrong epsilon");
  heads_ = {arrays.heads, width_ / arrays.heads,
            1.0f / std::sqrt(static_cast<float>(width_ / arrays.heads))};
  words_ = table(arrays.words);
  const Table positions = table(arrays.positions);
  positions_.resize(positions.count * stride());
  for (std::size_t row = 0; row < positions.count; ++row)
    positions.read(row, &positions_[row * stride()]);
  const std::size_t types = arrays.types.size() / width_;
  check_size(arrays.types.size(), std::clamp<std::size_t>(types, 1, 2) * width_);
  check_numbers(arrays.types);
  types_.resize(types * stride());
  for (std::size_t row = 0; row < types; ++row)
    std::ranges::copy(arrays.types.subspan(row * width_, width_), &types_[row * stride()]);
  norm_ = norm(arrays.norm);
  if (arrays.layers.empty()) throw std::invalid_argument("the encoder has no layers");
  for (const LayerArrays& given : arrays.layers) {
    Layer layer{LinearLayer(given.qkv, width_), LinearLayer(given.out, width_), LinearLayer(given.up, width_),
                LinearLayer(given.down, given.up.bias.size()), norm(given.attention_norm),
                norm(given.norm)};
    check_size(layer.qkv.linear.outputs, 3 * width_);
    check_size(layer.out.linear.outputs, width_);
    check_size(layer.down.linear.outputs, width_);
    layers_.push_back(std::move(layer));
  }
  if (pooling_ > Pooling::pair || (pooling_ == Pooling::pair && (types != 2 || arrays.head.empty())))
    throw std::invalid_argument("the encoder's pooling does not fit");
  std::size_t inputs = pooling_ == Pooling::pair ? 3 * width_ : width_;
  for (const LinearArrays& given : arrays.head) {
    head_.emplace_back(given, inputs);
    inputs = given.bias.size();
  }
}

std::size_t Transformer::outputs() const {
  return head_.empty() ? width_ : head_.back().linear.outputs;
}

Transformer::Norm Transformer::norm(const NormArrays& arrays) const {
  check_size(arrays.weight.size(), width_);
  check_size(arrays.bias.size(), width_);
  return {padded(arrays.weight), padded(arrays.bias)};
}

Transformer::Table Transformer::table(const EmbeddingArrays& arrays) const {
  Table out{arrays, arrays.scales.size(), width_, false};
  check_numbers(arrays.scales);
  check_numbers(arrays.columns);
  out.is_halved = arrays.codes.size() != out.count * width_;
  if (out.count == 0 || (out.is_halved && width_ % 2))
    throw std::invalid_argument("the arrays of the encoder do not fit");
  check_size(arrays.codes.size(), out.count * (out.is_halved ? width_ / 2 : width_));
  if (!arrays.columns.empty()) check_size(arrays.columns.size(), width_);
  return out;
}

void Transformer::Table::read(std::size_t row, float* out) const {
  const float scale = arrays.scales[row];
  if (is_halved) {
    const std::size_t half = width / 2;
    const std::uint8_t* from = arrays.codes.data() + row * half;
    for (std::size_t i = 0; i < half; ++i) {
      out[i] = (static_cast<float>(from[i] & 15) - 7.5f) * scale;
      out[half + i] = (static_cast<float>(from[i] >> 4) - 7.5f) * scale;
    }
  } else {
    const auto* from = reinterpret_cast<const std::int8_t*>(arrays.codes.data()) + row * width;
    for (std::size_t i = 0; i < width; ++i) out[i] = static_cast<float>(from[i]) * scale;
  }
  if (!arrays.columns.empty())
    for (std::size_t i = 0; i < width; ++i) out[i] *= arrays.columns[i];
}

void Transformer::embed(std::span<const Sequence> texts, float* states) const {
  for (const Sequence& text : texts)
    for (std::size_t place = 0; place < text.rows.size(); ++place, states += stride()) {
      const float* position = &positions_[place * stride()];
      const float* type = &types_[place < text.second ? 0 : stride()];
      words_.read(text.rows[place], states);
      for (std::size_t i = 0; i < width_; ++i) states[i] = (states[i] + position[i]) + type[i];
      std::fill(states + width_, states + stride(), 0.0f);
    }
}

void Transformer::attention(const Layer& layer, std::span<const Sequence> texts, std::size_t count,
                            Scratch& scratch) const {
  float* states = scratch.states.data();
  const std::size_t size = layer.qkv.linear.stride();
  float* qkv = room(scratch.qkv, count * size + lanes);
  float* mixed = room(scratch.mixed, count * stride());
  layer.qkv.apply(*kernels_, states, count, qkv, scratch.linear);
  std::size_t at = 0;
  for (const Sequence& text : texts) {
    const std::size_t length = text.rows.size();
    float* some = room(scratch.attention, attention_scratch(heads_.size, length));
    kernels_->attend(heads_, qkv + at * size, length, mixed + at * stride(), some);
    at += length;
  }
  if (width_ < stride())
    for (std::size_t row = 0; row < count; ++row)
      std::fill(mixed + row * stride() + width_, mixed + (row + 1) * stride(), 0.0f);
  float* added = qkv;  // no longer needed
  layer.out.apply(*kernels_, mixed, count, added, scratch.linear);
  kernels_->add_and_norm(states, added, count, width_, layer.attention_norm.weight.data(),
                         layer.attention_norm.bias.data(), epsilon_);
}

void Transformer::feed_forward(const Layer& layer, std::size_t count, Scratch& scratch) const {
  const std::size_t size = layer.up.linear.stride();
  float* inner = room(scratch.inner, inner_rows * size);
  float* added = scratch.mixed.data();
  for (std::size_t begin = 0; begin < count; begin += inner_rows) {
    const std::size_t some = std::min(inner_rows, count - begin);
    float* states = scratch.states.data() + begin * stride();
    layer.up.apply(*kernels_, states, some, inner, scratch.linear);
    kernels_->gelu(inner, some, size);
    layer.down.apply(*kernels_, inner, some, added, scratch.linear);
    kernels_->add_and_norm(states, added, some, width_, layer.norm.weight.data(),
                           layer.norm.bias.data(), epsilon_);
  }
}

const float* Transformer::run(std::span<const Sequence> texts, Scratch& scratch) const {
  std::size_t count = 0;
  for (const Sequence& text : texts) count += text.rows.size();
  float* states = room(scratch.states, count * stride());
  embed(texts, states);
  kernels_->add_and_norm(states, nullptr, count, width_, norm_.weight.data(), norm_.bias.data(),
                         epsilon_);
  for (const Layer& layer : layers_) {
    attention(layer, texts, count, scratch);
    feed_forward(layer, count, scratch);
  }
  return states;
}

void Transformer::pool(const Sequence& text, const float* states, float* out,
                       Scratch& scratch) const {
  const auto mean = [&](std::size_t begin, std::size_t end, float* to) {
    std::vector<double> sums(width_);
    for (std::size_t row = begin; row < end; ++row)
      for (std::size_t i = 0; i < width_; ++i) sums[i] += states[row * stride() + i];
    for (std::size_t i = 0; i < width_; ++i)
      to[i] = static_cast<float>(sums[i] / static_cast<double>(end - begin));
  };
  if (head_.empty()) {
    if (pooling_ == Pooling::first)
      std::copy(states, states + width_, out);
    else
      mean(0, text.rows.size(), out);
    return;
  }
  std::vector<float> pooled(round_up(head_[0].linear.inputs));
  if (pooling_ != Pooling::mean) std::copy(states, states + width_, pooled.begin());
  if (pooling_ == Pooling::mean) mean(0, text.rows.size(), pooled.data());
  if (pooling_ == Pooling::pair) {
    mean(0, text.second, &pooled[width_]);
    mean(text.second, text.rows.size(), &pooled[2 * width_]);
  }
  for (std::size_t i = 0; i < head_.size(); ++i) {
    std::vector<float> next(head_[i].linear.stride());
    head_[i].apply(*kernels_, pooled.data(), 1, next.data(), scratch.linear);
    if (i + 1 < head_.size()) kernels_->gelu(next.data(), 1, next.size());
    pooled = std::move(next);
  }
  std::copy_n(pooled.begin(), outputs(), out);
}

}  // namespace otherwords
