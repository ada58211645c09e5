// Training of the tagger: the structured averaged perceptron (Collins 2002) in integers, with
// a margin that the gold tags must win by (Taskar et al. 2003) and with features hidden at
// random, so that none is relied on alone (Soegaard 2013).
#pragma once

#include "text/tagger_features.hpp"

namespace otherwords::tagging {

struct TrainingOptions {
  unsigned epochs = 8;
  unsigned runs = 1;         // independent shuffles whose weights are averaged
  unsigned cutoff = 3;       // a feature seen less often is not used
  unsigned loss = 15;        // by how much the gold tag of a word must win
  unsigned dropout = 30;     // percentage of features hidden at each step
  unsigned resolution = 3;   // quantised steps per perceptron update
  unsigned least = 2;        // smaller quantised weights are dropped,
  unsigned least_best = 8;   // and all of a feature whose greatest is smaller than this
  std::uint64_t seed = 1;
};

// Tagged sentences, end to end. `bounds` has one entry more than there are sentences.
struct Treebank {
  std::span<const std::string_view> words;
  std::span<const std::uint8_t> tags;
  std::span<const std::size_t> bounds;
  std::size_t tag_count = 0;
};

// The arrays of a model (see tagger.hpp), but for the lexicon, which is given.
struct TrainedWeights {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> row_bounds;
  std::vector<std::uint8_t> row_tags;
  std::vector<std::int8_t> row_weights;
  std::vector<std::int16_t> bigrams, trigrams;
};

TrainedWeights train(const Treebank& treebank, const Lexicon& lexicon,
                     const TrainingOptions& options);

// For sorted keys: where the keys of each value of their leading bits start (see index.hpp).
std::vector<std::uint32_t> bucket_bounds(std::span<const std::uint64_t> keys);

}  // namespace otherwords::tagging
