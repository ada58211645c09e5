// Training of the parser: the structured averaged perceptron (Collins 2002) with a margin that
// the gold tree must win by for every wrong span (Taskar et al. 2004), and with features hidden
// at random, so that none is relied on alone.
#pragma once

#include <cstdint>
#include <vector>

#include "training/treebank.hpp"
#include "text/tagger_features.hpp"

namespace otherwords::parsing {

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
