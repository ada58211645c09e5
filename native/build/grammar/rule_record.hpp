// A synchronous rule as numbers, in memory and in the file of a grammar index.
//
// number, lhs, lengths of both sides (16 bits each), the source's symbols, the target's symbols.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

namespace otherwords {

using Symbols = std::span<const std::uint32_t>;

// A symbol is a word id, or a nonterminal: of a source side its label, of a target side the place
// of its partner among the nonterminals of the source.
constexpr std::uint32_t nonterminal_flag = 0x80000000u;
constexpr bool is_nonterminal(std::uint32_t symbol) { return (symbol & nonterminal_flag) != 0; }
constexpr std::uint32_t value_of(std::uint32_t symbol) { return symbol & ~nonterminal_flag; }

constexpr std::size_t longest_side = 0xffff;

// Numbers of a mapped file that cannot be a grammar's.
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

}  // namespace otherwords
