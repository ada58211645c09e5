// Two directional alignments made one (Och & Ney 2003; Koehn, Axelrod et al. 2005).
#pragma once

#include <cstdint>
#include <vector>

#include "bitext/links.hpp"

namespace otherwords {

enum class Heuristic { intersection, union_, grow_diag, grow_diag_final, grow_diag_final_and };

// `forward` and `backward` are left x right matrices of 0 and 1; the result is one too.
std::vector<std::uint8_t> symmetrise(const std::vector<std::uint8_t>& forward,
                                     const std::vector<std::uint8_t>& backward, std::size_t rows,
                                     std::size_t columns, Heuristic heuristic);

// The same for all sentence pairs of a bitext.
Links symmetrise(const LinksView& forward, const LinksView& backward, Heuristic heuristic);

}  // namespace otherwords
