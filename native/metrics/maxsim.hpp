// MAXSIM (Chan & Ng 2008): maximum similarity of two sentences by matching their n-grams.
#pragma once

#include <cstdint>
#include <vector>

#include "metrics/matching.hpp"
#include "text/columns.hpp"
#include "text/lexicon.hpp"

namespace otherwords {

enum class Phase : std::uint8_t { lemma_and_tag = 1, lemma = 2, bipartite = 3 };

// One matched pair of items; positions are tokens of the sentence where the items start
// (for a dependency triple: its dependent). `order` is n, or 0 for a triple.
struct Match {
  std::uint32_t order;
  Phase phase;
  std::uint32_t left;
  std::uint32_t right;
  double weight;
};

struct MatchCounts {
  double matched;  // match_n of the paper: exact matches plus w(M)
  double left;     // items in the system sentence
  double right;    // items in the reference
};

// Matches pairs of sentences. Holds scratch memory: one object a thread.
class MaxSim {
 public:
  explicit MaxSim(const Lexicon& lexicon) : lexicon_(lexicon) {}

  // Counts for n = 1..orders, then, with `dependencies`, for triples. `matches`, if given,
  // receives what was matched.
  void match(const Columns& columns, std::size_t left, std::size_t right, unsigned orders,
             bool dependencies, MatchCounts* counts, std::vector<Match>* matches = nullptr);

 private:
  struct Token {
    std::uint64_t lemma;
    std::uint32_t tag;
    std::uint32_t kind;      // position in the table of distinct (lemma, tag) of its side
    std::uint32_t position;  // in the sentence, counting all tokens
  };
  struct Kind {  // a distinct (lemma, tag)
    std::uint64_t lemma;
    std::uint32_t tag;
    std::size_t word;  // in the lexicon, or npos
  };
  struct Triple {  // a dependency between two words
    std::uint32_t dependent;  // positions in the side's tokens
    std::uint32_t head;
    std::uint32_t relation;
  };
  struct Side {
    std::vector<Token> tokens;
    std::vector<Kind> kinds;
    std::vector<std::uint32_t> slots;  // open addressing: kind + 1
    std::vector<std::uint32_t> rest;   // items not matched so far
    std::vector<Triple> triples;
    std::vector<std::int64_t> word_at;  // of a sentence position: its token, or -1
  };

  void load(const Columns& columns, std::size_t sentence, Side& side);
  void load_triples(const Columns& columns, std::size_t sentence, Side& side);
  std::uint32_t kind_of(std::uint64_t lemma, std::uint64_t folded, std::uint32_t tag, Side& side);
  void compare_kinds();
  MatchCounts match_ngrams(unsigned n, std::vector<Match>* matches);
  MatchCounts match_triples(std::vector<Match>* matches);
  template <typename Equal>
  std::size_t match_exactly(unsigned n, Phase phase, const Equal& equal,
                            std::vector<Match>* matches);

  // S of eq. 1 in halves: 0, 1 or 2.
  int similarity(std::uint32_t left_kind, std::uint32_t right_kind) const {
    return similarity_[left_kind * right_.kinds.size() + right_kind];
  }

  const Lexicon& lexicon_;
  Side left_, right_;
  std::vector<std::uint8_t> similarity_;
  std::vector<std::uint8_t> taken_;
  Matching matching_;
};

}  // namespace otherwords
