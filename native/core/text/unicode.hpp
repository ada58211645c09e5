// UTF-8 and the few character classes that tokenising English needs. The tables are fixed
// here, coarse outside the European scripts, and so the same on every machine and locale.
#pragma once

#include "standard.hpp"

namespace otherwords {

struct CodePoint {
  char32_t value;
  unsigned size;  // bytes it takes
};

// The code point at text[at]; a broken sequence counts as one byte U+FFFD, so that no
// input, however damaged, can stop or crash a kernel.
inline CodePoint decode(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  if (lead < 0x80) return {lead, 1};
  const unsigned size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || at + size > text.size()) return {0xfffd, 1};
  char32_t value = lead & (0xff >> (size + 1));
  for (unsigned k = 1; k < size; ++k) {
    if ((byte(at + k) & 0xc0) != 0x80) return {0xfffd, 1};
    value = (value << 6) | (byte(at + k) & 0x3f);
  }
  return {value, size};
}

inline void append_utf8(std::string& out, char32_t c) {
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += static_cast<char>(0xc0 | (c >> 6));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    out += static_cast<char>(0xe0 | (c >> 12));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  } else {
    out += static_cast<char>(0xf0 | (c >> 18));
    out += static_cast<char>(0x80 | ((c >> 12) & 0x3f));
    out += static_cast<char>(0x80 | ((c >> 6) & 0x3f));
    out += static_cast<char>(0x80 | (c & 0x3f));
  }
}

constexpr bool is_space(char32_t c) {
  if (c > ' ' && c < 0x80) return false;  // most characters of most texts
  return c == ' ' || (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x1f) || c == 0x85 ||
         c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200b) || c == 0x2028 || c == 0x2029 ||
         c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff;
}

constexpr bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

// Punctuation and symbols outside ASCII, by block.
constexpr bool is_wide_symbol(char32_t c) {
  return (c >= 0x80 && c <= 0xa9) || (c >= 0xab && c <= 0xb1) || c == 0xb4 ||
         (c >= 0xb6 && c <= 0xb8) || c == 0xbb || c == 0xbf || c == 0xd7 || c == 0xf7 ||
         (c >= 0x2000 && c <= 0x206f) || (c >= 0x20a0 && c <= 0x20cf) ||
         (c >= 0x2190 && c <= 0x245f) || (c >= 0x2500 && c <= 0x2bff) ||
         (c >= 0x2e00 && c <= 0x2e7f) || (c >= 0x3000 && c <= 0x3004) ||
         (c >= 0x3008 && c <= 0x3020) || (c >= 0xe000 && c <= 0xf8ff) ||
         (c >= 0xfe00 && c <= 0xfe6f) || (c >= 0xff01 && c <= 0xff0f) ||
         (c >= 0xff1a && c <= 0xff20) || (c >= 0xff3b && c <= 0xff40) ||
         (c >= 0xff5b && c <= 0xff65) || (c >= 0xffe0 && c <= 0xffff) ||
         (c >= 0x1f000 && c <= 0x1faff) || c >= 0xe0000;
}

constexpr bool is_ascii_letter(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr bool is_letter(char32_t c) {
  return is_ascii_letter(c) || (c >= 0x80 && !is_wide_symbol(c) && !is_space(c));
}

constexpr bool is_alphanumeric(char32_t c) { return is_digit(c) || is_letter(c); }

// Lower case of the Latin, Greek and Cyrillic letters that have a one-letter counterpart.
constexpr char32_t to_lower(char32_t c) {
  if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  if (c >= 0xc0 && c <= 0xde) return c == 0xd7 ? c : c + 32;
  if (c >= 0x100 && c <= 0x17f) {
    if (c == 0x130 || c == 0x131 || c == 0x138 || c == 0x149 || c == 0x17f) return c;
    if (c == 0x178) return 0xff;
    const bool odd_is_upper = (c >= 0x139 && c <= 0x148) || c >= 0x179;
    return (c % 2 == 1) == odd_is_upper ? c + 1 : c;
  }
  if (c >= 0x391 && c <= 0x3a9 && c != 0x3a2) return c + 32;
  if (c >= 0x410 && c <= 0x42f) return c + 32;
  if (c >= 0x400 && c <= 0x40f) return c + 80;
  return c;
}

constexpr bool is_upper(char32_t c) { return to_lower(c) != c; }

// `out` becomes the text in lower case.
inline void lower_into(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    const char32_t low = to_lower(c.value);
    if (low == c.value)
      out.append(text.substr(at, c.size));
    else
      append_utf8(out, low);
    at += c.size;
  }
}

// Scripts that put no spaces between words: Thai to Myanmar, Khmer, kana, Chinese characters.
constexpr bool is_unspaced(char32_t c) {
  return (c >= 0xe00 && c <= 0xeff) || (c >= 0x1000 && c <= 0x109f) ||
         (c >= 0x1780 && c <= 0x17ff) || (c >= 0x3040 && c <= 0x30ff) ||
         (c >= 0x3400 && c <= 0x9fff) || (c >= 0xf900 && c <= 0xfaff) ||
         (c >= 0x20000 && c <= 0x3ffff);
}

// Words between spaces; a character of a script without spaces counts as a word.
inline std::size_t length_in_words(std::string_view text) {
  std::size_t words = 0;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    at += c.size;
    const bool unspaced = is_unspaced(c.value), space = is_space(c.value);
    words += unspaced || (!space && !inside);
    inside = !space && !unspaced;
  }
  return words;
}

inline bool has_alphanumeric(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint c = decode(text, at);
    if (is_alphanumeric(c.value)) return true;
    at += c.size;
  }
  return false;
}

}  // namespace otherwords
