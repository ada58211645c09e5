// The text that a language model is estimated from, as numbers of words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer.hpp"
#include "text/word_table.hpp"

namespace otherwords::lm {

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
