// Asks for memory that will be read soon, so that waits for it overlap, where the compiler can.
#pragma once

namespace otherwords {

inline void prefetch(const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#else
  static_cast<void>(address);
#endif
}

}  // namespace otherwords
