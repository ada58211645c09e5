// Between the plain arrays of a language model and its compact form (lm/packed.hpp).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lm/packed.hpp"
#include "lm/table.hpp"

namespace otherwords::lm {

// The arrays of a packed model under the names that the file gives them.
struct PackedArrays {
  std::vector<std::pair<std::string, std::vector<std::uint8_t>>> bytes;
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>> numbers;
  std::vector<std::pair<std::string, std::vector<std::uint64_t>>> flags;
  std::vector<std::pair<std::string, std::vector<float>>> values;
};

// The bytes of these arrays for so many n-grams of each length, so many of which are the
// suffix of a longer one.
std::size_t packed_bytes(std::span<const std::size_t> sizes, std::span<const std::size_t> parents,
                         unsigned bits);

// `hashes` are those of the words from `first_word` on, ascending. With `bits` > 0 the
// logarithms become codes of that many bits.
PackedArrays pack(const NgramTable& table, std::span<const std::uint64_t> hashes, unsigned bits);

// The plain arrays of a packed model; contexts are linked only if wanted.
NgramTable unpack(const PackedModel& model, bool contexts);

}  // namespace otherwords::lm
