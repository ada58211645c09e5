// The rules that a sentence pair can use, by their source sides.
#pragma once

#include "grammar/sync_grammar.hpp"

namespace otherwords {

class RuleTrie {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr std::uint32_t root = 0;

  struct Node {
    std::uint32_t label = none;  // of the nonterminal that leads here
    std::uint32_t first_nonterminal = none, sibling = none;
    std::uint32_t first_rule = none;
    std::uint32_t nonterminals = 0;  // that may follow
    bool has_word = false;  // whether a word may follow
  };
  struct Rule {
    std::uint32_t lhs;
    std::uint32_t number;         // in the grammar; none for a word that stands for itself
    std::uint32_t begin, length;  // of its target side, wherever that is kept
    std::uint32_t next = none;    // rule with the same source side
  };

  RuleTrie() : nodes_(1), edges_(64) {}

  void add(std::span<const std::uint32_t> source, Rule rule) {
    std::uint32_t at = root;
    for (const std::uint32_t symbol : source) {
      if (2 * nodes_.size() >= edges_.size()) grow();
      Edge& edge = edges_[slot(key(at, symbol))];
      if (edge.node == root) {
        edge = {key(at, symbol), static_cast<std::uint32_t>(nodes_.size())};
        nodes_.emplace_back();
        if (is_nonterminal(symbol)) {
          nodes_.back().label = value_of(symbol);
          nodes_.back().sibling = nodes_[at].first_nonterminal;
          nodes_[at].first_nonterminal = edge.node;
          ++nodes_[at].nonterminals;
        } else {
          nodes_[at].has_word = true;
        }
      }
      at = edge.node;
    }
    rule.next = nodes_[at].first_rule;
    rules_.push_back(rule);
    nodes_[at].first_rule = static_cast<std::uint32_t>(rules_.size() - 1);
  }

  const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
  const Rule& rule(std::uint32_t number) const { return rules_[number]; }

  // The node after a symbol, or none.
  std::uint32_t after(std::uint32_t node, std::uint32_t symbol) const {
    const std::uint32_t next = edges_[slot(key(node, symbol))].node;
    return next == root ? none : next;
  }

 private:
  struct Edge {
    std::uint64_t key = 0;
    std::uint32_t node = root;
  };

  static std::uint64_t key(std::uint32_t node, std::uint32_t symbol) {
    return std::uint64_t{node} << 32 | symbol;
  }

  // Where the edge with this key is, or would be.
  std::size_t slot(std::uint64_t key) const {
    const std::size_t mask = edges_.size() - 1;
    std::size_t at = key * 0x9e3779b97f4a7c15ULL >> 32 & mask;
    while (edges_[at].node != root && edges_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Edge> old(2 * edges_.size());
    old.swap(edges_);
    for (const Edge& edge : old)
      if (edge.node != root) edges_[slot(edge.key)] = edge;
  }

  std::vector<Node> nodes_;
  std::vector<Rule> rules_;
  std::vector<Edge> edges_;  // open addressing; no edge leads to the root
};

}  // namespace otherwords
