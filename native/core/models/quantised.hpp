// Probabilities and counts in a byte: 2^(-code/16) and the whole number nearest 2^(code/8).
// The tables are written out so that every machine reads the same numbers.
#pragma once

#include "standard.hpp"

namespace otherwords {

// 2^(i/16)
inline constexpr double sixteenth_roots[16] = {
    1.0,
    1.0442737824274138,
    1.0905077326652577,
    1.1387886347566916,
    1.189207115002721,
    1.241857812073484,
    1.2968395546510096,
    1.3542555469368927,
    1.4142135623730951,
    1.4768261459394993,
    1.5422108254079407,
    1.6104903319492543,
    1.681792830507429,
    1.7562521603732995,
    1.8340080864093424,
    1.9152065613971474};

inline const std::array<double, 256> probability_table = [] {
  std::array<double, 256> table{};
  for (int code = 0; code < 256; ++code) {
    // 2^(-code/16) = 2^(-whole) * 2^(part/16), part the sixteenths that complete a whole.
    const int whole = (code + 15) / 16;
    table[code] = std::ldexp(sixteenth_roots[whole * 16 - code], -whole);
  }
  return table;
}();

inline double probability_of(std::uint8_t code) { return probability_table[code]; }

inline const std::array<double, 256> count_table = [] {
  std::array<double, 256> table{};
  for (int code = 0; code < 256; ++code)
    table[code] = std::floor(std::ldexp(sixteenth_roots[code % 8 * 2], code / 8) + 0.5);
  return table;
}();

inline double count_of(std::uint8_t code) { return count_table[code]; }

}  // namespace otherwords
