// Words as numbers: strings kept once, found by their hash.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.hpp"

namespace otherwords::lm {

class WordTable {
 public:
  WordTable() : slots_(1024) {}

  std::uint32_t add(std::string_view word);         // its number, new if need be
  std::uint32_t find(std::string_view word) const;  // its number, or absent
  std::string_view operator[](std::size_t i) const {
    return std::string_view(text_).substr(starts_[i], starts_[i + 1] - starts_[i]);
  }
  std::uint64_t hash(std::size_t i) const { return hashes_[i]; }
  std::size_t size() const { return hashes_.size(); }

 private:
  std::size_t slot_of(std::string_view word, std::uint64_t hash) const;
  void grow();

  std::string text_;
  std::vector<std::size_t> starts_{0};
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;  // open addressing: number + 1
};

bool is_reserved(std::string_view word);  // <s>, </s>, <unk>

// A text that grows sentence by sentence.
class EncodedText {
 public:
  EncodedText(Tokenizer tokenizer, bool keep_case) : tokenizer_(tokenizer), keep_case_(keep_case) {}

  // False, with the reserved word in `found`, if the sentence has one; nothing is added then.
  // With `skip` such words are left out.
  bool add(std::string_view sentence, bool skip, std::string& found);

  const WordTable& words() const { return words_; }
  std::vector<std::uint32_t> tokens;
  std::vector<std::int64_t> bounds{0};

 private:
  Tokenizer tokenizer_;
  bool keep_case_;
  WordTable words_;
  std::vector<Span> spans_;
  std::string folded_;
};

}  // namespace otherwords::lm
