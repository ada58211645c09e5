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

// Matches pairs of sentences. Holds scratch memory: one object per thread.
class MaxSim {
 public:
  explicit MaxSim(const Lexicon& lexicon) : lexicon_(lexicon) {}

  // Counts for n = 1..orders, then, with `dependencies`, for triples. `matches`, if given,
  // receives what was matched.
  void match(const Columns& columns, std::size_t left, std::size_t right, unsigned orders,
             bool dependencies, MatchCounts* counts, std::vector<Match>* matches = nullptr);

 private:
  static constexpr std::uint32_t no_item = 0xffffffffu;
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
    std::vector<std::uint32_t> rest;   // items of the left side not matched so far
    std::vector<Triple> triples;
    std::vector<std::int64_t> word_at;  // of a sentence position: its token, or -1
  };

  void load(const Columns& columns, std::size_t sentence, Side& side);
  void load_triples(const Columns& columns, std::size_t sentence, Side& side);
  std::uint32_t kind_of(std::uint64_t lemma, std::uint64_t folded, std::uint32_t tag, Side& side);
  void compare_kinds();
  void index_synonyms();
  void mark_synonyms(const Kind& kind, std::uint8_t* marks);
  MatchCounts match_ngrams(unsigned n, std::vector<Match>* matches);
  MatchCounts match_triples(std::vector<Match>* matches);
  template <typename Key, typename Equal>
  std::size_t match_exactly(unsigned n, Phase phase, const Key& key, const Equal& equal,
                            std::vector<Match>* matches);
  const std::uint8_t* weights(std::uint32_t start, unsigned n);
  const std::uint8_t* token_row(std::uint32_t left_kind);

  // S of eq. 1 in halves: 0, 1 or 2.
  int similarity(std::uint32_t left_kind, std::uint32_t right_kind) const {
    return similarity_[left_kind * right_.kinds.size() + right_kind];
  }

  const Lexicon& lexicon_;
  Side left_, right_;
  std::vector<std::uint8_t> similarity_;
  struct Synonym {  // of a kind of the right side
    std::uint32_t id, kind, next;
  };
  std::vector<Synonym> synonyms_;
  std::vector<std::uint32_t> synonym_slots_;  // the first of those with the same hash
  std::uint32_t& synonym_slot(std::uint32_t id) {
    return synonym_slots_[(id * 0x9e3779b1u >> 8) & (synonym_slots_.size() - 1)];
  }
  std::vector<std::uint8_t> open_;  // of an item of the right side: 255 if it is not matched, else 0
  struct Equals {  // the items of the right side that are equal to one of them
    std::uint64_t key;
    std::uint32_t item, first;  // no_item in an empty slot; the first that is not matched
  };
  std::vector<Equals> equals_;            // open addressing
  std::vector<std::uint32_t> following_;  // the next item that is equal to this one
  std::vector<std::uint8_t> token_rows_, weights_;
  std::vector<std::uint32_t> row_owners_;  // whose similarity a row of token_rows_ has
  Matching matching_;
};

}  // namespace otherwords
