#include "encoders/soft_match.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "hash.hpp"
#include "wide.hpp"

namespace otherwords {
namespace {

constexpr float usual = 6;           // rarity of a usual word, in nats; a function word has less
constexpr float sign_weight = 0.3f;  // of punctuation, as a share of a usual word's

constexpr std::size_t most_cells = std::size_t{1} << 24;  // products of kinds that are kept
constexpr std::uint32_t no_kind = ~std::uint32_t{0};

bool same(const Piece& a, const Piece& b) {
  return a.hash == b.hash && (a.row == Piece::unknown) == (b.row == Piece::unknown);
}

// to += mix * from
OTHERWORDS_WIDE void add_row(float* to, const float* from, float mix, std::size_t width) {
  for (std::size_t j = 0; j < width; ++j) to[j] += mix * from[j];
}

// The cosines of a row from the products of its pieces; `sums` has a 0 before its first and after its
// last. The greatest is returned, and each column keeps its own. Lane by lane: no unit is too wide.
OTHERWORDS_WIDE float best_of_row(const float* sums, float mix, float scale, const float* scales,
                                  float* best, std::size_t width) {
  constexpr std::size_t lanes = 16;
  float found[lanes] = {};
  const auto cosine = [&](std::size_t j) {
    const float value = (sums[j] + mix * sums[j - 1]) + mix * sums[j + 1];
    const float scaled = value * scale * scales[j];
    return scaled < 1.0f ? scaled : 1.0f;
  };
  std::size_t j = 0;
  for (; j + lanes <= width; j += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const float value = cosine(j + lane);
      found[lane] = found[lane] < value ? value : found[lane];
      best[j + lane] = best[j + lane] < value ? value : best[j + lane];
    }
  for (; j < width; ++j) {
    const float value = cosine(j);
    found[0] = found[0] < value ? value : found[0];
    best[j] = best[j] < value ? value : best[j];
  }
  return *std::max_element(found, found + lanes);
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
  side.kinds.clear();
  side.distinct.clear();
  std::size_t capacity = 16;
  while (capacity < 2 * n) capacity *= 2;
  side.slots.assign(capacity, 0);
  for (const Piece& piece : pieces) {
    std::size_t slot = mix(piece.hash) & (capacity - 1);
    while (side.slots[slot] && !same(side.distinct[side.slots[slot] - 1], piece))
      slot = (slot + 1) & (capacity - 1);
    if (!side.slots[slot]) {
      side.distinct.push_back(piece);
      side.slots[slot] = static_cast<std::uint32_t>(side.distinct.size());
    }
    side.kinds.push_back(side.slots[slot] - 1);
  }
  side.vectors.resize(side.distinct.size() * d);
  for (std::size_t k = 0; k < side.distinct.size(); ++k)
    table_.vector_of(side.distinct[k], side.vectors.data() + k * d);
  const auto product = [&](std::size_t i, std::size_t j) {
    return j < n ? table_.cosine(side.vectors.data() + side.kinds[i] * d,
                                 side.vectors.data() + side.kinds[j] * d)
                 : 0.0f;
  };
  side.next.resize(n);
  side.second.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    side.next[i] = product(i, i + 1);
    side.second[i] = product(i, i + 2);
  }
}

// The products of a kind of the left side with every kind of the right side.
const float* SoftMatch::kind_row(std::uint32_t left_kind) {
  const std::size_t width = right_.distinct.size(), d = table_.dimensions();
  const std::size_t slot = left_kind % row_owners_.size();
  float* row = kind_rows_.data() + slot * width;
  if (std::exchange(row_owners_[slot], left_kind) == left_kind) return row;
  const float* vector = left_.vectors.data() + left_kind * d;
  for (std::size_t k = 0; k < width; ++k)
    row[k] = same(left_.distinct[left_kind], right_.distinct[k])
                 ? 1.0f
                 : table_.cosine(vector, right_.vectors.data() + k * d);
  return row;
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
  sums_.assign(width + 2, 0);
  float* sums = sums_.data() + 1;
  std::ranges::copy(products_[row % 3], sums);
  if (mixed.mix != 0) {
    if (row > 0) add_row(sums, products_[(row + 2) % 3].data(), mixed.mix, width);
    if (row + 1 < mixed.left_scales.size())
      add_row(sums, products_[(row + 1) % 3].data(), mixed.mix, width);
  }
  mixed.left_best[row] = best_of_row(sums, mixed.mix, mixed.left_scales[row],
                                     mixed.right_scales.data(), mixed.right_best.data(), width);
}

void SoftMatch::compare(const SignedPieces& left, const SignedPieces& right,
                        std::span<const float> mixes, SoftSummary* out) {
  const std::size_t n = left.pieces.size(), m = right.pieces.size();
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
  const std::size_t fit = std::max<std::size_t>(most_cells / right_.distinct.size(), 1);
  row_owners_.assign(std::min(left_.distinct.size(), fit), no_kind);
  kind_rows_.resize(row_owners_.size() * right_.distinct.size());
  const auto multiply = [&](std::size_t i) {
    std::vector<float>& row = products_[i % 3];
    row.resize(m);
    const float* kinds = kind_row(left_.kinds[i]);
    for (std::size_t j = 0; j < m; ++j) row[j] = kinds[right_.kinds[j]];
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
