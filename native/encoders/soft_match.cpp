#include "encoders/soft_match.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace otherwords {
namespace {

constexpr float usual = 6;           // rarity of a usual word, in nats; a function word has less
constexpr float sign_weight = 0.3f;  // of punctuation, as a share of a usual word's

bool same(const Piece& a, const Piece& b) {
  return a.hash == b.hash && (a.row == Piece::unknown) == (b.row == Piece::unknown);
}

}  // namespace

void SignedPieces::split(const WordPieces& splitter, std::string_view text,
                         WordPieces::Scratch& scratch) {
  splitter.split(text, pieces, scratch);
  signs.clear();
  for (const Piece& piece : pieces)
    signs.push_back(splitter.is_sign(
        std::string_view(scratch.folded).substr(piece.first, piece.last - piece.first)));
}

void SoftMatch::read(std::span<const Piece> pieces, Side& side) const {
  const std::size_t d = table_.dimensions(), n = pieces.size();
  side.vectors.resize(n * d);
  for (std::size_t i = 0; i < n; ++i) table_.vector_of(pieces[i], side.vectors.data() + i * d);
  const auto product = [&](std::size_t i, std::size_t j) {
    return j < n ? table_.cosine(side.vectors.data() + i * d, side.vectors.data() + j * d) : 0.0f;
  };
  side.next.resize(n);
  side.second.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    side.next[i] = product(i, i + 1);
    side.second[i] = product(i, i + 2);
  }
}

// 1 / length of each vector with its neighbours mixed in.
void SoftMatch::set_scales(const Side& side, float mix, std::vector<float>& out) {
  const std::size_t size = side.next.size();
  out.resize(size);
  for (std::size_t i = 0; i < size; ++i) {
    const bool before = i > 0, after = i + 1 < size;
    float square = 1;
    if (before) square += mix * mix + 2 * mix * side.next[i - 1];
    if (after) square += mix * mix + 2 * mix * side.next[i];
    if (before && after) square += 2 * mix * mix * side.second[i - 1];
    out[i] = square > 1e-6f ? 1 / std::sqrt(square) : 0;
  }
}

// One row of cosines, from the products of this row and the ones before and after it.
void SoftMatch::match_row(std::size_t row, Mixed& mixed) {
  const std::size_t width = mixed.right_scales.size();
  const float mix = mixed.mix;
  sums_ = products_[row % 3];
  if (mix != 0) {
    if (row > 0)
      for (std::size_t j = 0; j < width; ++j) sums_[j] += mix * products_[(row + 2) % 3][j];
    if (row + 1 < mixed.left_scales.size())
      for (std::size_t j = 0; j < width; ++j) sums_[j] += mix * products_[(row + 1) % 3][j];
  }
  float best = 0;
  for (std::size_t j = 0; j < width; ++j) {
    float value = sums_[j];
    if (mix != 0) {
      if (j > 0) value += mix * sums_[j - 1];
      if (j + 1 < width) value += mix * sums_[j + 1];
    }
    value = std::min(1.0f, value * mixed.left_scales[row] * mixed.right_scales[j]);
    best = std::max(best, value);
    mixed.right_best[j] = std::max(mixed.right_best[j], value);
  }
  mixed.left_best[row] = best;
}

void SoftMatch::compare(const SignedPieces& left, const SignedPieces& right,
                        std::span<const float> mixes, SoftSummary* out) {
  const std::size_t n = left.pieces.size(), m = right.pieces.size(), d = table_.dimensions();
  if (n == 0 || m == 0) {
    std::fill(out, out + 2 * mixes.size(), SoftSummary{});
    return;
  }
  read(left.pieces, left_);
  read(right.pieces, right_);
  mixed_.resize(mixes.size());
  for (std::size_t k = 0; k < mixes.size(); ++k) {
    mixed_[k].mix = mixes[k];
    set_scales(left_, mixes[k], mixed_[k].left_scales);
    set_scales(right_, mixes[k], mixed_[k].right_scales);
    mixed_[k].left_best.assign(n, 0);
    mixed_[k].right_best.assign(m, 0);
  }
  const auto multiply = [&](std::size_t i) {
    std::vector<float>& row = products_[i % 3];
    row.resize(m);
    for (std::size_t j = 0; j < m; ++j)
      row[j] = same(left.pieces[i], right.pieces[j])
                   ? 1.0f
                   : table_.cosine(left_.vectors.data() + i * d, right_.vectors.data() + j * d);
  };
  multiply(0);
  for (std::size_t i = 0; i < n; ++i) {
    if (i + 1 < n) multiply(i + 1);
    for (Mixed& mixed : mixed_) match_row(i, mixed);
  }
  for (const Mixed& mixed : mixed_) {
    *out++ = summary(left, mixed.left_best);
    *out++ = summary(right, mixed.right_best);
  }
}

SoftSummary SoftMatch::summary(const SignedPieces& text, std::span<const float> best) {
  const std::size_t n = best.size();
  struct Mean {
    double sum = 0, size = 0;
    void add(double value, double weight) { sum += weight * value, size += weight; }
    double value() const { return size > 0 ? sum / size : 1; }
  };
  Mean weighted, all, function, content, signs, lost;
  for (std::size_t i = 0; i < n; ++i) {
    const double cosine = best[i];
    const float rarity = table_.rarity_of(text.pieces[i]);
    const bool sign = text.signs[i] != 0;
    const double weight = sign ? sign_weight * usual : rarity;
    weighted.add(cosine, weight);
    all.add(cosine, 1);
    lost.add(cosine < 0.5 ? 1 : 0, weight);
    (sign ? signs : rarity < usual ? function : content).add(cosine, 1);
  }
  sorted_.assign(best.begin(), best.end());
  std::ranges::sort(sorted_);
  const std::size_t quarter = std::max<std::size_t>(n / 4, 1);
  const double lowest = std::accumulate(
      sorted_.begin(), sorted_.begin() + static_cast<std::ptrdiff_t>(quarter), 0.0);
  return {.weighted = weighted.value(),
          .mean = all.value(),
          .lowest = lowest / static_cast<double>(quarter),
          .least = sorted_[0],
          .function = function.value(),
          .content = content.value(),
          .signs = signs.value(),
          .lost = lost.size > 0 ? lost.sum / lost.size : 0,
          .mass = std::log1p((weighted.size - weighted.sum) / usual)};
}

}  // namespace otherwords
