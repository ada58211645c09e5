#include "lm/words.hpp"

#include "text/unicode.hpp"

namespace otherwords::lm {

bool is_reserved(std::string_view word) {
  return word.size() >= 3 && word.front() == '<' &&
         (word == "<s>" || word == "</s>" || word == "<unk>" || word == "<UNK>");
}

bool EncodedText::add(std::string_view sentence, bool skip, std::string& found) {
  tokenize(sentence, tokenizer_, spans_);
  const std::size_t before = tokens.size();
  for (const Span span : spans_) {
    std::string_view word = sentence.substr(span.begin, span.end - span.begin);
    if (is_reserved(word)) {
      if (skip) continue;
      found = word;
      tokens.resize(before);
      return false;
    }
    if (!keep_case_) {
      lower_into(word, folded_);
      word = folded_;
    }
    tokens.push_back(words_.add(word));
  }
  bounds.push_back(static_cast<std::int64_t>(tokens.size()));
  return true;
}

}  // namespace otherwords::lm
