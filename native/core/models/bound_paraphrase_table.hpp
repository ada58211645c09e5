// A table of paraphrases together with the arrays of the model file that it looks into.
#pragma once

#include "arrays.hpp"
#include "models/paraphrase_table.hpp"

namespace otherwords {

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
