// Training of the parser on binary trees.
#pragma once

#include "text/parser_chart.hpp"
#include "text/tagger_features.hpp"
#include "training/perceptron.hpp"

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

// The arrays of a model (see parser.hpp).
struct TrainedParser {
  std::vector<std::uint32_t> feature_buckets, features;
  std::vector<std::uint16_t> rows;
  std::vector<std::int16_t> left_rules, right_rules;
};

// Throws std::invalid_argument unless words, tags and nodes fit each other.
TrainedParser train(const TreeBank& treebank, const tagging::Lexicon& lexicon,
                    const TrainingOptions& options);

}  // namespace otherwords::parsing
