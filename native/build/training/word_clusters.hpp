// Word classes from raw text: exchange clustering on the class bigram model
// (Kneser & Ney 1993; Martin, Liermann & Ney 1998), then bottom-up merging of the classes
// (Brown et al. 1992) for the coarser levels. Integer arithmetic throughout, so that the
// classes do not depend on the order in which sums are formed.
#pragma once

#include "standard.hpp"

namespace otherwords {

struct ClusterOptions {
  unsigned classes = 512;
  unsigned iterations = 10;
  std::vector<unsigned> levels;  // numbers of classes of the coarser levels, descending
};

struct WordClusters {
  std::vector<std::uint16_t> word_class;             // of each word of the vocabulary
  std::vector<std::vector<std::uint16_t>> coarser;   // per level: class -> coarser class
};

// `text` is words as numbers 0 .. vocabulary - 1, the most frequent first. Two of them are
// not clustered but keep a class of their own: 0, the sentence boundary, and 1, a rare word.
WordClusters cluster_words(std::span<const std::uint32_t> text, std::size_t vocabulary,
                           const ClusterOptions& options);

}  // namespace otherwords
