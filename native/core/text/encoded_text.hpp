// Texts as numbers of words, which are numbered as they come.
#pragma once

#include "buffer.hpp"
#include "text/tokenizer.hpp"
#include "text/unicode.hpp"
#include "text/word_table.hpp"

namespace otherwords {

class EncodedText {
 public:
  EncodedText(Tokenizer tokenizer, bool keep_case) : tokenizer_(tokenizer), keep_case_(keep_case) {
    bounds.push_back(0);
  }

  // Adds the words for which `keep` is true, in the case of the text.
  template <typename Keep>
  void add(std::string_view text, Keep keep) {
    tokenize(text, tokenizer_, spans_);
    for (const Span span : spans_) {
      std::string_view word = text.substr(span.begin, span.end - span.begin);
      if (!keep(word)) continue;
      if (!keep_case_) {
        lower_into(word, lower_);
        word = lower_;
      }
      tokens.push_back(words.add(word));
    }
    bounds.push_back(static_cast<std::int64_t>(tokens.size()));
  }

  WordTable words;
  Buffer<std::uint32_t> tokens;
  Buffer<std::int64_t> bounds;

 private:
  Tokenizer tokenizer_;
  bool keep_case_;
  std::vector<Span> spans_;
  std::string lower_;
};

}  // namespace otherwords
