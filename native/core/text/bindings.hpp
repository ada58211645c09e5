// Kernels together with the arrays of the model file that they look into.
#pragma once

#include "arrays.hpp"
#include "text/lexicon.hpp"

namespace otherwords {

struct BoundLexicon {
  explicit BoundLexicon(const nb::dict& arrays)
      : owner(arrays.values()),
        lexicon({column<std::uint64_t>(arrays, "words"),
                 column<std::uint32_t>(arrays, "word_buckets"),
                 column<std::uint8_t>(arrays, "classes"),
                 column<std::uint32_t>(arrays, "synonym_bounds"),
                 column<std::uint32_t>(arrays, "synonyms"),
                 column<std::uint64_t>(arrays, "exceptions"),
                 column<std::uint32_t>(arrays, "exception_buckets"),
                 column<std::uint32_t>(arrays, "exception_bounds"),
                 column<std::uint8_t>(arrays, "lemmas")}) {}

  nb::list owner;  // keeps the mapped file open
  Lexicon lexicon;
};

}  // namespace otherwords
