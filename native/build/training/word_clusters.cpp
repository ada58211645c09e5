#include "training/word_clusters.hpp"

namespace otherwords {
namespace {

constexpr std::size_t fixed_words = 2;  // the boundary and the rare word
constexpr double log_scale = 1024;      // fixed point of n log n

std::int64_t scaled_n_log_n(double n) { return std::llround(n * std::log(n) * log_scale); }

// n log n in fixed point; small n, which are nearly all, from a table that stays in cache.
class NLogN {
 public:
  NLogN() : table_(table_size) {
    for (std::size_t n = 1; n < table_size; ++n)
      table_[n] = static_cast<std::int32_t>(scaled_n_log_n(static_cast<double>(n)));
  }
  std::int64_t operator()(std::int64_t n) const {
    return static_cast<std::size_t>(n) < table_size ? table_[static_cast<std::size_t>(n)]
                                                    : scaled_n_log_n(static_cast<double>(n));
  }

 private:
  static constexpr std::size_t table_size = 1 << 16;  // the last entry still fits 32 bits
  std::vector<std::int32_t> table_;
};

struct Neighbour {
  std::uint32_t word;
  std::uint32_t count;
};

// The distinct bigrams, by one of their words.
class Neighbours {
 public:
  // `pairs` are (word << 32 | neighbour), one for each bigram of the text.
  Neighbours(std::vector<std::uint64_t> pairs, std::size_t vocabulary) : bounds_(vocabulary + 1) {
    std::sort(pairs.begin(), pairs.end());
    for (std::size_t i = 0; i < pairs.size();) {
      std::size_t end = i;
      while (end < pairs.size() && pairs[end] == pairs[i]) ++end;
      list_.push_back({static_cast<std::uint32_t>(pairs[i]), static_cast<std::uint32_t>(end - i)});
      ++bounds_[(pairs[i] >> 32) + 1];
      i = end;
    }
    for (std::size_t w = 0; w < vocabulary; ++w) bounds_[w + 1] += bounds_[w];
  }
  std::span<const Neighbour> of(std::size_t word) const {
    return {list_.data() + bounds_[word], list_.data() + bounds_[word + 1]};
  }

 private:
  std::vector<Neighbour> list_;
  std::vector<std::size_t> bounds_;
};

std::vector<std::uint64_t> bigrams(std::span<const std::uint32_t> text, bool by_second) {
  std::vector<std::uint64_t> pairs;
  pairs.reserve(text.size());
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const std::uint64_t key = by_second ? text[i + 1] : text[i];
    pairs.push_back(key << 32 | (by_second ? text[i] : text[i + 1]));
  }
  return pairs;
}

// How often the classes stand before and after one word; only the non-zero ones are listed.
struct ClassCounts {
  std::vector<std::int64_t> count;
  std::vector<std::uint32_t> seen;

  explicit ClassCounts(std::size_t classes) : count(classes) {}

  void clear() {
    for (const std::uint32_t c : seen) count[c] = 0;
    seen.clear();
  }
  void add(std::uint32_t c, std::int64_t n) {
    if (count[c] == 0) seen.push_back(c);
    count[c] += n;
  }
};

class Exchange {
 public:
  Exchange(std::span<const std::uint32_t> text, std::size_t vocabulary, unsigned classes)
      : classes_(classes),
        left_of_(bigrams(text, true), vocabulary),
        right_of_(bigrams(text, false), vocabulary),
        word_class_(vocabulary),
        joint_(std::size_t{classes} * classes),
        transposed_(joint_.size()),
        before_total_(classes),
        after_total_(classes),
        before_(classes),
        after_(classes),
        gain_(classes) {
    const unsigned movable = classes - fixed_words;
    for (std::size_t w = 0; w < vocabulary; ++w)
      word_class_[w] = static_cast<std::uint16_t>(
          w < fixed_words ? w : fixed_words + (w - fixed_words) % movable);
    for (std::size_t w = 0; w < vocabulary; ++w)
      for (const Neighbour& next : right_of_.of(w))
        count(word_class_[w], word_class_[next.word], next.count);
  }

  // Moves every word to the class that it fits best; returns how many moved.
  std::size_t sweep() {
    std::size_t moved = 0;
    for (std::size_t w = fixed_words; w < word_class_.size(); ++w) {
      const std::uint16_t old_class = word_class_[w];
      collect(w);
      place(old_class, -1);
      const std::uint16_t best = best_class();
      place(best, +1);
      word_class_[w] = best;
      moved += best != old_class;
    }
    return moved;
  }

