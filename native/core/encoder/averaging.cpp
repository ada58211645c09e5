#include "encoder/averaging.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "parallel.hpp"
#include "require.hpp"

namespace otherwords {
namespace {

constexpr const char* misfit = "the arrays of the encoder do not fit";
constexpr std::size_t orders[] = {2, 3, 5}, before[] = {0, 1, 2};  // of a window, before its middle
constexpr std::size_t reach = 4;        // pieces on either side that two convolutions see
constexpr std::size_t block_rows = 96;  // pieces at once

// The same on every machine, unlike that of the system's library: e^2x = 2^n e^r, e^r by its series.
float exact_tanh(float x) {
  const double twice = std::clamp(2.0 * double{x}, -60.0, 60.0);
  const double n = std::nearbyint(twice / 0.6931471805599453);
  const double r = twice - n * 0.6931471805599453;
  double series = 1;
  for (int k = 12; k > 0; --k) series = 1 + series * r / k;
  const double power = std::ldexp(series, static_cast<int>(n));
  return static_cast<float>((power - 1) / (power + 1));
}

bool is_number(float x) { return std::abs(x) <= 1000; }

void rectify(std::vector<float>& row) {
  for (float& x : row) x = std::max(x, 0.0f);
}

void add_to(std::vector<float>& row, const std::vector<float>& other) {
  for (std::size_t i = 0; i < row.size(); ++i) row[i] += other[i];
}

}  // namespace

CodedTable::CodedTable(const CodedArrays& arrays, std::size_t width) : arrays_(arrays) {
  const std::size_t groups = arrays.lows.size();
  require(groups > 0 && arrays.scales.size() == groups && arrays.lengths.size() == groups * codes &&
              arrays.sizes.size() == size() && size() > 0 &&
              std::ranges::all_of(arrays.groups, [&](auto group) { return group < groups; }),
          misfit);
  for (const auto numbers : {arrays.lows, arrays.scales})
    require(std::ranges::all_of(numbers, is_number), misfit);
  starts_.assign(1, 0);
  for (const std::uint16_t bytes : arrays.sizes) {
    require(bytes * 8u >= width, misfit);
    starts_.push_back(starts_.back() + bytes);
  }
  require(starts_.back() == arrays.bits.size(), misfit);
  for (std::size_t group = 0; group < groups; ++group) {
    const auto lengths = arrays.lengths.subspan(group * codes, codes);
    const std::size_t full = entries_.size() + (std::size_t{1} << longest);
    for (unsigned length = 1; length <= longest; ++length)
      for (std::size_t code = 0; code < codes; ++code)
        if (lengths[code] == length)
          entries_.resize(entries_.size() + (std::size_t{1} << (longest - length)),
                          {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(length)});
    require(entries_.size() == full, "the codes of the encoder do not fit");
  }
}

void CodedTable::read(std::size_t row, std::span<float> out) const {
  const std::size_t group = arrays_.groups[row];
  const Entry* entries = &entries_[group << longest];
  const float low = arrays_.lows[group], scale = arrays_.scales[group];
  const auto bits = arrays_.bits.subspan(starts_[row], starts_[row + 1] - starts_[row]);
  std::uint64_t held = 0;
  unsigned count = 0;
  std::size_t at = 0;
  for (float& number : out) {
    for (; count < longest; count += 8) held = held << 8 | (at < bits.size() ? bits[at++] : 0u);
    const Entry entry = entries[held >> (count - longest) & ((1u << longest) - 1)];
    count -= entry.length;
    number = low + static_cast<float>(entry.code) * scale;
  }
}

AveragingEncoder::AveragingEncoder(UnigramPieces pieces, const AveragingArrays& arrays,
                                   const Kernels& kernels)
    : pieces_(std::move(pieces)),
      kernels_(&kernels),
      width_(arrays.norm.weight.size() -
             std::min(arrays.norm.weight.size(), arrays.project.bias.size())),
      branch_(arrays.project.bias.size() / std::size(orders)),
      words_(arrays.words, width_),
      project_(arrays.project, width_),
      mean_(arrays.mean, arrays.norm.weight.size()),
      project_weight_(arrays.project_norm.weight.begin(), arrays.project_norm.weight.end()),
      project_bias_(arrays.project_norm.bias.begin(), arrays.project_norm.bias.end()),
      weight_(arrays.norm.weight.begin(), arrays.norm.weight.end()),
      bias_(arrays.norm.bias.begin(), arrays.norm.bias.end()),
      epsilon_(arrays.epsilon),
      begin_(arrays.begin),
      end_(arrays.end) {
  const auto add = [](std::vector<LinearLayer>& layers, const LinearArrays& given,
                      std::size_t inputs, std::size_t outputs) {
    layers.emplace_back(given, inputs);
    require(given.bias.size() == outputs && outputs % lanes == 0, misfit);
  };
  require(width_ % lanes == 0 && branch_ % lanes == 0 && arrays.dense.size() == 6 &&
              project_.linear.outputs == std::size(orders) * branch_ &&
              arrays.convolutions.size() == 2 * std::size(orders) &&
              words_.size() == pieces_.size() && begin_ < words_.size() && end_ < words_.size(),
          misfit);
  for (std::size_t i = 0; i < arrays.convolutions.size(); ++i)
    add(convolutions_, arrays.convolutions[i], orders[i / 2] * branch_, branch_);
  const std::size_t text = arrays.mean.bias.size(), first = arrays.dense[0].bias.size(),
                    second = arrays.dense[3].bias.size();
  const std::size_t inputs[] = {text, text, first, first, first, second};
  const std::size_t outputs[] = {first, first, first, second, second, second};
  for (std::size_t i = 0; i < arrays.dense.size(); ++i)
    add(dense_, arrays.dense[i], inputs[i], outputs[i]);
  require(text % lanes == 0 && project_weight_.size() == project_.linear.outputs &&
              project_bias_.size() == project_weight_.size() && bias_.size() == weight_.size() &&
              epsilon_ > 1e-30f && epsilon_ < 1,
          misfit);
  for (const auto* numbers : {&project_weight_, &project_bias_, &weight_, &bias_})
    require(std::ranges::all_of(*numbers, is_number), misfit);
}

std::vector<float> AveragingEncoder::encode(std::span<const std::string_view> texts,
                                            unsigned threads,
                                            const std::function<void()>& between) const {
  std::vector<float> out(texts.size() * outputs());
  const auto run = [&](std::size_t begin, std::size_t end) {
    thread_local Scratch scratch;
    for (std::size_t i = begin; i < end; ++i) encode(texts[i], &out[i * outputs()], scratch);
  };
  parallel_blocks(texts.size(), threads, 4, run, between);
  return out;
}

// A long text is computed in blocks with their neighbours, which gives the same numbers.
void AveragingEncoder::encode(std::string_view text, float* out, Scratch& scratch) const {
  scratch.rows.assign(1, begin_);
  pieces_.split(text, scratch.rows, scratch.pieces);
  scratch.rows.push_back(end_);
  const std::size_t count = scratch.rows.size();
  scratch.sums.assign(weight_.size(), 0.0);
  for (std::size_t from = 0; from < count; from += block_rows)
    add_features(from, std::min(count, from + block_rows), scratch);
  std::vector<float> mean(weight_.size());
  std::ranges::transform(scratch.sums, mean.begin(), [&](double sum) {
    return static_cast<float>(sum / static_cast<double>(count));
  });
  std::vector<float> projected = apply(mean_, mean, scratch);
  for (float& x : projected) x *= std::sqrt(static_cast<float>(count));
  finish(projected, out, scratch);
}

// Adds the features of the pieces from `from` to `to` to the sums.
void AveragingEncoder::add_features(std::size_t from, std::size_t to, Scratch& scratch) const {
  const std::size_t begin = from - std::min(from, reach);
  const std::size_t count = std::min(scratch.rows.size(), to + reach) - begin;
  const std::size_t size = weight_.size();
  scratch.words.resize(count * width_);
  scratch.projected.resize(count * project_.linear.outputs);
  scratch.features.resize(count * size);
  for (std::size_t i = 0; i < count; ++i) {
    float* word = &scratch.words[i * width_];
    words_.read(scratch.rows[begin + i], {word, width_});
    std::copy_n(word, width_, &scratch.features[i * size]);
  }
  project_.apply(*kernels_, scratch.words.data(), count, scratch.projected.data(), scratch.linear);
  kernels_->add_and_norm(scratch.projected.data(), nullptr, count, project_.linear.outputs,
                         project_weight_.data(), project_bias_.data(), epsilon_);
  for (std::size_t order = 0; order < std::size(orders); ++order) convolve(order, count, scratch);
  kernels_->add_and_norm(scratch.features.data(), nullptr, count, size, weight_.data(),
                         bias_.data(), epsilon_);
  for (std::size_t row = from - begin; row < to - begin; ++row)
    for (std::size_t i = 0; i < size; ++i)
      scratch.sums[i] += double{scratch.features[row * size + i]};
}

// Two layers: each adds the rectified convolution of its input to the input.
void AveragingEncoder::convolve(std::size_t order, std::size_t count, Scratch& scratch) const {
  const std::size_t size = orders[order], past = before[order];
  const std::size_t stride = project_.linear.outputs;
  scratch.inner.resize(count * branch_);
  for (std::size_t row = 0; row < count; ++row)
    std::copy_n(&scratch.projected[row * stride + order * branch_], branch_,
                &scratch.inner[row * branch_]);
  scratch.outer.resize(count * branch_);
  for (std::size_t layer = 0; layer < 2; ++layer) {
    scratch.windows.assign(count * size * branch_, 0.0f);
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t k = 0; k < size; ++k)
        if (row + k >= past && row + k - past < count)
          std::copy_n(&scratch.inner[(row + k - past) * branch_], branch_,
                      &scratch.windows[(row * size + k) * branch_]);
    convolutions_[2 * order + layer].apply(*kernels_, scratch.windows.data(), count,
                                           scratch.outer.data(), scratch.linear);
    rectify(scratch.outer);
    add_to(scratch.inner, scratch.outer);
  }
  for (std::size_t row = 0; row < count; ++row)
    std::copy_n(&scratch.inner[row * branch_], branch_,
                &scratch.features[row * weight_.size() + width_ + order * branch_]);
}

// Two blocks of dense layers, each with one that leads past the others; a vector of length 1.
void AveragingEncoder::finish(const std::vector<float>& text, float* out, Scratch& scratch) const {
  std::vector<float> row = apply(dense_[0], text, scratch);
  rectify(row);
  std::vector<float> first = apply(dense_[1], text, scratch);
  add_to(first, apply(dense_[2], row, scratch));
  rectify(first);
  row = apply(dense_[3], first, scratch);
  rectify(row);
  std::vector<float> second = apply(dense_[4], first, scratch);
  add_to(second, apply(dense_[5], row, scratch));
  double squares = 0;
  for (float& x : second) {
    x = exact_tanh(x);
    squares += double{x} * double{x};
  }
  const double length = squares > 0 ? std::sqrt(squares) : 1.0;
  for (std::size_t i = 0; i < second.size(); ++i) out[i] = static_cast<float>(second[i] / length);
}

std::vector<float> AveragingEncoder::apply(const LinearLayer& layer, const std::vector<float>& row,
                                           Scratch& scratch) const {
  std::vector<float> out(layer.linear.stride());
  layer.apply(*kernels_, row.data(), 1, out.data(), scratch.linear);
  return out;
}

}  // namespace otherwords
