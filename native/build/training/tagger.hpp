// Training of the tagger.
#pragma once

#include "text/tagger_features.hpp"
#include "training/perceptron.hpp"

namespace otherwords::tagging {

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

}  // namespace otherwords::tagging
