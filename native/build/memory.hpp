// Memory that is freed, and counts as used until the system gets it back.
#pragma once

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace otherwords {

// Gives freed memory back to the system, also what lies between blocks that are in use.
inline void give_back_memory() {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
}

}  // namespace otherwords
