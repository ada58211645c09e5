#include "grammar/rule_sides.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string_view>

#include "hash.hpp"

namespace otherwords {

std::int64_t bytes_from(std::string_view text, std::size_t begin) {
  unsigned char bytes[8] = {};
  if (begin < text.size())
    std::memcpy(bytes, text.data() + begin, std::min<std::size_t>(8, text.size() - begin));
  std::uint64_t value = 0;
  for (const unsigned char byte : bytes) value = value << 8 | byte;
  return static_cast<std::int64_t>(value ^ 0x8000000000000000u);
}

TwoHashes hashes_of(std::string_view text) {
  std::uint64_t check = text.size();
  for (const char c : text) check = (check + static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15u;
  return {hash64(text), mix(check)};
}

SymbolHashes::SymbolHashes(const Words& words) {
  words_.reserve(words.size());
  for (std::size_t word = 0; word < words.size(); ++word) words_.push_back(hashes_of(words[word]));
}

TwoHashes SymbolHashes::side(std::span<const std::uint32_t> symbols,
                             const std::vector<TwoHashes>& labels) const {
  std::uint64_t id = fnv_basis, check = symbols.size();
  for (const std::uint32_t symbol : symbols) {
    TwoHashes one;
    if (is_word(symbol)) {
      one = words_[symbol];
    } else {
      one = labels[label_of(symbol)];
      one = {mix(one.id + number_of(symbol)), mix(one.check + number_of(symbol))};
    }
    id = (id ^ one.id) * 0x9e3779b97f4a7c15u;
    id ^= id >> 32;
    check = (check + one.check) * 0xff51afd7ed558ccdu;
    check ^= check >> 29;
  }
  return {mix(id), check};
}

void SideText::write(std::span<const std::uint32_t> symbols, const Words& all,
                     const std::vector<std::string>& labels, std::size_t most) {
  text.clear();
  arity = words = characters = 0;
  for (const std::uint32_t symbol : symbols) {
    if (text.size() >= most) return;
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

PackedSides::PackedSides(const Sequences& sides, const std::vector<std::string>& labels)
    : labels_(labels) {
  ends_.reserve(sides.size());
  for (std::size_t k = 0; k < sides.size(); ++k) {
    for (const std::uint32_t symbol : sides[k]) {
      std::uint64_t code = static_cast<std::uint64_t>(symbol & ~nonterminal_bit) << 1 | !is_word(symbol);
      for (; code >= 0x80; code >>= 7) bytes_.push_back(static_cast<std::uint8_t>(code | 0x80));
      bytes_.push_back(static_cast<std::uint8_t>(code));
    }
    ends_.push_back(static_cast<std::uint32_t>(bytes_.size()));
  }
  if (bytes_.size() > 0xffffffffu) throw std::length_error("a stretch of text has too many rules");
  bytes_.shrink_to_fit();
}

void PackedSides::read(std::uint32_t side, const Words& words, SideText& out) const {
  const std::uint32_t end = ends_.at(side);
  thread_local std::vector<std::uint32_t> symbols;
  symbols.clear();
  for (std::uint32_t at = side ? ends_[side - 1] : 0; at < end;) {
    std::uint64_t code = 0;
    for (int bits = 0;; bits += 7) {
      const std::uint8_t byte = bytes_[at++];
      code |= static_cast<std::uint64_t>(byte & 0x7f) << bits;
      if (byte < 0x80) break;
    }
    symbols.push_back(static_cast<std::uint32_t>(code >> 1) | (code & 1 ? nonterminal_bit : 0u));
  }
  out.write(symbols, words, labels_);
}

}  // namespace otherwords
