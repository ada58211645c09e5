// Numbers the different sequences of symbols in the order in which they come.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "hash.hpp"

namespace otherwords {

class Sequences {
 public:
  using Sequence = std::span<const std::uint32_t>;

  std::int32_t number(Sequence sequence) {
    if (2 * size() >= slots_.size()) grow();
    const std::uint64_t hash = hash_of(sequence);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      const std::int32_t entry = slots_[slot];
      if (entry < 0) return slots_[slot] = add(sequence, hash);
      const auto at = static_cast<std::size_t>(entry);
      if (hashes_[at] == hash && std::ranges::equal((*this)[at], sequence)) return entry;
    }
  }

  std::size_t size() const { return hashes_.size(); }
  Sequence operator[](std::size_t number) const {
    return Sequence(symbols_).subspan(bounds_[number], bounds_[number + 1] - bounds_[number]);
  }

 private:
  static std::uint64_t hash_of(Sequence sequence) {
    std::uint64_t hash = fnv_basis;
    for (const std::uint32_t symbol : sequence) hash = mix(hash ^ symbol) + symbol;
    return hash;
  }

  std::int32_t add(Sequence sequence, std::uint64_t hash) {
    symbols_.insert(symbols_.end(), sequence.begin(), sequence.end());
    bounds_.push_back(symbols_.size());
    hashes_.push_back(hash);
    return static_cast<std::int32_t>(size() - 1);
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), -1);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t entry = 0; entry < size(); ++entry) {
      std::size_t slot = hashes_[entry] & mask;
      while (slots_[slot] >= 0) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<std::int32_t>(entry);
    }
  }

  std::vector<std::int32_t> slots_;
  std::vector<std::uint32_t> symbols_;
  std::vector<std::size_t> bounds_{0};
  std::vector<std::uint64_t> hashes_;
};

}  // namespace otherwords
