// The symbols of a parser by name: labels of spans, tags of words, and their classes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/parser_chart.hpp"

namespace otherwords::parsing {

// Labels are phrases ("NP"), chains of them from the top down ("S+VP"), phrases that
// binarisation adds ("@NP") and, first, the empty name of a word that is no phrase of its own.
// As a parent a chain counts as its lowest phrase, as a child as its highest.
class Grammar {
 public:
  // Throws std::invalid_argument if there are too many symbols or the first is not empty.
  Grammar(std::vector<std::string> labels, std::vector<std::string> tags);

  const Symbols& symbols() const { return symbols_; }
  const std::vector<std::string>& labels() const { return labels_; }

  // The class as a child of a word with that tag; all tags that are not known share one.
  std::uint8_t tag_class(std::string_view tag) const;

  // Forbids, in a table of children x parents, intermediate phrases of one name under another.
  void forbid(std::span<float> rules) const;

 private:
  std::vector<std::string> labels_, tags_;
  std::vector<std::string> parents_, children_;  // names of the classes
  Symbols symbols_;
};

// Names separated by newlines.
std::vector<std::string> split_names(std::span<const std::uint8_t> blob);

}  // namespace otherwords::parsing