  const std::vector<std::uint16_t>& word_class() const { return word_class_; }
  const std::vector<std::int64_t>& joint() const { return joint_; }

 private:
  void count(std::size_t first, std::size_t second, std::int64_t n) {
    joint_[first * classes_ + second] += n;
    transposed_[second * classes_ + first] += n;
    before_total_[first] += n;
    after_total_[second] += n;
  }

  // The classes around word w, and how often w follows itself.
  void collect(std::size_t w) {
    before_.clear();
    after_.clear();
    itself_ = 0;
    for (const Neighbour& n : left_of_.of(w))
      if (n.word == w)
        itself_ = n.count;
      else
        before_.add(word_class_[n.word], n.count);
    for (const Neighbour& n : right_of_.of(w))
      if (n.word != w) after_.add(word_class_[n.word], n.count);
  }

  // Adds (sign +1) the collected word to a class, or takes it out (-1).
  void place(std::size_t k, int sign) {
    for (const std::uint32_t c : before_.seen) count(c, k, sign * before_.count[c]);
    for (const std::uint32_t c : after_.seen) count(k, c, sign * after_.count[c]);
    count(k, k, sign * itself_);
  }

  // The class whose choice makes the class bigram likelihood greatest (its change is `gain_`).
  std::uint16_t best_class() {
    std::fill(gain_.begin(), gain_.end(), 0);
    for (const std::uint32_t c : before_.seen) add_row(joint_, c, before_.count[c]);
    for (const std::uint32_t c : after_.seen) add_row(transposed_, c, after_.count[c]);
    std::int64_t occurrences_before = itself_, occurrences_after = itself_;
    for (const std::uint32_t c : before_.seen) occurrences_after += before_.count[c];
    for (const std::uint32_t c : after_.seen) occurrences_before += after_.count[c];
    std::size_t best = fixed_words;
    for (std::size_t k = fixed_words; k < classes_; ++k) {
      gain_[k] += diagonal_correction(k);
      gain_[k] -= growth(before_total_[k], occurrences_before);
      gain_[k] -= growth(after_total_[k], occurrences_after);
      if (gain_[k] > gain_[best]) best = k;
    }
    return static_cast<std::uint16_t>(best);
  }

  std::int64_t growth(std::int64_t n, std::int64_t by) const { return n_log_n_(n + by) - n_log_n_(n); }

  void add_row(const std::vector<std::int64_t>& counts, std::size_t row, std::int64_t by) {
    const std::int64_t* cell = counts.data() + row * classes_;
    for (std::size_t k = 0; k < classes_; ++k) gain_[k] += growth(cell[k], by);
  }

  // The cell (k, k) grows by what comes from the left, from the right and from w itself at
  // once; the rows counted the first two apart.
  std::int64_t diagonal_correction(std::size_t k) const {
    const std::int64_t cell = joint_[k * classes_ + k];
    const std::int64_t left = before_.count[k], right = after_.count[k];
    return growth(cell, left + right + itself_) - growth(cell, left) - growth(cell, right);
  }

  std::size_t classes_;
  NLogN n_log_n_;
  Neighbours left_of_, right_of_;
  std::vector<std::uint16_t> word_class_;
  std::vector<std::int64_t> joint_, transposed_;  // counts of class bigrams
  std::vector<std::int64_t> before_total_, after_total_;
  ClassCounts before_, after_;
  std::int64_t itself_ = 0;
  std::vector<std::int64_t> gain_;
};

// Merges classes two by two, each time the two whose merging costs the least likelihood.
class Merging {
 public:
  Merging(std::vector<std::int64_t> joint, std::size_t classes)
      : classes_(classes), joint_(std::move(joint)), alive_(classes, true), parent_(classes) {
    for (std::size_t c = 0; c < classes; ++c) parent_[c] = static_cast<std::uint16_t>(c);
    count_ = classes;
    cost_.assign(classes * classes, 0);
    for (std::size_t a = fixed_words; a < classes; ++a) refresh(a);
  }

  void merge_down_to(std::size_t target) {
    while (count_ > std::max(target, fixed_words + 1)) merge_cheapest();
  }

