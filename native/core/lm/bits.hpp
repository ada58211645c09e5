// Arrays of small numbers, packed to the bits that they need, as a mapped file holds them.
// Reading never goes beyond the bytes there are, whatever a damaged file says.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "prefetch.hpp"

namespace otherwords::lm {

// How many bits the numbers 0 .. largest need.
constexpr unsigned bits_for(std::uint64_t largest) {
  return largest == 0 ? 1 : static_cast<unsigned>(std::bit_width(largest));
}

// Numbers of `bits` (at most 32) bits each; eight spare bytes let every read be one load.
class PackedNumbers {
 public:
  PackedNumbers() = default;
  PackedNumbers(std::span<const std::uint8_t> bytes, unsigned bits, std::size_t size)
      : bytes_(bytes.data()), bits_(bits), size_(size), mask_((std::uint64_t{1} << bits) - 1) {
    if (bits > 32 || bytes.size() != bytes_needed(bits, size))
      throw std::invalid_argument("packed numbers: the size does not fit");
  }

  static std::size_t bytes_needed(unsigned bits, std::size_t size) {
    return (size * bits + 7) / 8 + 8;
  }

  static std::vector<std::uint8_t> pack(std::span<const std::uint32_t> numbers, unsigned bits) {
    std::vector<std::uint8_t> bytes(bytes_needed(bits, numbers.size()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      std::uint8_t* at = bytes.data() + i * bits / 8;
      std::uint64_t word;
      std::memcpy(&word, at, 8);
      word |= std::uint64_t{numbers[i]} << (i * bits % 8);
      std::memcpy(at, &word, 8);
    }
    return bytes;
  }

  // The number at `i`, or 0 beyond the end.
  std::uint32_t operator[](std::size_t i) const {
    if (i >= size_) return 0;
    std::uint64_t word;
    std::memcpy(&word, bytes_ + i * bits_ / 8, 8);
    return static_cast<std::uint32_t>(word >> (i * bits_ % 8) & mask_);
  }

  // Where the number is, for callers that know well before they need it.
  const void* address(std::size_t i) const { return bytes_ + i * bits_ / 8; }

  std::size_t size() const { return size_; }

 private:
  const std::uint8_t* bytes_ = nullptr;
  unsigned bits_ = 1;
  std::size_t size_ = 0;
  std::uint64_t mask_ = 1;
};

// Number of bits set; without a processor's own instruction std::popcount is a call.
constexpr std::size_t bits_set(std::uint64_t x) {
  x -= x >> 1 & 0x5555555555555555;
  x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<std::size_t>(x * 0x0101010101010101 >> 56);
}

// A set of positions, and how many of the set stand before a position: for every 32
// positions one number, which has them as its lower bits and the count of those before above.
class RankedFlags {
 public:
  RankedFlags() = default;
  RankedFlags(std::span<const std::uint64_t> blocks, std::size_t size)
      : blocks_(blocks), size_(size) {
    if (blocks.size() != (size + 31) / 32)
      throw std::invalid_argument("ranked flags: the size does not fit");
  }

  static std::vector<std::uint64_t> pack(std::span<const std::uint8_t> flags) {
    std::vector<std::uint64_t> blocks((flags.size() + 31) / 32);
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < flags.size(); ++i) {
      if (i % 32 == 0) blocks[i / 32] = before << 32;
      if (!flags[i]) continue;
      blocks[i / 32] |= std::uint64_t{1} << (i % 32);
      ++before;
    }
    return blocks;
  }

  const void* address(std::size_t i) const { return blocks_.data() + i / 32; }
  bool has(std::size_t i) const { return i < size_ && (blocks_[i / 32] >> (i % 32) & 1); }
  std::size_t rank(std::size_t i) const {
    const std::uint64_t block = blocks_[i / 32];
    return (block >> 32) + bits_set(block & ((std::uint64_t{1} << (i % 32)) - 1));
  }
  std::size_t total() const {
    return blocks_.empty() ? 0 : (blocks_.back() >> 32) + bits_set(blocks_.back() & 0xffffffff);
  }

 private:
  std::span<const std::uint64_t> blocks_;
  std::size_t size_ = 0;
};

}  // namespace otherwords::lm
