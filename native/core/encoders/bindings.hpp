// The table of vectors together with the arrays of the model file that it looks into.
#pragma once

#include <stdexcept>
#include <string>

#include "arrays.hpp"
#include "encoders/static_table.hpp"

namespace otherwords {

inline CharacterArrays character_arrays(const nb::dict& arrays) {
  return {column<std::uint32_t>(arrays, "characters/starts"),
          column<std::uint8_t>(arrays, "characters/classes"),
          column<std::uint32_t>(arrays, "characters/fold_keys"),
          column<std::uint16_t>(arrays, "characters/fold_bounds"),
          column<std::uint32_t>(arrays, "characters/fold_values")};
}

inline float single(const nb::dict& arrays, const char* name) {
  const auto values = column<float>(arrays, name);
  if (values.size() != 1)
    throw std::invalid_argument(std::string("'") + name + "' must be one number");
  return values[0];
}

inline std::size_t whole(const nb::dict& arrays, const char* name) {
  const auto values = column<std::uint32_t>(arrays, name);
  if (values.size() != 1)
    throw std::invalid_argument(std::string("'") + name + "' must be one number");
  return values[0];
}

// Keeps the model's arrays alive as long as the table looks at them.
struct BoundTable {
  nb::dict arrays;
  StaticTable table;

  explicit BoundTable(const nb::dict& given)
      : arrays(given),
        table(WordPieces(character_arrays(given), column<std::uint64_t>(given, "pieces/listed"),
                         column<std::uint64_t>(given, "pieces/unlisted"),
                         whole(given, "pieces/longest")),
              {column<std::uint8_t>(given, "codes"), column<float>(given, "steps"),
               column<std::uint8_t>(given, "weights"), column<std::uint8_t>(given, "rarity"),
               single(given, "other_weight")}) {}
};

}  // namespace otherwords
