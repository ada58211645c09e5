// Sets of places between the words of a sentence, as bits.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace otherwords {

// Places from 0, before the first word, to the number of words; fewer than 64 * W.
template <std::size_t W>
struct Places {
  std::array<std::uint64_t, W> bits{};

  // All places from first to last; none if last is below first.
  static Places range(std::size_t first, std::size_t last) {
    Places out;
    for (std::size_t w = 0; w < W; ++w) out.bits[w] = up_to(last + 1, w) & ~up_to(first, w);
    return out;
  }

  void set(std::size_t k) { bits[k / 64] |= std::uint64_t{1} << k % 64; }
  bool has(std::size_t k) const { return bits[k / 64] >> k % 64 & 1; }
  bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : bits) all |= word;
    return all != 0;
  }
  std::size_t count() const {
    std::size_t all = 0;
    for (const std::uint64_t word : bits) all += static_cast<std::size_t>(std::popcount(word));
    return all;
  }
  // The smallest place; 64 * W if there is none.
  std::size_t first() const {
    for (std::size_t w = 0; w < W; ++w)
      if (bits[w] != 0) return 64 * w + static_cast<std::size_t>(std::countr_zero(bits[w]));
    return 64 * W;
  }
  Places operator&(const Places& other) const {
    Places out;
    for (std::size_t w = 0; w < W; ++w) out.bits[w] = bits[w] & other.bits[w];
    return out;
  }
  Places& operator|=(const Places& other) {
    for (std::size_t w = 0; w < W; ++w) bits[w] |= other.bits[w];
    return *this;
  }
  // Each place moved on by one word.
  Places next() const {
    Places out;
    std::uint64_t carry = 0;
    for (std::size_t w = 0; w < W; ++w) {
      out.bits[w] = bits[w] << 1 | carry;
      carry = bits[w] >> 63;
    }
    return out;
  }
  template <typename Take>
  void each(Take take) const {
    for (std::size_t w = 0; w < W; ++w)
      for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
        take(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
  }

 private:
  // The places below `end` among those of word w.
  static std::uint64_t up_to(std::size_t end, std::size_t w) {
    if (end <= 64 * w) return 0;
    return end - 64 * w >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - 64 * w)) - 1;
  }
};

}  // namespace otherwords
