// Binary trees that a parser is trained on.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text/parser_chart.hpp"

namespace otherwords::parsing {

// Parsed sentences, end to end; a sentence of n words has 2n - 1 nodes, in any order.
struct TreeBank {
  std::span<const std::string_view> words, tags;
  std::span<const std::size_t> bounds;
  std::span<const Node> nodes;
  std::vector<std::string> label_names, tag_names;

  std::size_t size() const { return bounds.size() - 1; }
  std::size_t length(std::size_t s) const { return bounds[s + 1] - bounds[s]; }
  std::span<const Node> tree(std::size_t s) const {
    return nodes.subspan(2 * bounds[s] - s, 2 * length(s) - 1);
  }

  // Throws std::invalid_argument unless all fits and the nodes of each sentence are a tree.
  void check() const;
};

}  // namespace otherwords::parsing
