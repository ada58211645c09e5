#include "lm/words.hpp"

#include "hash.hpp"
#include "lm/table.hpp"
#include "text/unicode.hpp"

namespace otherwords::lm {

std::size_t WordTable::slot_of(std::string_view word, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const std::uint32_t entry = slots_[at];
    if (entry == 0 || (hashes_[entry - 1] == hash && (*this)[entry - 1] == word)) return at;
  }
}

std::uint32_t WordTable::find(std::string_view word) const {
  return slots_[slot_of(word, hash64(word))] - 1;  // an empty slot gives `absent`
}

std::uint32_t WordTable::add(std::string_view word) {
  const std::uint64_t hash = hash64(word);
  const std::size_t slot = slot_of(word, hash);
  if (slots_[slot] != 0) return slots_[slot] - 1;
  text_ += word;
  starts_.push_back(text_.size());
  hashes_.push_back(hash);
  const auto number = static_cast<std::uint32_t>(hashes_.size());
  slots_[slot] = number;
  if (hashes_.size() * 2 > slots_.size()) grow();
  return number - 1;
}

void WordTable::grow() {
  std::vector<std::uint32_t> slots(slots_.size() * 2);
  const std::size_t mask = slots.size() - 1;
  for (std::size_t i = 0; i < hashes_.size(); ++i) {
    std::size_t at = hashes_[i] & mask;
    while (slots[at] != 0) at = (at + 1) & mask;
    slots[at] = static_cast<std::uint32_t>(i + 1);
  }
  slots_ = std::move(slots);
}

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
