// Which rules a sentence pair can use: both sides must fit into it, words where they are and at
// least one word for each nonterminal.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "grammar/places.hpp"
#include "grammar/rule_record.hpp"
#include "grammar/sync_grammar.hpp"

namespace otherwords {

template <std::size_t W>
class PairFilter {
 public:
  using Set = Places<W>;
  static constexpr std::uint32_t none = 0xffffffffu;

  PairFilter(Symbols source, Symbols target) : lengths_{source.size(), target.size()} {
    slots_.assign(std::bit_ceil(4 * (source.size() + target.size()) + 1), {none, 0});
    for (std::size_t k = 0; k < source.size(); ++k) places_[0][entry(source[k])].set(k);
    for (std::size_t k = 0; k < target.size(); ++k) places_[1][entry(target[k])].set(k);
  }

  // A word of the pair as a small number, or none.
  std::uint32_t find(std::uint32_t word) const {
    for (std::size_t at = slot(word);; at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].word == word) return slots_[at].entry;
      if (slots_[at].word == none) return none;
    }
  }
  // Where in the target the word with this small number is.
  const Set& in_target(std::uint32_t entry) const { return places_[1][entry]; }
  bool is_in_target(std::uint32_t word) const {
    const std::uint32_t entry = find(word);
    return entry != none && places_[1][entry].any();
  }

  bool fits(const RuleRecord& rule) const {
    return fits(rule.source, 0) && fits(rule.target, 1);
  }

 private:
  struct Slot {
    std::uint32_t word, entry;
  };

  std::size_t slot(std::uint32_t word) const {
    return (word * 0x9e3779b1u >> 7) & (slots_.size() - 1);
  }

  std::uint32_t entry(std::uint32_t word) {
    std::size_t at = slot(word);
    while (slots_[at].word != word && slots_[at].word != none) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].word == none) {
      slots_[at] = {word, static_cast<std::uint32_t>(places_[0].size())};
      for (std::vector<Set>& places : places_) places.emplace_back();
    }
    return slots_[at].entry;
  }

  bool fits(Symbols side, std::size_t which) const {
    Set now = Set::range(0, lengths_[which]);
    for (const std::uint32_t symbol : side) {
      if (is_nonterminal(symbol)) {
        now = Set::range(now.first() + 1, lengths_[which]);
      } else {
        const std::uint32_t entry = find(symbol);
        if (entry == none) return false;
        now = (now & places_[which][entry]).next();
      }
      if (!now.any()) return false;
    }
    return true;
  }

  std::size_t lengths_[2];
  std::vector<Slot> slots_;
  std::vector<Set> places_[2];  // of each small number, in the source and in the target
};

// The different ones of these numbers, in order.
inline std::vector<std::uint32_t> different(Symbols numbers) {
  std::vector<std::uint32_t> sorted(numbers.begin(), numbers.end());
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return sorted;
}

// The rules of a grammar that the pair can use, by number.
template <std::size_t W>
std::vector<RuleRecord> usable_rules(const SyncGrammar& grammar, const PairFilter<W>& filter,
                                     Symbols source, Symbols target) {
  std::vector<RuleRecord> out;
  grammar.candidates(different(source), different(target), [&](const RuleRecord& rule) {
    if (filter.fits(rule)) out.push_back(rule);
  });
  // The work on a pair must not depend on how words are numbered.
  std::ranges::sort(out, {}, &RuleRecord::number);
  return out;
}

// Calls use(width) with the width, as a type, of sets for sentences of up to 1,023 words.
template <typename Use>
auto with_width(std::size_t longest, Use use) {
  if (longest < 64) return use(std::integral_constant<std::size_t, 1>{});
  if (longest < 256) return use(std::integral_constant<std::size_t, 4>{});
  return use(std::integral_constant<std::size_t, 16>{});
}

}  // namespace otherwords
