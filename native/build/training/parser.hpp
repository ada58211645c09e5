// Binary trees that a parser is trained on.
#pragma once

#include "text/parser_chart.hpp"
#include "text/tagger_features.hpp"

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

// Training of the parser: the structured averaged perceptron (Collins 2002) with a margin that
// the gold tree must win by for every wrong span (Taskar et al. 2004), and with features hidden
// at random, so that none is relied on alone.

struct TrainingOptions {
  unsigned epochs = 8;
  unsigned runs = 1;        // from nothing, with other shuffles; their weights are averaged
  unsigned cutoff = 3;      // a feature that gold spans have less often is not used
  unsigned loss = 30;       // by how much the gold label of a span must win
  unsigned dropout = 20;    // percentage of features hidden at each step
  unsigned resolution = 4;  // quantised steps per perceptron update
  unsigned least = 2;       // smaller quantised weights are dropped,
  unsigned least_best = 4;  // and all of a feature whose greatest is smaller than this,
  unsigned most_bytes = 0;  // or than what it takes to make the features that small (0: any size)
  std::uint64_t seed = 1;
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
