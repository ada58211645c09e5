// A grammar as a decoder needs it: rules with their features, found by a trie of source sides.
#pragma once

#include "text/word_table.hpp"

namespace otherwords::generation {

// A symbol is a word, or a nonterminal: on the source side its label, on the target side the
// place of its partner among the nonterminals of the source side, from 0.
using Symbol = std::uint32_t;
constexpr Symbol nonterminal_flag = 0x80000000u;
constexpr bool is_nonterminal(Symbol symbol) { return symbol & nonterminal_flag; }
constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

struct BadLine : std::runtime_error {
  BadLine(const std::string& what, std::size_t at) : std::runtime_error(what), line(at) {}
  std::size_t line;  // from 1
};

struct Feature {
  std::uint32_t name;
  float value;
};

struct Rule {
  std::uint32_t lhs;
  std::uint32_t source, target;  // where their symbols begin
  std::uint16_t source_size, target_size;
  std::uint32_t features;  // where they begin
  std::uint16_t feature_count;
  std::uint16_t arity;
};

class Rules {
 public:
  Rules();

  // Only rules whose source words are all among these are kept.
  void keep_for(std::span<const std::string_view> words);

  // The lines that follow are of another grammar, and counted from 1.
  void begin() { line_ = 0; }

  // More lines of Joshua's text. Features without names are PhraseModel_0, PhraseModel_1...
  // Throws BadLine.
  void add(std::string_view text);

  // Once all lines are there: sorts the rules and builds the trie.
  void finish();

  std::size_t size() const { return rules_.size(); }
  const Rule& operator[](std::size_t k) const { return rules_[k]; }
  std::span<const Symbol> source(const Rule& rule) const {
    return std::span(symbols_).subspan(rule.source, rule.source_size);
  }
  std::span<const Symbol> target(const Rule& rule) const {
    return std::span(symbols_).subspan(rule.target, rule.target_size);
  }
  std::span<const Feature> features(const Rule& rule) const {
    return std::span(features_).subspan(rule.features, rule.feature_count);
  }

  const WordTable& words() const { return words_; }
  const WordTable& labels() const { return labels_; }
  const WordTable& feature_names() const { return names_; }
  std::uint32_t label_x() const { return x_; }

  // An order of labels in which those that rules with one nonterminal as their source side lead
  // to come later. A rule that leads back would close a circle, and is not used.
  std::uint32_t rank(std::uint32_t label) const { return ranks_[label]; }

  // The trie. Node 0 is the root; the rules of a node are [first_rule, last_rule).
  std::uint32_t child(std::uint32_t node, Symbol symbol) const;
  std::uint32_t first_rule(std::uint32_t node) const { return nodes_[node].rule_begin; }
  std::uint32_t last_rule(std::uint32_t node) const { return nodes_[node].rule_end; }
  bool has_children(std::uint32_t node) const {
    return nodes_[node].child_begin < nodes_[node].child_end;
  }

 private:
  struct Node {
    std::uint32_t child_begin = 0, child_end = 0, rule_begin = 0, rule_end = 0;
  };
  struct Child {
    Symbol symbol;
    std::uint32_t node;
  };

  void add_line(std::string_view line);
  bool read_source(std::string_view side, Rule& rule);
  void read_target(std::string_view side, Rule& rule);
  void read_features(std::string_view text, Rule& rule);
  void rank_labels();
  std::uint32_t build(std::uint32_t begin, std::uint32_t end, std::size_t depth);

  WordTable words_, labels_, names_;
  std::uint32_t x_;
  std::vector<Rule> rules_;
  std::vector<Symbol> symbols_;
  std::vector<Feature> features_;
  std::vector<Node> nodes_;
  std::vector<Child> children_;
  std::unordered_set<std::string> wanted_;
  bool filtered_ = false;
  std::vector<std::uint32_t> ranks_;
  std::size_t line_ = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> partners_;  // index, label
};

}  // namespace otherwords::generation
