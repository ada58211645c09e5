#include "grammar/rule_sides.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "hash.hpp"
#include "prefetch.hpp"

namespace otherwords {
namespace {

// Eight bytes from a place on as a number that sorts as they do, though it has a sign.
std::int64_t prefix(std::string_view text, std::size_t begin) {
  unsigned char bytes[8] = {};
  if (begin < text.size())
    std::memcpy(bytes, text.data() + begin, std::min<std::size_t>(8, text.size() - begin));
  std::uint64_t value = 0;
  for (const unsigned char byte : bytes) value = value << 8 | byte;
  return static_cast<std::int64_t>(value ^ 0x8000000000000000u);
}

}  // namespace

SideNumbers side_numbers(std::string_view text) {
  std::uint64_t id = fnv_basis ^ text.size(), check = text.size();
  for (std::size_t begin = 0; begin < text.size(); begin += 8) {
    const auto next = static_cast<std::uint64_t>(prefix(text, begin));
    id = mix(id ^ next);
    check = (check ^ next) * 0x9e3779b97f4a7c15u;
  }
  return {static_cast<std::int64_t>(id), static_cast<std::int64_t>(mix(check)), prefix(text, 0),
          prefix(text, 8)};
}

void SideText::write(std::span<const std::uint32_t> symbols, const Words& all,
                     const std::vector<std::string>& labels) {
  text.clear();
  arity = words = characters = 0;
  for (const std::uint32_t symbol : symbols) {
    if (!text.empty()) text += ' ';
    if (is_word(symbol)) {
      const std::string_view word = all[symbol];
      text += word;
      ++words;
      ++characters;
      for (const char c : word) characters += (c & 0xc0) != 0x80;
    } else {
      text.append(1, '[').append(labels[label_of(symbol)]).append(1, ',');
      text.append(1, static_cast<char>('0' + number_of(symbol))).append(1, ']');
      ++arity;
    }
  }
}

std::int64_t RuleSides::add(const Sequences& sides, const std::vector<std::string>& labels) {
  Stretch& now = stretches_.emplace_back();
  now.labels = labels;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    for (const std::uint32_t symbol : sides[k]) {
      std::uint64_t code = static_cast<std::uint64_t>(symbol & ~nonterminal_bit) << 1 | !is_word(symbol);
      for (; code >= 0x80; code >>= 7) now.bytes.push_back(static_cast<std::uint8_t>(code | 0x80));
      now.bytes.push_back(static_cast<std::uint8_t>(code));
    }
    now.ends.push_back(static_cast<std::uint32_t>(now.bytes.size()));
  }
  if (now.bytes.size() > 0xffffffffu) throw std::length_error("a stretch of text has too many rules");
  now.bytes.shrink_to_fit();
  now.ends.shrink_to_fit();
  return static_cast<std::int64_t>(stretches_.size() - 1) << shift;
}

void RuleSides::prefetch_bounds(std::int64_t place) const {
  const auto stretch = static_cast<std::size_t>(place) >> shift;
  const auto side = static_cast<std::size_t>(place & 0xffffffff);
  if (stretch < stretches_.size() && side < stretches_[stretch].ends.size())
    prefetch(&stretches_[stretch].ends[side]);
}

void RuleSides::prefetch_symbols(std::int64_t place) const {
  const auto stretch = static_cast<std::size_t>(place) >> shift;
  const auto side = static_cast<std::size_t>(place & 0xffffffff);
  if (stretch < stretches_.size() && side < stretches_[stretch].ends.size())
    prefetch(stretches_[stretch].bytes.data() + stretches_[stretch].ends[side] - 1);
}

void RuleSides::read(std::int64_t place, const Words& words, SideText& out) const {
  const Stretch& stretch = stretches_.at(static_cast<std::size_t>(place) >> shift);
  const auto side = static_cast<std::size_t>(place & 0xffffffff);
  const std::uint32_t end = stretch.ends.at(side);
  thread_local std::vector<std::uint32_t> symbols;
  symbols.clear();
  for (std::uint32_t at = side ? stretch.ends[side - 1] : 0; at < end;) {
    std::uint64_t code = 0;
    for (int bits = 0;; bits += 7) {
      const std::uint8_t byte = stretch.bytes[at++];
      code |= static_cast<std::uint64_t>(byte & 0x7f) << bits;
      if (byte < 0x80) break;
    }
    symbols.push_back(static_cast<std::uint32_t>(code >> 1) | (code & 1 ? nonterminal_bit : 0u));
  }
  out.write(symbols, words, stretch.labels);
}

}  // namespace otherwords
