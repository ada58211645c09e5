// Words as numbers: strings kept once, found by their hash.
#pragma once

#include "standard.hpp"

namespace otherwords {

class WordTable {
 public:
  WordTable() : slots_(1024) {}

  std::uint32_t add(std::string_view word);         // its number, new if need be
  std::uint32_t find(std::string_view word) const;  // its number, or 2^32 - 1
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

}  // namespace otherwords
