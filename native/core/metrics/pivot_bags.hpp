// PEM's meaning of a sentence (Liu, Dahlmeier & Ng 2010, §4.2 and §4.3): it is cut into known
// phrases, their translations make a confusion network, and the expected counts of the network's
// n-grams are the bag that two sentences are compared by.
#pragma once

#include "models/pivot_table.hpp"

namespace otherwords {

struct BagOptions {
  std::size_t longest = 4;        // words of an English phrase
  std::size_t orders = 4;         // the longest n-grams of a bag
  double edge_threshold = 0.1;    // translations must be more likely; the most likely one stays
  double gram_threshold = 0.01;   // n-grams must weigh more
  bool renormalise = false;       // the translations that stay sum to 1
};

// N-grams and their weights. Weights are whole numbers of 2^-40: their sums do not depend on
// the order of adding, so that F1 is symmetric to the last bit.
class Bag {
 public:
  static constexpr std::size_t max_orders = 8;
  static constexpr double one = 1099511627776.0;  // 2^40

  void clear();
  void add(std::uint64_t gram, unsigned order, std::int64_t weight);
  void prune(std::int64_t threshold);  // drops what weighs no more; call it once, at the end

  bool known = false;  // whether any phrase of the sentence was in the table

  // Of each order: sum of min(W_left, W_right), of W_left, of W_right.
  static void compare(const Bag& left, const Bag& right, std::size_t orders, double* sums);

  std::int64_t weight(std::uint64_t gram) const;
  std::int64_t take(std::uint64_t gram);  // the weight, which is 0 after it

 private:
  struct Gram {
    std::uint64_t hash;
    std::int64_t weight;
    unsigned order;
  };
  void grow();
  std::size_t slot_of(std::uint64_t gram) const;

  std::vector<Gram> grams_;
  std::vector<std::uint32_t> slots_;  // open addressing: position in `grams_` + 1
  std::array<std::int64_t, max_orders> totals_{};
};

// A span of a sentence that is looked up as one phrase.
struct Segment {
  std::uint32_t begin;
  std::uint32_t end;
  PivotTable::Entry entry;
};

// Makes bags with one pivot table. Holds scratch memory: one object per thread.
class PivotBags {
 public:
  PivotBags(const PivotTable& table, double total, const BagOptions& options);

  // The phrases whose product of N(p) / total is largest (eq. 2); at ties longer ones.
  const std::vector<Segment>& segment(std::span<const std::string_view> words);

  // The bag of a sentence.
  void make(std::span<const std::string_view> words, Bag& bag);

  // The same for readers: every n-gram of the bag, as its words with spaces, and its weight.
  std::vector<std::pair<std::string, double>> list(std::span<const std::string_view> words);

 private:
  // A word of the network: its id in the table, or of an English word that stands for itself
  // and that the pivot language does not have, its hash with the highest bit set.
  using Code = std::uint64_t;
  struct Choice {  // one translation of a segment: codes_[begin, end)
    std::uint32_t begin, end;
    double probability;
  };
  struct Path {  // an n-gram while it grows
    std::array<Code, Bag::max_orders> codes;
    std::size_t length;
    std::uint64_t hash;
    double weight;
  };
  void build_network(std::span<const std::string_view> words);
  void add_choice(const PivotTable::Edge& edge);
  void add_translations(const PivotTable::Entry& entry);
  void add_itself(std::span<const std::string_view> phrase);
  template <typename Use>
  void each_gram(const Use& use) const;
  template <typename Use>
  void extend(Path path, std::size_t column, std::uint32_t at, std::uint32_t end,
              const Use& use) const;

  const PivotTable& table_;
  double total_;
  BagOptions options_;
  std::vector<std::uint64_t> keys_;
  std::vector<PivotTable::Entry> entries_;
  std::vector<double> best_;
  std::vector<std::uint32_t> from_;
  std::vector<Segment> segments_;
  std::vector<Code> codes_;
  std::vector<Choice> choices_;         // all columns', one after the other
  std::vector<std::uint32_t> columns_;  // where each begins, and the end
};

// The bag of the n-grams of a sentence itself (PEM §4.4), each occurrence weighing 1.
void make_word_bag(std::span<const std::uint64_t> words, std::size_t orders, Bag& bag);

}  // namespace otherwords
