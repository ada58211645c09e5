// Whether a synchronous grammar derives a sentence pair: parsing in the manner of Dyer (2010).
//
// The source is parsed bottom up with the source sides (CKY over a trie of them). Each node of its
// forest, a label over a source span, carries the target spans that it derives as a matrix of
// bits; a hyperedge is a rule over its target side, and adds what its children's matrices allow.
// A node without target spans is dropped at once: nothing can be built on it.
#pragma once

#include "grammar/sync_grammar.hpp"

namespace otherwords {

enum class Verdict : std::uint8_t { rejected = 0, accepted = 1, steps = 2, time = 3, too_long = 4 };

enum class PassThrough : std::uint8_t { none, unknown, all };  // unknown: on no source side

struct SyncOptions {
  bool glue = true;               // a sequence of constituents of any labels, in the same order
  std::uint32_t goal = SyncGrammar::unknown;  // without glue, the label of the whole
  PassThrough pass_through = PassThrough::none;  // words with a rule X -> w | w
  std::uint64_t max_steps = 10'000'000;  // paths, rules applied, and 1,024 operations on sets
  double max_seconds = 0;         // 0: no limit
  bool derive = false;            // also give a derivation
};

// A rule of a derivation over a source and a target span; those below it follow, one deeper.
struct SyncStep {
  std::uint32_t rule;  // its number, or 0xffffffff for a word that stands for itself
  std::uint32_t label, source_begin, source_end, target_begin, target_end, depth;
};

struct SyncResult {
  Verdict verdict;
  std::uint64_t steps;
  std::vector<SyncStep> derivation;
};

constexpr std::size_t longest_parsed = 1023;  // words of a side

// The label X of words that stand for themselves; after all others if the grammar lacks it.
std::uint32_t free_label(const SyncGrammar& grammar);

// The words of the pair are ids of the grammar's words; those it does not have are numbered from
// `grammar.words().size()` on, the same on both sides.
SyncResult parse_pair(const SyncGrammar& grammar, Symbols source, Symbols target,
                      const SyncOptions& options);

// The numbers of the rules that a pair can use, in order; none if it is too long.
std::vector<std::uint32_t> usable_numbers(const SyncGrammar& grammar, Symbols source,
                                          Symbols target);

}  // namespace otherwords
