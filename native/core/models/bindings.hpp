// Tables together with the arrays of the model file that they look into.
#pragma once

#include "arrays.hpp"
#include "models/paraphrase_table.hpp"
#include "models/pivot_table.hpp"

namespace otherwords {

// The rows of bytes of that name among a model's arrays.
inline Records records(const nb::dict& arrays, const char* name) {
  using Matrix = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
  if (!arrays.contains(name))
    throw std::invalid_argument(std::string("the model has no array '") + name + "'");
  Matrix array;
  if (!nb::try_cast(arrays[name], array, false))
    throw std::invalid_argument(std::string("the model's array '") + name + "' has another type");
  return {array.data(), array.shape(0), array.shape(1)};
}

struct BoundPivotTable {
  explicit BoundPivotTable(const nb::dict& arrays)
      : owner(arrays.values()),
        table({column<std::uint32_t>(arrays, "buckets"), records(arrays, "entries"),
               records(arrays, "edges"), column<std::uint32_t>(arrays, "pivot_starts"),
               records(arrays, "pivot_words"), records(arrays, "word_bounds"),
               column<std::uint8_t>(arrays, "words")}) {}

  nb::list owner;  // keeps the mapped file open
  PivotTable table;
};

// A table of paraphrases together with the arrays of the model file that it looks into.

struct BoundParaphraseTable {
  explicit BoundParaphraseTable(const nb::dict& arrays)
      : owner(arrays.values()),
        table({column<std::uint64_t>(arrays, "keys"), column<std::uint32_t>(arrays, "buckets"),
               column<std::uint32_t>(arrays, "bounds"), column<std::uint32_t>(arrays, "targets"),
               column<std::uint8_t>(arrays, "codes"), column<std::uint32_t>(arrays, "longest")}) {}

  nb::list owner;  // keeps the mapped file open
  ParaphraseTable table;
};

}  // namespace otherwords
