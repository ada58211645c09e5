#include "text/word_table.hpp"

#include "hash.hpp"

namespace otherwords {

std::size_t WordTable::slot_of(std::string_view word, std::uint64_t hash) const {
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    const std::uint32_t entry = slots_[at];
    if (entry == 0 || (hashes_[entry - 1] == hash && (*this)[entry - 1] == word)) return at;
  }
}

std::uint32_t WordTable::find(std::string_view word) const {
  return slots_[slot_of(word, hash64(word))] - 1;  // an empty slot gives 2^32 - 1
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

}  // namespace otherwords
