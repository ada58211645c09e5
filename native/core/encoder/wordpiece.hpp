// Text -> word pieces, as BERT's tokenizer makes them: control characters removed, every Chinese
// character a word, accents stripped and lower case if the model says so, words split at spaces and
// punctuation, then the longest piece first. The model file has a table of what characters become.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hash.hpp"

namespace otherwords {

// What the tokenizer knows of characters; the arrays `characters/...` of a model.
struct CharacterArrays {
  std::span<const std::uint32_t> starts;       // of spans of one class, ascending from 0
  std::span<const std::uint8_t> classes;       // of each span, bits of CharacterClass
  std::span<const std::uint32_t> fold_keys;    // characters that change, ascending
  std::span<const std::uint16_t> fold_bounds;  // where each one's replacement starts
  std::span<const std::uint32_t> fold_values;
  bool lowers_ascii, decomposes_hangul;  // which need no fold
};

enum CharacterClass : std::uint8_t {
  is_removed = 1,
  is_blank = 2,
  is_punctuation = 4,
  is_chinese = 8,
  all_classes = 15,
};

class Characters {
 public:
  explicit Characters(const CharacterArrays& arrays);

  std::uint8_t class_of(char32_t c) const { return c < 0x80 ? ascii_[c] : search_class(c); }

  // Appends what the character becomes to `out`.
  template <typename Append>
  void fold(char32_t c, Append append) const;

 private:
  std::uint8_t search_class(char32_t c) const;
  std::span<const std::uint32_t> replacement(char32_t c) const;

  CharacterArrays arrays_;
  std::uint8_t ascii_[0x80];
};

// Hangul syllables decompose by arithmetic (Unicode, section 3.12).
template <typename Append>
void Characters::fold(char32_t c, Append append) const {
  if (c < 0x80) {
    append(c >= 'A' && c <= 'Z' && arrays_.lowers_ascii ? c + 32 : c);
  } else if (arrays_.decomposes_hangul && c >= 0xac00 && c < 0xac00 + 11172) {
    const char32_t s = c - 0xac00;
    append(0x1100 + s / 588);
    append(0x1161 + s % 588 / 28);
    if (s % 28 != 0) append(0x11a7 + s % 28);
  } else {
    const auto becomes = replacement(c);
    if (becomes.empty()) append(c);
    for (const std::uint32_t one : becomes) append(one);
  }
}

struct Piece {
  static constexpr std::int32_t unknown = -1;  // a word that no pieces spell

  std::uint64_t hash;
  std::int32_t row;           // of its embedding, or `unknown`
  std::uint32_t begin, end;   // characters of the text that it covers
  std::uint32_t first, last;  // bytes of the folded text, for those who want to see it
};

// Sorted hashes of the pieces; a piece inside a word is hashed with "##" before it.
class WordPieces {
 public:
  static constexpr std::size_t longest_word = 100;  // characters; a longer one is unknown

  WordPieces(const CharacterArrays& characters, std::span<const std::uint64_t> hashes,
             std::size_t longest_piece);
  WordPieces(WordPieces&&) = default;  // never copied: the index looks at its buckets

  std::size_t size() const { return index_.size(); }

  // What a thread needs and keeps from text to text.
  struct Scratch {
    std::string folded;
    std::vector<std::uint32_t> origin_begin, origin_end;  // of each byte of `folded`
    std::vector<std::uint64_t> states;
  };

  // `out` becomes the pieces of the text; `scratch.folded` the text they are cut from.
  void split(std::string_view text, std::vector<Piece>& out, Scratch& scratch) const;

 private:
  void word(std::size_t first, std::size_t last, std::vector<Piece>& out, Scratch& scratch) const;
  std::int32_t find(std::uint64_t hash) const;

  Characters characters_;
  std::vector<std::uint32_t> buckets_;
  HashIndex index_;
  std::size_t longest_piece_;
};

}  // namespace otherwords
