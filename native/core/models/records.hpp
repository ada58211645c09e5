// Rows of bytes in a memory-mapped file: numbers as wide as they need to be, side by side.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace otherwords {

// `count` rows of `width` bytes each.
struct Records {
  const std::uint8_t* data = nullptr;
  std::size_t count = 0;
  std::size_t width = 0;

  const std::uint8_t* operator[](std::size_t row) const { return data + row * width; }

  // The bytes of the number that a row begins with, `least` to `most`, `others` after them.
  std::size_t require_width(std::size_t least, std::size_t most, std::size_t others,
                            const char* name) const {
    if (width < least + others || width > most + others)
      throw std::invalid_argument(std::string("pivot table: the rows of '") + name +
                                  "' have another width");
    return width - others;
  }
};

// The little-endian number in the first `width` (1 to 4) bytes.
inline std::uint32_t load(const std::uint8_t* bytes, std::size_t width) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < width; ++i) number |= std::uint32_t{bytes[i]} << (8 * i);
  return number;
}

// The same of a row that has at least four bytes, whose first `mask` bits are the number.
inline std::uint32_t load_masked(const std::uint8_t* bytes, std::uint32_t mask) {
  return load(bytes, 4) & mask;
}

inline std::uint32_t mask_of(std::size_t width) {
  return width >= 4 ? ~std::uint32_t{0} : (std::uint32_t{1} << (8 * width)) - 1;
}

}  // namespace otherwords
