#include "encoder/wordpiece.hpp"

#include <algorithm>
#include <stdexcept>

#include "hash.hpp"
#include "text/unicode.hpp"

namespace otherwords {
namespace {

constexpr std::uint64_t inside_a_word = fnv_step(fnv_step(fnv_basis, '#'), '#');

constexpr bool starts_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

template <typename T>
bool ascend(std::span<const T> values) {
  return std::adjacent_find(values.begin(), values.end(), std::greater_equal<T>()) == values.end();
}

}  // namespace

Characters::Characters(const CharacterArrays& arrays) : arrays_(arrays) {
  const auto& a = arrays_;
  if (a.starts.empty() || a.starts[0] != 0 || a.classes.size() != a.starts.size() ||
      !ascend(a.starts) || std::ranges::any_of(a.classes, [](auto c) { return c > all_classes; }))
    throw std::invalid_argument("the classes of characters do not fit");
  if (a.fold_bounds.size() != a.fold_keys.size() + 1 || a.fold_bounds.front() != 0 ||
      a.fold_bounds.back() != a.fold_values.size() || !ascend(a.fold_keys) ||
      !ascend(a.fold_bounds) ||
      std::ranges::any_of(a.fold_values, [](auto c) { return c > 0x10ffff; }))
    throw std::invalid_argument("the replacements of characters do not fit");
  for (char32_t c = 0; c < 0x80; ++c) ascii_[c] = search_class(c);
}

std::uint8_t Characters::search_class(char32_t c) const {
  const auto next = std::upper_bound(arrays_.starts.begin(), arrays_.starts.end(), c);
  return arrays_.classes[static_cast<std::size_t>(next - arrays_.starts.begin()) - 1];
}

std::span<const std::uint32_t> Characters::replacement(char32_t c) const {
  const auto at = std::lower_bound(arrays_.fold_keys.begin(), arrays_.fold_keys.end(), c);
  if (at == arrays_.fold_keys.end() || *at != c) return {};
  const auto i = static_cast<std::size_t>(at - arrays_.fold_keys.begin());
  const std::size_t from = arrays_.fold_bounds[i];
  return arrays_.fold_values.subspan(from, arrays_.fold_bounds[i + 1] - from);
}

WordPieces::WordPieces(const CharacterArrays& characters, std::span<const std::uint64_t> hashes,
                       std::size_t longest_piece)
    : characters_(characters),
      buckets_(bucket_bounds(hashes)),
      index_(hashes, buckets_),
      longest_piece_(longest_piece) {
  if (hashes.empty() || !ascend(hashes))
    throw std::invalid_argument("the hashes of word pieces do not ascend");
}

std::int32_t WordPieces::find(std::uint64_t hash) const {
  const std::size_t place = index_.find(hash);
  return place != HashIndex::npos ? static_cast<std::int32_t>(place) : Piece::unknown;
}

void WordPieces::split(std::string_view text, std::vector<Piece>& out, Scratch& scratch) const {
  out.clear();
  scratch.folded.clear();
  scratch.origin_begin.clear();
  scratch.origin_end.clear();
  std::size_t word_start = 0;
  const auto end_word = [&] {
    if (word_start < scratch.folded.size()) word(word_start, scratch.folded.size(), out, scratch);
    word_start = scratch.folded.size();
  };
  std::uint32_t place = 0;  // in characters
  for (std::size_t at = 0; at < text.size(); ++place) {
    const CodePoint c = decode(text, at);
    at += c.size;
    const std::uint8_t given = characters_.class_of(c.value);
    if (given & is_removed) continue;
    if (given & is_blank) {
      end_word();
      continue;
    }
    if (given & is_chinese) end_word();
    characters_.fold(c.value, [&](char32_t folded) {
      const bool alone = characters_.class_of(folded) & is_punctuation;
      if (alone) end_word();
      append_utf8(scratch.folded, folded);
      scratch.origin_begin.resize(scratch.folded.size(), place);
      scratch.origin_end.resize(scratch.folded.size(), place + 1);
      if (alone) end_word();
    });
    if (given & is_chinese) end_word();
  }
  end_word();
}

// Longest match first from the left; if a part of the word matches nothing the whole is unknown.
void WordPieces::word(std::size_t first, std::size_t last, std::vector<Piece>& out,
                      Scratch& scratch) const {
  const std::string& bytes = scratch.folded;
  const std::size_t before = out.size();
  const auto piece = [&](std::uint64_t hash, std::int32_t row, std::size_t from, std::size_t to) {
    out.push_back({hash, row, scratch.origin_begin[from], scratch.origin_end[to - 1],
                   static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to)});
  };
  bool spelt = static_cast<std::size_t>(std::count_if(
                   bytes.begin() + static_cast<std::ptrdiff_t>(first),
                   bytes.begin() + static_cast<std::ptrdiff_t>(last), starts_character)) <=
               longest_word;
  for (std::size_t from = first; spelt && from < last;) {
    const std::size_t most = std::min(last, from + longest_piece_);
    scratch.states.assign(1, from == first ? fnv_basis : inside_a_word);
    for (std::size_t i = from; i < most; ++i)
      scratch.states.push_back(
          fnv_step(scratch.states.back(), static_cast<unsigned char>(bytes[i])));
    std::size_t to = most;
    for (; to > from; --to) {
      if (to < last && !starts_character(bytes[to])) continue;
      const std::uint64_t hash = mix(scratch.states[to - from]);
      const std::int32_t row = find(hash);
      if (row == Piece::unknown) continue;
      piece(hash, row, from, to);
      break;
    }
    spelt = to > from;
    from = to;
  }
  if (!spelt) {
    out.resize(before);
    piece(hash64(std::string_view(bytes).substr(first, last - first)), Piece::unknown, first, last);
  }
}

}  // namespace otherwords
