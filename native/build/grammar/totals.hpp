// How often things were seen that have 64-bit hashes for names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "prefetch.hpp"

namespace otherwords {

// Open addressing, twelve bytes a slot: most sides of rules are seen once, so there are many of them.
class Totals {
 public:
  void add(std::uint64_t id, std::int64_t count) {
    if (3 * size_ >= 2 * ids_.size()) grow();
    const std::size_t slot = find(id);
    if (counts_[slot] == 0) {
      ids_[slot] = id;
      ++size_;
    }
    if (counts_[slot] + static_cast<std::uint64_t>(count) > std::numeric_limits<std::uint32_t>::max())
      throw std::length_error("a side of a rule was seen more than four billion times");
    counts_[slot] += static_cast<std::uint32_t>(count);
  }

  std::int64_t operator[](std::uint64_t id) const { return ids_.empty() ? 0 : counts_[find(id)]; }

  // Asks for the memory that the name will need soon.
  void prefetch(std::uint64_t id) const {
    if (ids_.empty()) return;
    const std::size_t slot = id & (ids_.size() - 1);
    otherwords::prefetch(&ids_[slot]);
    otherwords::prefetch(&counts_[slot]);
  }

 private:
  // Where the name is, or where it would be; the hashes are as good as random numbers.
  std::size_t find(std::uint64_t id) const {
    const std::size_t mask = ids_.size() - 1;
    std::size_t slot = id & mask;
    while (counts_[slot] != 0 && ids_[slot] != id) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    const std::vector<std::uint64_t> ids = std::move(ids_);
    const std::vector<std::uint32_t> counts = std::move(counts_);
    ids_.assign(ids.empty() ? 1024 : 2 * ids.size(), 0);
    counts_.assign(ids_.size(), 0);
    for (std::size_t k = 0; k < ids.size(); ++k)
      if (counts[k] != 0) {
        const std::size_t slot = find(ids[k]);
        ids_[slot] = ids[k];
        counts_[slot] = counts[k];
      }
  }

  std::size_t size_ = 0;
  std::vector<std::uint64_t> ids_;
  std::vector<std::uint32_t> counts_;  // 0 in an empty slot
};

}  // namespace otherwords