  // class -> number of its coarser class, numbered without gaps
  std::vector<std::uint16_t> numbering() const {
    std::vector<std::uint16_t> number(classes_), result(classes_);
    std::uint16_t next = 0;
    for (std::size_t c = 0; c < classes_; ++c)
      if (alive_[c]) number[c] = next++;
    for (std::size_t c = 0; c < classes_; ++c) result[c] = number[parent_[c]];
    return result;
  }

 private:
  std::int64_t cell(std::size_t a, std::size_t b) const { return joint_[a * classes_ + b]; }

  // Likelihood lost by merging a and b, from their rows, columns and totals.
  std::int64_t merging_cost(std::size_t a, std::size_t b) const {
    std::int64_t lost = 0, row_a = 0, row_b = 0, column_a = 0, column_b = 0;
    for (std::size_t c = 0; c < classes_; ++c) {
      if (!alive_[c]) continue;
      row_a += cell(a, c), row_b += cell(b, c);
      column_a += cell(c, a), column_b += cell(c, b);
      if (c == a || c == b) continue;
      lost += joined(cell(a, c), cell(b, c)) + joined(cell(c, a), cell(c, b));
    }
    const std::int64_t inner = cell(a, a) + cell(a, b) + cell(b, a) + cell(b, b);
    lost += n_log_n_(cell(a, a)) + n_log_n_(cell(a, b)) + n_log_n_(cell(b, a)) +
            n_log_n_(cell(b, b)) - n_log_n_(inner);
    return lost - joined(row_a, row_b) - joined(column_a, column_b);
  }

  std::int64_t joined(std::int64_t x, std::int64_t y) const {
    return n_log_n_(x) + n_log_n_(y) - n_log_n_(x + y);
  }

  void refresh(std::size_t a) {
    for (std::size_t b = fixed_words; b < classes_; ++b)
      if (alive_[b] && b != a)
        cost_[std::min(a, b) * classes_ + std::max(a, b)] = merging_cost(a, b);
  }

  // Only the costs of the merged class are computed again; the others change little, and
  // computing them all after each merge would take classes^4 steps.
  void merge_cheapest() {
    std::size_t best_a = 0, best_b = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t a = fixed_words; a < classes_; ++a)
      for (std::size_t b = a + 1; alive_[a] && b < classes_; ++b)
        if (alive_[b] && cost_[a * classes_ + b] < least)
          least = cost_[a * classes_ + b], best_a = a, best_b = b;
    merge(best_a, best_b);
    refresh(best_a);
  }

  void merge(std::size_t a, std::size_t b) {
    for (std::size_t c = 0; c < classes_; ++c) joint_[a * classes_ + c] += cell(b, c);
    for (std::size_t c = 0; c < classes_; ++c) joint_[c * classes_ + a] += cell(c, b);
    for (std::size_t c = 0; c < classes_; ++c)
      joint_[b * classes_ + c] = joint_[c * classes_ + b] = 0;
    alive_[b] = false;
    --count_;
    for (std::uint16_t& p : parent_)
      if (p == b) p = static_cast<std::uint16_t>(a);
  }

  std::size_t classes_, count_ = 0;
  NLogN n_log_n_;
  std::vector<std::int64_t> joint_, cost_;
  std::vector<bool> alive_;
  std::vector<std::uint16_t> parent_;
};

void check(std::span<const std::uint32_t> text, std::size_t vocabulary,
           const ClusterOptions& options) {
  if (options.classes <= fixed_words || options.classes > 4096)
    throw std::invalid_argument("word clusters: between 3 and 4096 classes are possible");
  if (vocabulary < fixed_words)
    throw std::invalid_argument("word clusters: words 0 and 1 must be in the vocabulary");
  for (const std::uint32_t word : text)
    if (word >= vocabulary) throw std::invalid_argument("word clusters: a word number is too high");
}

}  // namespace

WordClusters cluster_words(std::span<const std::uint32_t> text, std::size_t vocabulary,
                           const ClusterOptions& options) {
  check(text, vocabulary, options);
  Exchange exchange(text, vocabulary, options.classes);
  for (unsigned i = 0; i < options.iterations; ++i)
    if (exchange.sweep() == 0) break;
  WordClusters result{exchange.word_class(), {}};
  Merging merging(exchange.joint(), options.classes);
  for (const unsigned level : options.levels) {
    merging.merge_down_to(level);
    result.coarser.push_back(merging.numbering());
  }
  return result;
}

}  // namespace otherwords
