#pragma once

#include "standard.hpp"

namespace otherwords {

inline void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

}  // namespace otherwords
