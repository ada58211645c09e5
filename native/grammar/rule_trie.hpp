// The rules that a sentence pair can use, by their source sides.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "grammar/rule_record.hpp"

namespace otherwords {

class RuleTrie {
 public:
  static constexpr std::uint32_t none = 0xffffffffu;
  static constexpr std::uint32_t root = 0;

  struct Node {
    std::uint32_t label = none;  // of the nonterminal that leads here
    std::uint32_t first_nonterminal = none, sibling = none;
    std::uint32_t first_rule = none;
    bool has_word = false;  // whether a word may follow
  };
  struct Rule {
    std::uint32_t lhs;
    std::uint32_t number;         // in the grammar; none for a word that stands for itself
    std::uint32_t begin, length;  // of its target side, wherever that is kept
    std::uint32_t next = none;    // rule with the same source side
  };

  RuleTrie() : nodes_(1) {}

  void add(std::span<const std::uint32_t> source, Rule rule) {
    std::uint32_t at = root;
    for (const std::uint32_t symbol : source) {
      const auto [found, is_new] = edges_.try_emplace(key(at, symbol), 0);
      if (is_new) {
        found->second = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
        if (is_nonterminal(symbol)) {
          nodes_.back().label = value_of(symbol);
          nodes_.back().sibling = nodes_[at].first_nonterminal;
          nodes_[at].first_nonterminal = found->second;
        } else {
          nodes_[at].has_word = true;
        }
      }
      at = found->second;
    }
    rule.next = nodes_[at].first_rule;
    rules_.push_back(rule);
    nodes_[at].first_rule = static_cast<std::uint32_t>(rules_.size() - 1);
  }

  const Node& operator[](std::uint32_t node) const { return nodes_[node]; }
  const Rule& rule(std::uint32_t number) const { return rules_[number]; }

  // The node after a symbol, or none.
  std::uint32_t after(std::uint32_t node, std::uint32_t symbol) const {
    const auto found = edges_.find(key(node, symbol));
    return found == edges_.end() ? none : found->second;
  }

 private:
  static std::uint64_t key(std::uint32_t node, std::uint32_t symbol) {
    return std::uint64_t{node} << 32 | symbol;
  }

  std::vector<Node> nodes_;
  std::vector<Rule> rules_;
  std::unordered_map<std::uint64_t, std::uint32_t> edges_;
};

}  // namespace otherwords
