// Sets of places between the words of a sentence, as bits.
#pragma once

#include "grammar/sync_grammar.hpp"

namespace otherwords {

// Places from 0, before the first word, to the number of words; fewer than 64 * W.
template <std::size_t W>
struct Places {
  std::array<std::uint64_t, W> bits{};

  // All places from first to last; none if last is below first.
  static Places range(std::size_t first, std::size_t last) {
    Places out;
    for (std::size_t w = 0; w < W; ++w) out.bits[w] = up_to(last + 1, w) & ~up_to(first, w);
    return out;
  }

  void set(std::size_t k) { bits[k / 64] |= std::uint64_t{1} << k % 64; }
  bool has(std::size_t k) const { return bits[k / 64] >> k % 64 & 1; }
  bool any() const {
    std::uint64_t all = 0;
    for (const std::uint64_t word : bits) all |= word;
    return all != 0;
  }
  std::size_t count() const {
    std::size_t all = 0;
    for (const std::uint64_t word : bits) all += static_cast<std::size_t>(std::popcount(word));
    return all;
  }
  // The smallest place; 64 * W if there is none.
  std::size_t first() const {
    for (std::size_t w = 0; w < W; ++w)
      if (bits[w] != 0) return 64 * w + static_cast<std::size_t>(std::countr_zero(bits[w]));
    return 64 * W;
  }
  Places operator&(const Places& other) const {
    Places out;
    for (std::size_t w = 0; w < W; ++w) out.bits[w] = bits[w] & other.bits[w];
    return out;
  }
  Places& operator|=(const Places& other) {
    for (std::size_t w = 0; w < W; ++w) bits[w] |= other.bits[w];
    return *this;
  }
  // Each place moved on by one word.
  Places next() const {
    Places out;
    std::uint64_t carry = 0;
    for (std::size_t w = 0; w < W; ++w) {
      out.bits[w] = bits[w] << 1 | carry;
      carry = bits[w] >> 63;
    }
    return out;
  }
  template <typename Take>
  void each(Take take) const {
    for (std::size_t w = 0; w < W; ++w)
      for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
        take(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
  }

 private:
  // The places below `end` among those of word w.
  static std::uint64_t up_to(std::size_t end, std::size_t w) {
    if (end <= 64 * w) return 0;
    return end - 64 * w >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << (end - 64 * w)) - 1;
  }
};

// Which rules a sentence pair can use: both sides must fit into it, words where they are and at
// least one word for each nonterminal.

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
