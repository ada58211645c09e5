// A packed language model as Python holds it. A kernel that is bound elsewhere takes a
// `const BoundModel&` from Python.
#pragma once

#include "arrays.hpp"
#include "lm/packed.hpp"

namespace otherwords::lm {

// A packed model together with the arrays that it looks into.
struct BoundModel {
  explicit BoundModel(const nb::dict& arrays)
      : owner(arrays.values()), model(vocabulary_of(arrays), levels_of(arrays)) {}

  static HashedVocabulary vocabulary_of(const nb::dict& arrays) {
    return {column<std::uint32_t>(arrays, "vocabulary"),
            column<std::uint32_t>(arrays, "vocabulary_buckets")};
  }

  static std::string named(const char* name, std::size_t level) {
    return std::string(name) + "_" + std::to_string(level);
  }

  static Weights weights_of(const nb::dict& arrays, std::size_t level, std::size_t size,
                            bool backoffs) {
    const std::string plain = named("weights", level);
    if (arrays.contains(plain.c_str()))
      return {column<float>(arrays, plain.c_str()), size, backoffs};
    std::span<const float> values;
    if (backoffs) values = column<float>(arrays, named("backoff_values", level).c_str());
    return {column<float>(arrays, named("probability_values", level).c_str()), values,
            column<std::uint8_t>(arrays, named("weight_codes", level).c_str()), size, backoffs};
  }

  static std::vector<PackedLevel> levels_of(const nb::dict& arrays) {
    const auto sizes = column<std::int64_t>(arrays, "sizes");
    if (sizes.empty() || sizes.size() > max_order)
      throw std::invalid_argument("the order is out of range");
    for (const std::int64_t size : sizes)
      if (size < 0 || size >= absent) throw std::invalid_argument("a size is out of range");
    std::vector<PackedLevel> levels(sizes.size());
    const unsigned word_bits = bits_for(static_cast<std::uint64_t>(std::max<std::int64_t>(
        sizes[0] - 1, 1)));
    for (std::size_t k = 0; k < levels.size(); ++k) {
      PackedLevel& level = levels[k];
      level.size = static_cast<std::size_t>(sizes[k]);
      if (k > 0)
        level.left = PackedNumbers(column<std::uint8_t>(arrays, named("words", k + 1).c_str()),
                                   word_bits, level.size);
      const bool last = k + 1 == levels.size();
      level.weights = weights_of(arrays, k + 1, level.size, !last);
      if (!last) set_children(arrays, k + 1, static_cast<std::size_t>(sizes[k + 1]), level);
    }
    return levels;
  }

  static void set_children(const nb::dict& arrays, std::size_t name, std::size_t longer,
                           PackedLevel& level) {
    const auto blocks = column<std::uint64_t>(arrays, named("parents", name).c_str());
    level.parents = RankedFlags(blocks, level.size);
    level.children = PackedNumbers(column<std::uint8_t>(arrays, named("children", name).c_str()),
                                   bits_for(longer), level.parents.total() + 1);
  }

  nb::list owner;
  PackedModel model;
};

}  // namespace otherwords::lm
