// Trains word alignment: IBM model 1, then hidden Markov models in both directions that are
// made to agree (Liang, Taskar & Klein 2006), with sparse priors (Riley & Gildea 2012).
#pragma once

#include "bitext/hmm.hpp"
#include "buffer.hpp"

namespace otherwords {

// Emission of a word by one that it was never seen with, and what tables leave out.
constexpr float unseen_emission = 1e-9f;
constexpr float least_probability = 1e-7f;
constexpr std::size_t pairs_per_block = 64;  // that a thread takes at once

// The stem of every word: words of one stem translate alike.
struct Stems {
  std::span<const std::uint32_t> of;
  std::size_t count;

  void check(std::size_t words) const {
    if (of.size() != words) throw std::invalid_argument("stems: not one for every word");
    for (const std::uint32_t stem : of)
      if (stem >= count) throw std::invalid_argument("stems: an id out of range");
  }
};

struct TrainingOptions {
  unsigned model1_iterations;
  unsigned hmm_iterations;
  double null_probability;
  double alpha;  // pseudo-count of every word pair, of the Dirichlet prior
  double stem_weight;  // pseudo-counts of the same prior, shared out as the stems translate
  Stems left_stems, right_stems;
  double prune;  // word pairs with a smaller share of the co-occurrences of both words are left out
  std::size_t max_words;
  unsigned threads;
  std::function<void()> interrupt;  // called now and then; an exception from it ends the training
};

// Pairs of words that are likely translations before any text is seen, in pseudo-counts.
struct Evidence {
  std::span<const std::uint32_t> left, right;
  std::span<const float> counts;
};

struct AlignmentTable {
  std::vector<std::uint64_t> rows;  // for every left word where its entries start; + end
  Buffer<std::uint32_t> right;      // right words, sorted in each row
  Buffer<float> to_right;           // t(right | left)
  Buffer<float> to_left;            // t(left | right)
  std::vector<float> left_share, right_share;  // relative frequencies: the empty word's emissions
  JumpWeights right_jumps;           // of the chain that emits right words
  JumpWeights left_jumps;
};

// `tick` is called after every iteration.
AlignmentTable train_aligner(const Bitext& bitext, const Evidence& evidence,
                             const TrainingOptions& options, const std::function<void()>& tick);

}  // namespace otherwords
