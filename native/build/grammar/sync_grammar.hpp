// A synchronous rule as numbers.
//
// number, lhs, lengths of both sides (16 bits each), the source's symbols, the target's symbols.
#pragma once

#include "hash.hpp"

namespace otherwords {

using Symbols = std::span<const std::uint32_t>;

// A symbol is a word id, or a nonterminal: of a source side its label, of a target side the place
// of its partner among the nonterminals of the source.
constexpr std::uint32_t nonterminal_flag = 0x80000000u;
constexpr bool is_nonterminal(std::uint32_t symbol) { return (symbol & nonterminal_flag) != 0; }
constexpr std::uint32_t value_of(std::uint32_t symbol) { return symbol & ~nonterminal_flag; }

constexpr std::size_t longest_side = 0xffff;

// Numbers that cannot be a grammar's.
struct DamagedGrammar : std::runtime_error {
  DamagedGrammar() : std::runtime_error("the rules are damaged") {}
};

struct RuleRecord {
  std::uint32_t number, lhs;
  Symbols source, target;

  static constexpr std::size_t header = 3;
  std::size_t size() const { return header + source.size() + target.size(); }

  // The record at the beginning of these numbers.
  static RuleRecord at(Symbols numbers) {
    if (numbers.size() < header) throw DamagedGrammar();
    const std::size_t n = numbers[2] >> 16, m = numbers[2] & 0xffff;
    if (n == 0 || m == 0 || numbers.size() - header < n + m) throw DamagedGrammar();
    return {numbers[0], numbers[1], numbers.subspan(header, n), numbers.subspan(header + n, m)};
  }
};

// Calls take(record, offset) for each of the records.
template <typename Take>
void each_record(Symbols records, Take take) {
  for (std::size_t at = 0; at < records.size();) {
    const RuleRecord record = RuleRecord::at(records.subspan(at));
    take(record, at);
    at += record.size();
  }
}

// A synchronous grammar as it lies in memory: rules by their rarest words, so
// that a sentence pair looks only at rules that it may be able to use.

// Words or labels: their texts by number, and their numbers by text.
class NameTable {
 public:
  static constexpr std::uint32_t unknown = 0x7fffffffu;

  NameTable(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> buckets,
            std::span<const std::uint32_t> numbers, std::span<const std::uint8_t> bytes,
            std::span<const std::int64_t> bounds);

  std::size_t size() const { return numbers_.size(); }
  std::uint32_t find(std::string_view text) const;
  std::string_view operator[](std::size_t number) const;

 private:
  HashIndex index_;
  std::span<const std::uint32_t> numbers_;  // by the place of the key
  std::span<const std::uint8_t> bytes_;
  std::span<const std::int64_t> bounds_;
};

// Nothing here owns memory. Damaged arrays give wrong rules or DamagedGrammar, never a crash.
class SyncGrammar {
 public:
  static constexpr std::uint32_t unknown = NameTable::unknown;

  struct Arrays {
    std::span<const std::uint32_t> records, group_targets;
    std::span<const std::uint64_t> source_starts, group_starts, places;  // as in RuleGroups
    std::span<const std::uint8_t> source_words;
  };

  SyncGrammar(const NameTable& words, const NameTable& labels, const Arrays& arrays);

  std::size_t size() const { return arrays_.places.size(); }
  const NameTable& words() const { return words_; }
  const NameTable& labels() const { return labels_; }
  // Whether a word is on the source side of some rule.
  bool is_source_word(std::uint32_t word) const {
    return word < arrays_.source_words.size() && arrays_.source_words[word];
  }
  RuleRecord rule(std::size_t number) const;

  // Calls take(rule) for all rules whose rarest source word and rarest target word are
  // among these, which are in order and without repetition, or that have no words on a side.
  template <typename Take>
  void candidates(Symbols sources, Symbols targets, Take take) const {
    const auto none = static_cast<std::uint32_t>(words_.size());
    for (const std::uint32_t source : sources)
      if (source < none) with_source(source, targets, take);
    with_source(none, targets, take);
  }

 private:
  template <typename Take>
  void with_source(std::size_t source, Symbols targets, Take take) const {
    const auto none = static_cast<std::uint32_t>(words_.size());
    const std::size_t end = arrays_.source_starts[source + 1];
    std::size_t group = arrays_.source_starts[source];
    if (group > end || end > arrays_.group_targets.size()) throw DamagedGrammar();
    for (const std::uint32_t target : targets) {
      if (target >= none) break;
      group = find_group(group, end, target);
      if (group < end && arrays_.group_targets[group] == target) all_of(group, take);
    }
    if (group < end && arrays_.group_targets[end - 1] == none) all_of(end - 1, take);
  }

  // The first group from here on whose target key is not below this.
  std::size_t find_group(std::size_t group, std::size_t end, std::uint32_t target) const {
    const auto all = arrays_.group_targets.begin();
    const auto at = [&](std::size_t k) { return all + static_cast<std::ptrdiff_t>(k); };
    return static_cast<std::size_t>(std::lower_bound(at(group), at(end), target) - all);
  }

  template <typename Take>
  void all_of(std::size_t group, Take take) const {
    const std::size_t end = arrays_.group_starts[group + 1];
    const std::size_t at = arrays_.group_starts[group];
    if (at > end || end > arrays_.records.size()) throw DamagedGrammar();
    each_record(arrays_.records.subspan(at, end - at),
                [&](const RuleRecord& rule, std::size_t) { take(rule); });
  }

  NameTable words_, labels_;
  Arrays arrays_;
};

}  // namespace otherwords
