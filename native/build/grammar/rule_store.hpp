// How often things were seen that have 64-bit hashes for names.
#pragma once

#include "grammar/extract.hpp"
#include "hash.hpp"
#include "prefetch.hpp"

namespace otherwords {

// Open addressing, twelve bytes a slot: most sides of rules are seen once, so there are many of them.
class Totals {
 public:
  void add(std::uint64_t id, std::int64_t count) {
    if (3 * size_ >= 2 * ids_.size()) grow();
    const std::size_t slot = find(id);
    if (counts_[slot] == 0) {
      ids_[slot] = id;
      ++size_;
    }
    if (counts_[slot] + static_cast<std::uint64_t>(count) > std::numeric_limits<std::uint32_t>::max())
      throw std::length_error("a side of a rule was seen more than four billion times");
    counts_[slot] += static_cast<std::uint32_t>(count);
  }

  std::int64_t operator[](std::uint64_t id) const { return ids_.empty() ? 0 : counts_[find(id)]; }

  // Asks for the memory that the name will need soon.
  void prefetch(std::uint64_t id) const {
    if (ids_.empty()) return;
    const std::size_t slot = id & (ids_.size() - 1);
    otherwords::prefetch(&ids_[slot]);
    otherwords::prefetch(&counts_[slot]);
  }

 private:
  // Where the name is, or where it would be; the hashes are as good as random numbers.
  std::size_t find(std::uint64_t id) const {
    const std::size_t mask = ids_.size() - 1;
    std::size_t slot = id & mask;
    while (counts_[slot] != 0 && ids_[slot] != id) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    const std::vector<std::uint64_t> ids = std::move(ids_);
    const std::vector<std::uint32_t> counts = std::move(counts_);
    ids_.assign(ids.empty() ? 1024 : 2 * ids.size(), 0);
    counts_.assign(ids_.size(), 0);
    for (std::size_t k = 0; k < ids.size(); ++k)
      if (counts[k] != 0) {
        const std::size_t slot = find(ids[k]);
        ids_[slot] = ids[k];
        counts_[slot] = counts[k];
      }
  }

  std::size_t size_ = 0;
  std::vector<std::uint64_t> ids_;
  std::vector<std::uint32_t> counts_;  // 0 in an empty slot
};

// The rules of a text: rows of blocks go out in parts, and come back to be made into a grammar.

struct TextRows {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> bounds{0};

  void append(std::string_view text) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    bounds.push_back(static_cast<std::int64_t>(bytes.size()));
  }
};

// Rows of a grammar. Features are the count, lexical weight and p(e | f), lexical weight and
// p(f | e), rarity, lexical, phrasal, syntactic, differences of words and of characters.
struct RuleTexts {
  TextRows labels, sources, targets, alignments;
  std::vector<std::int64_t> links;  // how many a rule has
  std::vector<std::vector<double>> features;
};

// Rows of a block by part; those of part k are from bounds[k] to bounds[k + 1].
struct PartedRows {
  std::vector<RuleRow> rows;
  std::vector<std::int64_t> bounds;
};

// The three features that follow from counts: p(e | f), p(f | e), rarity.
std::vector<std::vector<double>> count_features(std::span<const std::int64_t> count,
                                                std::span<const std::int64_t> both,
                                                std::span<const std::int64_t> source_total,
                                                std::span<const std::int64_t> target_total);

// Keeps labels, alignments, packed sides, and how often a side was seen. Parts follow each other in
// the order of the grammar: with one label they are ranges of sources, else of labels.
class RuleStore {
 public:
  RuleStore(const Words& left, const Words& right, bool has_labels)
      : left_words_(left), right_words_(right), has_labels_(has_labels) {}

  // Adds a block of the text; the first one decides where parts begin, of about `part_rows` rows
  // if all `stretches` of the text are like it.
  PartedRows add(RuleCounts&& counts, unsigned threads, std::size_t stretches,
                 std::size_t part_rows);
  std::size_t parts() const { return part_begins_.size() + 1; }

  // What of the counts is kept, instead of all that was seen.
  void forget_totals();
  void add_totals(std::span<const RuleRow> rows, std::int64_t min_count);

  // The rules of a part that were seen so often, sorted by label, source and target; those whose
  // sides are the same only with `identity`.
  RuleTexts write(std::span<const RuleRow> rows, std::int64_t min_count, bool identity) const;
  // Each row as it is, in their order.
  RuleTexts write_rows(std::span<const RuleRow> rows) const;

 private:
  // A rule, one of its rows, and the alignment that stands for it.
  struct Rule {
    const RuleRow* row;
    std::int64_t count;
    std::uint32_t alignment;
    double source_given_target, target_given_source;
  };
  // Numbers in all text of the labels and alignments of a block, and its own.
  struct Numbers {
    std::vector<std::uint32_t> labels, alignments;
    std::uint32_t stretch;
  };
  using Key = std::pair<std::int64_t, std::int64_t>;
  static constexpr std::size_t shards = 16, most_parts = 512;

  static std::size_t shard(std::uint64_t id) { return id >> 60; }
  static std::uint64_t pair(const RuleRow& row) { return mix(row.source) + row.target; }
  Key key(const RuleRow& row) const;
  Numbers numbered(const RuleCounts& counts);
  void choose_parts(const std::vector<RuleRow>& rows, std::size_t stretches, std::size_t part_rows);
  PartedRows parted(const std::vector<RuleRow>& rows) const;
  void add_total(const RuleRow& row, std::int64_t count, std::size_t group, std::size_t groups);
  std::vector<Rule> counted(std::span<const RuleRow> rows, std::int64_t min_count) const;
  Rule chosen(std::span<const RuleRow* const> rows) const;
  void check(const RuleRow& row) const;
  RuleTexts texts(const std::vector<Rule>& rules, bool sorted) const;

  Words left_words_, right_words_;
  bool has_labels_;
  LabelNames labels_;
  Sequences alignments_;
  std::vector<std::string> alignment_texts_;
  std::vector<PackedSides> sources_, targets_;  // of each block
  bool has_parts_ = false;
  std::vector<Key> part_begins_;  // but for the first
  std::array<Totals, shards> source_totals_, target_totals_, pair_totals_;
};

}  // namespace otherwords
