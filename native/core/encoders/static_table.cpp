#include "encoders/static_table.hpp"
#include "wide.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace otherwords {
namespace {

constexpr float middle = 7.5f;  // between the two innermost of 16 levels
constexpr std::size_t lanes = 16;

// 2^(i/16), so that weights do not depend on a machine's library.
constexpr std::array<float, 16> powers{
    1.000000000f, 1.044273782f, 1.090507733f, 1.138788635f,
    1.189207115f, 1.241857812f, 1.296839555f, 1.354255547f,
    1.414213562f, 1.476826146f, 1.542210825f, 1.610490332f,
    1.681792831f, 1.756252160f, 1.834008086f, 1.915206561f,
};

// Lane by lane, so that the order of the sum is the same however it is compiled.
OTHERWORDS_WIDE float dot(const float* a, const float* b, std::size_t n) {
  std::array<float, lanes> sums{};
  for (std::size_t k = 0; k < n; k += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += a[k + lane] * b[k + lane];
  for (std::size_t half = lanes / 2; half > 0; half /= 2)
    for (std::size_t lane = 0; lane < half; ++lane) sums[lane] += sums[lane + half];
  return sums[0];
}

// Two numbers from each byte, the first ones of all bytes first.
OTHERWORDS_WIDE void unpack(const std::uint8_t* codes, const float* steps, float scale,
                            std::size_t half, float* out) {
  for (std::size_t k = 0; k < half; ++k) {
    out[k] = (static_cast<float>(codes[k] & 15) - middle) * (steps[k] * scale);
    out[k + half] = (static_cast<float>(codes[k] >> 4) - middle) * (steps[k + half] * scale);
  }
}

void make_unit(float* row, std::size_t n) {
  const float length = std::sqrt(dot(row, row, n));
  const float scale = length > 0 ? 1 / length : 0;
  for (std::size_t k = 0; k < n; ++k) row[k] *= scale;
}

// SplitMix64 (Steele, Lea & Flood 2014): the signs of words without a vector.
std::uint64_t scramble(std::uint64_t state) {
  state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9ULL;
  state = (state ^ (state >> 27)) * 0x94d049bb133111ebULL;
  return state ^ (state >> 31);
}

// A piece and its neighbours, which is what its mixed vector depends on.
struct Context {
  std::uint64_t before, self, after;
  bool operator==(const Context&) const = default;
};

struct ContextHash {
  std::size_t operator()(const Context& c) const {
    return scramble(c.before * 3 ^ scramble(c.self + scramble(c.after)));
  }
};

constexpr std::uint64_t nothing = 0x6f757473696465ULL;  // beyond either end of a text

std::uint64_t identity(const Piece& piece) {
  return piece.row == Piece::unknown ? ~piece.hash : piece.hash;
}

// The distinct contexts of a text, and which of them each piece has.
struct Distinct {
  std::vector<Context> contexts;
  std::vector<Piece> pieces;  // three for each context: before, self, after
  std::vector<std::uint32_t> places;
};

Distinct distinct(std::span<const Piece> pieces, bool neighbours) {
  Distinct out;
  std::unordered_map<Context, std::uint32_t, ContextHash> seen;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const bool has_before = neighbours && i > 0, has_after = neighbours && i + 1 < pieces.size();
    const Context context{has_before ? identity(pieces[i - 1]) : nothing, identity(pieces[i]),
                          has_after ? identity(pieces[i + 1]) : nothing};
    const auto [place, is_new] =
        seen.emplace(context, static_cast<std::uint32_t>(out.contexts.size()));
    if (is_new) {
      out.contexts.push_back(context);
      out.pieces.push_back(pieces[has_before ? i - 1 : i]);
      out.pieces.push_back(pieces[i]);
      out.pieces.push_back(pieces[has_after ? i + 1 : i]);
    }
    out.places.push_back(place->second);
  }
  return out;
}

}  // namespace

StaticTable::StaticTable(WordPieces pieces, const TableArrays& arrays)
    : pieces_(std::move(pieces)),
      arrays_(arrays),
      steps_(arrays.steps.begin(), arrays.steps.end()) {
  const std::size_t n = arrays.weights.size(), d = steps_.size();
  if (d == 0 || d % (2 * lanes) != 0 || arrays.codes.size() != n * d / 2 ||
      arrays.rarity.size() != n || pieces_.listed() != n)
    throw std::invalid_argument("the vectors do not fit the word pieces");
  if (std::ranges::any_of(steps_, [](float step) { return !(step > 0) || !std::isfinite(step); }) ||
      !(arrays.other_weight > 0) || !std::isfinite(arrays.other_weight))
    throw std::invalid_argument("a step or weight is not positive");
  scales_.assign(n, 1);
  std::vector<float> row(d);
  for (std::size_t i = 0; i < n; ++i) {
    vector_of({0, static_cast<std::int32_t>(i), 0, 0, 0, 0}, row.data());
    scales_[i] = 1 / std::sqrt(dot(row.data(), row.data(), d));
  }
}

