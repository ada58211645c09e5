// Numbers the different sequences of symbols in the order in which they come.
#pragma once

#include "grammar/labels.hpp"
#include "grammar/rule_finder.hpp"
#include "hash.hpp"
#include "phrases/aligned.hpp"
#include "prefetch.hpp"

namespace otherwords {

class Sequences {
 public:
  using Sequence = std::span<const std::uint32_t>;

  std::int32_t number(Sequence sequence) {
    if (2 * size() >= slots_.size()) grow();
    const std::uint64_t hash = hash_of(sequence);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t slot = hash & mask;; slot = (slot + 1) & mask) {
      const std::int32_t entry = slots_[slot];
      if (entry < 0) return slots_[slot] = add(sequence, hash);
      const auto at = static_cast<std::size_t>(entry);
      if (hashes_[at] == hash && std::ranges::equal((*this)[at], sequence)) return entry;
    }
  }

  std::size_t size() const { return hashes_.size(); }
  Sequence operator[](std::size_t number) const {
    return Sequence(symbols_).subspan(bounds_[number], bounds_[number + 1] - bounds_[number]);
  }

 private:
  static std::uint64_t hash_of(Sequence sequence) {
    std::uint64_t hash = fnv_basis;
    for (const std::uint32_t symbol : sequence) hash = mix(hash ^ symbol) + symbol;
    return hash;
  }

  std::int32_t add(Sequence sequence, std::uint64_t hash) {
    symbols_.insert(symbols_.end(), sequence.begin(), sequence.end());
    bounds_.push_back(symbols_.size());
    hashes_.push_back(hash);
    return static_cast<std::int32_t>(size() - 1);
  }

  void grow() {
    slots_.assign(std::max<std::size_t>(1024, 2 * slots_.size()), -1);
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t entry = 0; entry < size(); ++entry) {
      std::size_t slot = hashes_[entry] & mask;
      while (slots_[slot] >= 0) slot = (slot + 1) & mask;
      slots_[slot] = static_cast<std::int32_t>(entry);
    }
  }

  std::vector<std::int32_t> slots_;
  std::vector<std::uint32_t> symbols_;
  std::vector<std::size_t> bounds_{0};
  std::vector<std::uint64_t> hashes_;
};

// The sides of rules, packed: most rules have sides that no other rule has, so they take the memory.

// Two hashes of everything that a side is made of; those of words are computed once.
struct TwoHashes {
  std::uint64_t id, check;
};
class SymbolHashes {
 public:
  explicit SymbolHashes(const Words& words);
  TwoHashes side(std::span<const std::uint32_t> symbols, const std::vector<TwoHashes>& labels) const;

 private:
  std::vector<TwoHashes> words_;
};
TwoHashes hashes_of(std::string_view text);

// Eight bytes from a place on as a number that sorts as they do, though it has a sign.
std::int64_t bytes_from(std::string_view text, std::size_t begin);

// A side in full.
struct SideText {
  std::string text;
  std::int32_t arity = 0, words = 0, characters = 0;  // characters count the space before a word

  // Ends after the symbol with which the text has at least `most` bytes.
  void write(std::span<const std::uint32_t> symbols, const Words& words,
             const std::vector<std::string>& labels, std::size_t most = ~std::size_t{0});
};

// The sides of a block of text, one or two bytes per symbol.
class PackedSides {
 public:
  PackedSides() = default;
  PackedSides(const Sequences& sides, const std::vector<std::string>& labels);

  void read(std::uint32_t side, const Words& words, SideText& out) const;

  // Ask for the memory that reading a side will need soon: where its symbols are, then the symbols.
  void prefetch_bounds(std::uint32_t side) const { prefetch(ends_.data() + side); }
  void prefetch_symbols(std::uint32_t side) const {
    if (side < ends_.size()) prefetch(bytes_.data() + ends_[side] - 1);
  }

 private:
  std::vector<std::string> labels_;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint32_t> ends_;
};

// Synchronous rules of a block of an aligned bitext (Chiang 2007, §3.2; Zollmann & Venugopal
// 2006), counted, with their lexical weights.

// A rule of a block of text with one set of links. Sides are given by their hashes, and by their
// places among the sides of the block.
struct RuleRow {
  std::int64_t first, second;             // the first sixteen bytes of the source, which sort as it does
  std::uint64_t source, target, check;    // hashes of the sides; another one, of both
  double source_given_target, target_given_source;  // lexical weights, -ln
  std::uint32_t stretch, source_place, target_place;
  std::uint32_t label, alignment;         // numbers, in the block or, once it is added, in all text
  std::uint32_t count;
};
static_assert(sizeof(RuleRow) == 80);     // rows go to disk as they are

// The different (left-hand side, source, target, links) of a block of text.
struct RuleCounts {
  std::vector<std::string> label_names;
  Sequences alignments;
  PackedSides sources, targets;
  std::vector<RuleRow> rows;
};

// What is the same for all blocks.
struct RuleText {
  const Aligned& pairs;
  const Words &left_words, &right_words;
  const WordLinks& lexicon;
  const TreeNodes& trees;
  LabelOptions labels;
  RuleLimits limits;
  SymbolHashes left_hashes, right_hashes;
};

// Counts the rules of the sentences from `begin` to `end`.
RuleCounts count_rules(const RuleText& text, std::size_t begin, std::size_t end);

}  // namespace otherwords
