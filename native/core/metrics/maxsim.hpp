// Maximum-weight bipartite matching for small integer weights.
#pragma once

#include "text/annotate.hpp"
#include "text/lexicon.hpp"

namespace otherwords {

// Kuhn-Munkres in its primal-dual form. MAXSIM's weights are multiples of 1/2n, so they are
// kept as integers 0..W with W <= 2n; the duals then move in steps of one, and W searches of
// augmenting paths over the tight edges are all that is needed. Weight 0 means no edge.
class Matching {
 public:
  static constexpr std::size_t free_node = static_cast<std::size_t>(-1);

  // Solves for `left` x `right` nodes; row(i) gives the weights of left node i with all right nodes,
  // good until it is called again. Returns the total.
  template <typename Row>
  std::uint64_t solve(std::size_t left, std::size_t right, const Row& row) {
    left_ = left;
    right_ = right;
    if (list_edges(row))
      search([&](std::size_t i, const auto& visit) {
        for (std::size_t e = bounds_[i]; e < bounds_[i + 1]; ++e)
          if (visit(edges_[e].right, edges_[e].weight)) return;
      });
    else  // too many edges to keep: look at every pair again and again
      search([&](std::size_t i, const auto& visit) { each_edge(row(i), visit); });
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < left; ++i) total += weight(i);
    return total;
  }

  // After solve: the partner of a left node, or free_node.
  std::size_t partner(std::size_t left) const { return left_partner_[left]; }
  // The weight of its edge, which is tight, or 0.
  std::uint64_t weight(std::size_t left) const {
    const std::size_t right = left_partner_[left];
    return right == free_node ? 0 : static_cast<std::uint64_t>(left_dual_[left] + right_dual_[right]);
  }

 private:
  static constexpr std::size_t most_edges = std::size_t{1} << 24;

  struct Edge {
    std::uint32_t right;
    std::int32_t weight;
  };

  // Calls visit(j, weight) for every edge in a row, in order, until it returns true.
  template <typename Visit>
  void each_edge(const std::uint8_t* row, const Visit& visit) const {
    for (std::size_t j = 0; j < right_;) {
      std::uint64_t next = 1;
      if (j + sizeof next <= right_) std::memcpy(&next, row + j, sizeof next);
      const std::size_t end = std::min(j + sizeof next, right_);
      if (next == 0) j = end;  // most rows are nearly empty
      for (; j < end; ++j)
        if (row[j] && visit(j, static_cast<int>(row[j]))) return;
    }
  }

  // Fills edges_ and the largest weight; false if there are too many edges.
  template <typename Row>
  bool list_edges(const Row& row) {
    edges_.clear();
    bounds_.assign(1, 0);
    largest_ = 0;
    bool full = false;
    for (std::size_t i = 0; i < left_; ++i) {
      each_edge(row(i), [&](std::size_t j, int weight) {
        largest_ = std::max(largest_, weight);
        if (edges_.size() < most_edges)
          edges_.push_back({static_cast<std::uint32_t>(j), weight});
        else
          full = true;
        return false;
      });
      bounds_.push_back(edges_.size());
    }
    return !full;
  }

  // neighbours(i, visit) calls visit(j, weight) for every edge of i until it returns true.
  template <typename Neighbours>
  void search(const Neighbours& neighbours) {
    left_partner_.assign(left_, free_node);
    right_partner_.assign(right_, free_node);
    left_dual_.assign(left_, largest_);
    right_dual_.assign(right_, 0);
    // The level is the dual of every free left node.
    for (int level = largest_; level > 0; --level) {
      while (augment_all(neighbours)) {
      }
      for (std::size_t i = 0; i < left_; ++i) left_dual_[i] -= left_seen_[i];
      for (std::size_t j = 0; j < right_; ++j) right_dual_[j] += right_seen_[j];
    }
  }

  // One round of searches from every free left node; true if any path was found. After a
  // round that found none, the nodes seen are those whose duals must move.
  template <typename Neighbours>
  bool augment_all(const Neighbours& neighbours) {
    left_seen_.assign(left_, 0);
    right_seen_.assign(right_, 0);
    parent_.resize(right_);
    bool found = false;
    for (std::size_t i = 0; i < left_; ++i)
      if (left_partner_[i] == free_node && augment(i, neighbours)) found = true;
    return found;
  }

  // Breadth-first search for an augmenting path of tight edges from a free left node.
  template <typename Neighbours>
  bool augment(std::size_t root, const Neighbours& neighbours) {
    queue_.assign(1, root);
    left_seen_[root] = 1;
    std::size_t end = free_node;
    for (std::size_t head = 0; head < queue_.size() && end == free_node; ++head) {
      const std::size_t i = queue_[head];
      neighbours(i, [&](std::size_t j, int weight) {
        if (right_seen_[j] || weight != left_dual_[i] + right_dual_[j]) return false;
        right_seen_[j] = 1;
        parent_[j] = i;
        if (right_partner_[j] == free_node) {
          end = j;
          return true;
        }
        left_seen_[right_partner_[j]] = 1;
        queue_.push_back(right_partner_[j]);
        return false;
      });
    }
    if (end != free_node) flip(end);
    return end != free_node;
  }

  void flip(std::size_t j) {
    while (j != free_node) {
      const std::size_t i = parent_[j];
      const std::size_t previous = left_partner_[i];
      left_partner_[i] = j;
      right_partner_[j] = i;
      j = previous;
    }
  }

  std::size_t left_ = 0, right_ = 0;
  int largest_ = 0;
  std::vector<Edge> edges_;
  std::vector<std::size_t> bounds_, left_partner_, right_partner_, parent_, queue_;
  std::vector<int> left_dual_, right_dual_;
  std::vector<std::uint8_t> left_seen_, right_seen_;
};

// MAXSIM (Chan & Ng 2008): maximum similarity of two sentences by matching their n-grams.

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
