#include "encoder/unigram.hpp"

#include <algorithm>
#include <stdexcept>

#include "text/unicode.hpp"

namespace otherwords {
namespace {

constexpr std::string_view space_mark = "\xe2\x96\x81";
constexpr double unknown_penalty = 10;  // below the least probable piece

}  // namespace

UnigramPieces::UnigramPieces(const UnigramArrays& arrays)
    : arrays_(arrays), buckets_(bucket_bounds(arrays.hashes)), index_(arrays.hashes, buckets_) {
  const auto& hashes = arrays.hashes;
  if (hashes.empty() || std::ranges::adjacent_find(hashes, std::greater_equal<>()) != hashes.end())
    throw std::invalid_argument("the hashes of pieces do not ascend");
  if (arrays.scores.size() != hashes.size() || arrays.unknown >= hashes.size() ||
      arrays.longest == 0 || arrays.longest > 1000 ||
      !std::ranges::all_of(arrays.scores, [](float x) { return x <= 0 && x > -1000; }))
    throw std::invalid_argument("the scores of pieces do not fit");
  if (arrays.units.empty() || arrays.replacements.empty() || arrays.replacements.back() != 0)
    throw std::invalid_argument("the replacements of characters do not fit");
  unknown_score_ = double{*std::ranges::min_element(arrays.scores)} - unknown_penalty;
}

// The longest match of the double array at text[at]; without one, the character itself.
UnigramPieces::Replacement UnigramPieces::replacement(std::string_view text, std::size_t at) const {
  const auto& units = arrays_.units;
  const auto offset = [](std::uint32_t unit) { return (unit >> 10) << ((unit & 0x200) >> 6); };
  Replacement out{text.substr(at, decode(text, at).size), 0};
  out.size = out.becomes.size();
  std::uint32_t place = offset(units[0]);
  for (std::size_t i = at; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    place ^= byte;
    if (place >= units.size() || (units[place] & 0x800000ff) != byte) break;
    const bool is_key = units[place] & 0x100;
    place ^= offset(units[place]);
    ++i;
    if (!is_key || place >= units.size()) continue;
    const std::uint32_t value = units[place] & 0x7fffffff;
    if (value < arrays_.replacements.size())
      out = {reinterpret_cast<const char*>(&arrays_.replacements[value]), i - at};
  }
  return out;
}

// A space before the text, none behind it, and no two side by side; each one as U+2581.
void UnigramPieces::normalise(std::string_view text, std::string& out) const {
  out.clear();
  bool after_space = true;
  for (std::size_t at = 0; at < text.size();) {
    auto [becomes, size] = replacement(text, at);
    at += size;
    if (after_space) becomes.remove_prefix(std::min(becomes.find_first_not_of(' '), becomes.size()));
    if (becomes.empty()) continue;
    if (out.empty()) out = space_mark;
    for (const char byte : becomes)
      if (byte == ' ')
        out += space_mark;
      else
        out += byte;
    after_space = becomes.back() == ' ';
  }
  while (out.ends_with(space_mark)) out.resize(out.size() - space_mark.size());
}

void UnigramPieces::split(std::string_view text, std::vector<std::uint32_t>& out,
                          Scratch& scratch) const {
  normalise(text, scratch.text);
  auto& [normal, ends, starts, rows, best] = scratch;
  ends.assign(1, 0);
  for (std::size_t at = 0; at < normal.size();) {
    at += decode(normal, at).size;
    ends.push_back(static_cast<std::uint32_t>(at));
  }
  const std::size_t size = ends.size() - 1;
  best.assign(size + 1, -1e300);
  best[0] = 0;
  starts.assign(size + 1, 0);
  rows.assign(size + 1, arrays_.unknown);
  for (std::size_t from = 0; from < size; ++from) {
    const auto offer = [&](std::size_t to, std::uint32_t row, double score) {
      if (!(best[from] + score > best[to])) return;
      best[to] = best[from] + score;
      starts[to] = static_cast<std::uint32_t>(from);
      rows[to] = row;
    };
    bool has_single = false;
    std::uint64_t hash = fnv_basis;
    const std::size_t last = std::min<std::size_t>(size, from + arrays_.longest);
    for (std::size_t to = from + 1; to <= last; ++to) {
      for (std::size_t i = ends[to - 1]; i < ends[to]; ++i)
        hash = fnv_step(hash, static_cast<unsigned char>(normal[i]));
      const std::size_t row = index_.find(mix(hash));
      if (row == HashIndex::npos) continue;
      has_single |= to == from + 1;
      offer(to, static_cast<std::uint32_t>(row), double{arrays_.scores[row]});
    }
    if (!has_single) offer(from + 1, arrays_.unknown, unknown_score_);
  }
  const auto begin = static_cast<std::ptrdiff_t>(out.size());
  for (std::size_t at = size; at > 0; at = starts[at]) out.push_back(rows[at]);
  if (size == 0) out.push_back(arrays_.unknown);
  std::reverse(out.begin() + begin, out.end());
}

}  // namespace otherwords