void StaticTable::vector_of(const Piece& piece, float* out) const {
  const std::size_t d = dimensions(), half = d / 2;
  if (piece.row >= 0) {
    const auto row = static_cast<std::size_t>(piece.row);
    const std::uint8_t* codes = arrays_.codes.data() + row * half;
    const float scale = scales_[row];
    unpack(codes, steps_.data(), scale, half, out);
    return;
  }
  const float size = 1 / std::sqrt(static_cast<float>(d));
  std::uint64_t state = identity(piece);
  for (std::size_t k = 0; k < d; ++k) {
    state += 0x9e3779b97f4a7c15ULL;
    out[k] = scramble(state) >> 63 ? size : -size;
  }
}

float StaticTable::weight_of(const Piece& piece) const {
  if (piece.row < 0) return arrays_.other_weight;
  const int code = arrays_.weights[static_cast<std::size_t>(piece.row)];
  return std::ldexp(powers[static_cast<std::size_t>(code % 16)], code / 16 - 8);
}

float StaticTable::rarity_of(const Piece& piece) const {
  if (piece.row < 0) return 255 / 16.0f;
  return static_cast<float>(arrays_.rarity[static_cast<std::size_t>(piece.row)]) / 16;
}

void StaticTable::pool(std::span<const Piece> pieces, float* out) const {
  const std::size_t d = dimensions();
  std::fill(out, out + d, 0.0f);
  std::vector<float> row(d);
  for (const Piece& piece : pieces) {
    vector_of(piece, row.data());
    const float weight = weight_of(piece);
    for (std::size_t k = 0; k < d; ++k) out[k] += weight * row[k];
  }
  make_unit(out, d);
}

float StaticTable::cosine(const float* one, const float* other) const {
  return std::clamp(dot(one, other, dimensions()), -1.0f, 1.0f);
}

void StaticTable::mixed(std::span<const Piece> pieces, float mix, std::vector<float>& out) const {
  const std::size_t d = dimensions(), n = pieces.size();
  std::vector<float> plain(n * d);
  for (std::size_t i = 0; i < n; ++i) vector_of(pieces[i], plain.data() + i * d);
  out = plain;
  if (mix == 0) return;
  for (std::size_t i = 0; i < n; ++i) {
    float* row = out.data() + i * d;
    if (i > 0)
      for (std::size_t k = 0; k < d; ++k) row[k] += mix * plain[(i - 1) * d + k];
    if (i + 1 < n)
      for (std::size_t k = 0; k < d; ++k) row[k] += mix * plain[(i + 1) * d + k];
    make_unit(row, d);
  }
}

void StaticTable::match(std::span<const Piece> left, std::span<const Piece> right, float mix,
                        PieceLinks& of_left, PieceLinks& of_right) const {
  if (left.empty() || right.empty()) {  // nobody has a partner
    of_left = {std::vector<float>(left.size(), 0), std::vector<std::uint32_t>(left.size(), 0)};
    of_right = {std::vector<float>(right.size(), 0), std::vector<std::uint32_t>(right.size(), 0)};
    return;
  }
  const std::size_t d = dimensions();
  const auto rows = [&](const Distinct& side) {
    std::vector<float> out(side.contexts.size() * d), other(d);
    for (std::size_t i = 0; i < side.contexts.size(); ++i) {
      float* row = out.data() + i * d;
      const auto add = [&](const Piece& neighbour) {
        vector_of(neighbour, other.data());
        for (std::size_t k = 0; k < d; ++k) row[k] += mix * other[k];
      };
      vector_of(side.pieces[3 * i + 1], row);
      if (side.contexts[i].before != nothing) add(side.pieces[3 * i]);
      if (side.contexts[i].after != nothing) add(side.pieces[3 * i + 2]);
      make_unit(row, d);
    }
    return out;
  };
  const Distinct one = distinct(left, mix != 0), other = distinct(right, mix != 0);
  const std::vector<float> a = rows(one), b = rows(other);
  constexpr float lowest = -std::numeric_limits<float>::infinity();
  PieceLinks from_one{std::vector<float>(one.contexts.size(), lowest),
                 std::vector<std::uint32_t>(one.contexts.size())};
  PieceLinks from_other{std::vector<float>(other.contexts.size(), lowest),
                   std::vector<std::uint32_t>(other.contexts.size())};
  for (std::uint32_t i = 0; i < one.contexts.size(); ++i)
    for (std::uint32_t j = 0; j < other.contexts.size(); ++j) {
      const float cosine = one.contexts[i] == other.contexts[j]
                               ? 1.0f
                               : this->cosine(a.data() + i * d, b.data() + j * d);
      if (cosine > from_one.cosines[i]) from_one.cosines[i] = cosine, from_one.partners[i] = j;
      if (cosine > from_other.cosines[j])
        from_other.cosines[j] = cosine, from_other.partners[j] = i;
    }
  // Back from distinct contexts to pieces: the partner is the first piece of its context.
  const auto spread = [](const Distinct& mine, const Distinct& theirs, const PieceLinks& found,
                         PieceLinks& out) {
    std::vector<std::uint32_t> first(theirs.contexts.size());
    for (std::size_t k = theirs.places.size(); k-- > 0;)
      first[theirs.places[k]] = static_cast<std::uint32_t>(k);
    out.cosines.clear();
    out.partners.clear();
    for (const std::uint32_t place : mine.places) {
      out.cosines.push_back(found.cosines[place]);
      out.partners.push_back(first[found.partners[place]]);
    }
  };
  spread(one, other, from_one, of_left);
  spread(other, one, from_other, of_right);
}

}  // namespace otherwords
