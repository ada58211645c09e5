#include "training/treebank.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>

namespace otherwords::parsing {
namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("parser training: ") + what);
}

// The nodes of a sentence are a binary tree over its words.
void check_nodes(std::span<const Node> nodes, std::size_t n, std::size_t labels) {
  std::vector<std::uint8_t> there(cells(n));
  for (const Node& node : nodes) {
    require(node.begin < node.end && node.end <= n && node.label < labels, "a node does not fit");
    ++there[cell(node.begin, node.end, n)];
  }
  require(there[cell(0, n, n)] == 1, "a sentence has no root");
  for (const Node& node : nodes) {
    require(there[cell(node.begin, node.end, n)] == 1, "a span occurs twice");
    if (node.end - node.begin == 1) {
      require(node.split == 0, "a word is split");
      continue;
    }
    require(node.begin < node.split && node.split < node.end, "a split is outside its span");
    require(there[cell(node.begin, node.split, n)] && there[cell(node.split, node.end, n)],
            "a part of a span is missing");
  }
}

}  // namespace

void TreeBank::check() const {
  require(!bounds.empty() && bounds.front() == 0 && bounds.back() == words.size() &&
              words.size() == tags.size() && std::is_sorted(bounds.begin(), bounds.end()),
          "words, tags and sentences do not fit");
  for (std::size_t s = 0; s < size(); ++s) require(length(s) > 0, "a sentence is empty");
  require(nodes.size() == 2 * words.size() - size(), "nodes are missing");
  for (std::size_t s = 0; s < size(); ++s) check_nodes(tree(s), length(s), label_names.size());
}

}  // namespace otherwords::parsing
