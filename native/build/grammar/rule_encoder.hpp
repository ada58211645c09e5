// Rules of text as records of numbers, and the order in which a grammar index keeps them.
#pragma once

#include "grammar/sync_grammar.hpp"
#include "text/word_table.hpp"

namespace otherwords {

// A line, from 1, that is not a rule.
struct BadRule : std::invalid_argument {
  BadRule(const std::string& what, std::size_t line) : std::invalid_argument(what), line(line) {}
  std::size_t line;
};

// Where the rules of each pair of rarest words are. Of source key k, groups
// source_starts[k] to source_starts[k + 1]; a group has a target key and its records end where
// those of the next one begin. A key is a word, or the number of words for a side without any.
struct RuleGroups {
  std::vector<std::uint64_t> source_starts, group_starts, places;  // places: by rule number
  std::vector<std::uint32_t> group_targets;
};

class RuleEncoder {
 public:
  // Appends the records of Joshua's lines, of which the first three fields are read; empty lines
  // are skipped. Throws BadRule for a line that is not a rule.
  void add(std::string_view text, std::vector<std::uint32_t>& out);

  // Copies all records that `add` made to `out`, of the same size, in the order of their groups,
  // those of a group by number.
  RuleGroups arrange(Symbols records, std::span<std::uint32_t> out) const;

  std::size_t size() const { return size_; }
  const WordTable& words() const { return words_; }
  const WordTable& labels() const { return labels_; }
  // Whether each word is on the source side of some rule.
  std::vector<std::uint8_t> source_words() const;

 private:
  // A nonterminal of the source, for its partner in the target.
  struct Partner {
    std::uint32_t label, index;
    bool used;
  };

  bool read_nonterminal(std::string_view token, Partner& out);
  bool read_bracketed(std::string_view token, Partner& out);
  void add_line(std::string_view line, std::vector<std::uint32_t>& out);
  std::uint32_t add_lhs(std::string_view& line);
  std::size_t add_source(std::string_view& line, std::vector<std::uint32_t>& out);
  void read_source(std::string_view& line);
  std::size_t add_target(std::string_view& line, std::vector<std::uint32_t>& out);
  void fit(std::vector<std::uint32_t>& frequency) const;  // to the number of words
  std::uint32_t label(std::string_view text);
  std::uint32_t rarest(Symbols side, const std::vector<std::uint32_t>& frequency) const;

  std::size_t size_ = 0, line_ = 0;
  WordTable words_, labels_;
  std::vector<std::uint32_t> source_frequency_, target_frequency_;  // by word
  std::string last_label_;  // most labels are the one before
  std::uint32_t last_number_ = 0;
  // The source side before, as text up to the bars and as symbols: mostly it comes again.
  std::string source_text_;
  std::vector<std::uint32_t> source_;
  std::vector<Partner> partners_;
};

}  // namespace otherwords
