// Asks for memory that will be read soon, so that waits for it overlap, where the compiler can.
#pragma once

#include "standard.hpp"

namespace otherwords {

constexpr std::size_t keys_ahead = 12;  // lookups between asking for memory and reading it

inline void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  static_cast<void>(address);
#endif
}

}  // namespace otherwords
