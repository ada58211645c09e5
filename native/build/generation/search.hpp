// CKY over the source with cube pruning, and the k best derivations of what it found.
//
// Chiang 2007, "Hierarchical phrase-based translation": chart, language-model states, cube
// pruning. Huang & Chiang 2005, "Better k-best parsing", algorithm 3: lazy enumeration.
#pragma once

#include "generation/model.hpp"

namespace otherwords::generation {

struct SearchOptions {
  std::size_t pop_limit = 200;   // candidates of a node (label and span); 0: all
  std::size_t span_limit = 10;   // words that a rule of the grammar covers at most
  std::size_t most_candidates = 20'000'000;  // of a sentence; beyond it the search gives up
  bool glue = true;
  bool pass_known = true;    // X -> w / w for words that the grammar has
  bool pass_unknown = true;  // and for those that it does not have
};

// A node of a derivation. `rule` is a rule of the grammar, or one of the kinds below.
enum class Kind : std::uint8_t { rule, pass_through, start, glue };
struct DerivationNode {
  Kind kind;
  std::uint32_t rule;  // or the source position of a pass-through
  std::uint32_t label;
  std::uint32_t begin, end;
  std::vector<DerivationNode> children;  // in source order
};

struct Derivation {
  double total;  // as the search computed it
  DerivationNode top;
};

class Search {
 public:
  Search(const Model& model, LanguageModel& lm, const SearchOptions& options,
         std::span<const std::string_view> words);
  ~Search();

  // The best derivations, best first; empty if there is none. With `unique`, the best one of
  // each of the k best strings.
  std::vector<Derivation> best(std::size_t k, bool unique);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct TooManyCandidates : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace otherwords::generation
