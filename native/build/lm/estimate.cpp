#include "lm/estimate.hpp"

#include "parallel.hpp"

namespace otherwords::lm {

bool is_reserved(std::string_view word) {
  return word.size() >= 3 && word.front() == '<' &&
         (word == "<s>" || word == "</s>" || word == "<unk>" || word == "<UNK>");
}

namespace {

constexpr std::size_t ngrams_per_block = 1 << 16;

using Positions = std::vector<std::uint32_t>;

// The sentences one after the other, each between <s> and </s>.
std::vector<std::uint32_t> delimited(std::span<const std::uint32_t> tokens,
                                     std::span<const std::int64_t> bounds,
                                     std::size_t vocabulary) {
  if (bounds.empty() || bounds.front() != 0 ||
      bounds.back() != static_cast<std::int64_t>(tokens.size()))
    throw std::invalid_argument("the bounds of the sentences do not fit the tokens");
  const std::size_t sentences = bounds.size() - 1;
  if (tokens.size() + 2 * sentences >= absent)
    throw std::invalid_argument("more than 4 billion tokens");
  std::vector<std::uint32_t> text;
  text.reserve(tokens.size() + 2 * sentences);
  for (std::size_t s = 0; s < sentences; ++s) {
    if (bounds[s] > bounds[s + 1] || bounds[s + 1] > bounds.back())
      throw std::invalid_argument("the bounds of the sentences are not in order");
    text.push_back(sentence_begin);
    for (std::int64_t i = bounds[s]; i < bounds[s + 1]; ++i) {
      const std::uint32_t word = tokens[static_cast<std::size_t>(i)];
      if (word >= vocabulary || word == sentence_begin || word == sentence_end)
        throw std::invalid_argument("a token is not a word of the vocabulary");
      text.push_back(word);
    }
    text.push_back(sentence_end);
  }
  return text;
}

// Counts the n-grams of all lengths. An n-gram is known by the position of its last word.
// Sorted by (last word, the (n-1)-gram before it), n-grams of length n come out of those of
// length n-1 by one stable counting sort, in the order that Level wants.
class Counter {
 public:
  Counter(std::vector<std::uint32_t> text, std::size_t vocabulary)
      : text_(std::move(text)), vocabulary_(vocabulary), id_(text_), sorted_(text_.size()) {
    for (std::size_t p = 0; p < sorted_.size(); ++p) sorted_[p] = static_cast<std::uint32_t>(p);
    sort_by_word(sorted_);
  }

  Level words() const {
    Level level;
    level.count.assign(vocabulary_, 0);
    for (const std::uint32_t word : text_) ++level.count[word];
    return level;
  }

  // The n-grams one word longer than those of the last call (of `words` at first).
  Level longer() {
    ++length_;
    // Where an n-gram ended before, one ends now at the next word, unless the sentence is over.
    std::size_t kept = 0;
    for (const std::uint32_t p : sorted_)
      if (text_[p] != sentence_end) sorted_[kept++] = p + 1;
    sorted_.resize(kept);
    sort_by_word(sorted_);
    Level level;
    Positions id(text_.size(), absent);
    std::uint32_t word = absent, context = absent;
    for (const std::uint32_t p : sorted_) {
      if (text_[p] != word || id_[p - 1] != context) {
        word = text_[p];
        context = id_[p - 1];
        level.left.push_back(text_[p + 1 - length_]);
        level.suffix.push_back(id_[p]);
        level.context.push_back(context);
        level.count.push_back(0);
      }
      ++level.count.back();
      id[p] = static_cast<std::uint32_t>(level.count.size() - 1);
    }
    id_ = std::move(id);
    return level;
  }

 private:
  void sort_by_word(Positions& positions) const {
    std::vector<std::uint32_t> next(vocabulary_ + 1);
    for (const std::uint32_t p : positions) ++next[text_[p] + 1];
    for (std::size_t w = 0; w < vocabulary_; ++w) next[w + 1] += next[w];
    Positions sorted(positions.size());
    for (const std::uint32_t p : positions) sorted[next[text_[p]]++] = p;
    positions = std::move(sorted);
  }

  std::vector<std::uint32_t> text_;
  std::size_t vocabulary_;
  unsigned length_ = 1;
  Positions id_;      // of the n-gram that ends at each position
  Positions sorted_;  // the positions where one ends
};

// Adjusted counts: raw for the longest n-grams and those that start with <s>, which have no
// word before them; for the others, how many different words stand before them.
std::vector<std::uint32_t> adjusted_counts(const NgramTable& table, std::size_t k) {
  const Level& level = table.levels[k];
  std::vector<std::uint32_t> counts;
  if (k + 1 == table.order()) {
    counts = level.count;
  } else {
    counts.assign(level.count.size(), 0);
    for (const std::uint32_t suffix : table.levels[k + 1].suffix) ++counts[suffix];
    for (std::size_t i = 0; i < level.left.size(); ++i)
      if (level.left[i] == sentence_begin) counts[i] = level.count[i];
  }
  if (k == 0) counts[sentence_begin] = 0;  // never predicted
  return counts;
}

// A discount of nothing would leave unseen words a probability of zero.
constexpr double least_discount = 1e-6;

// Chen & Goodman 1998, eq. 26.
Discounts discounts_of(const std::vector<std::uint32_t>& adjusted,
                       const std::array<double, 3>& fallback) {
  std::array<double, 5> n{};  // counts of counts
  for (const std::uint32_t count : adjusted)
    if (count < n.size()) ++n[count];
  Discounts discounts;
  bool fine = n[1] > 0 && n[2] > 0 && n[3] > 0;
  const double y = n[1] / (n[1] + 2 * n[2]);
  for (unsigned j = 1; fine && j < 4; ++j) {
    discounts.amount[j] = j - (j + 1) * y * n[j + 1] / n[j];
    fine = discounts.amount[j] >= least_discount && discounts.amount[j] <= j;
  }
  if (!fine) {
    std::copy(fallback.begin(), fallback.end(), discounts.amount.begin() + 1);
    discounts.fallback = true;
  }
  return discounts;
}

// What a context gives to the words seen after it, and what it leaves to the lower order.
struct ContextMass {
  double total = 0;  // sum of adjusted counts
  double left = 0;   // discounts, and counts of what is pruned
  double share() const { return left / total; }
};

float log_of(double probability) {
  return std::max(log_floor, static_cast<float>(std::log10(probability)));
}

class KneserNey {
 public:
  explicit KneserNey(const EstimateOptions& options) : options_(options) {}

  Estimate run(Counter counter) {
    NgramTable table;
    table.levels.push_back(counter.words());
    while (table.order() < options_.order) table.levels.push_back(counter.longer());
    std::vector<Discounts> discounts;
    std::vector<float> lower;
    for (std::size_t k = 0; k < table.order(); ++k) {
      const auto adjusted = adjusted_counts(table, k);
      discounts.push_back(discounts_of(adjusted, options_.fallback));
      if (k == 0)
        lower = unigrams(table.levels[0], adjusted, discounts[0]);
      else
        lower = interpolated(table, k, adjusted, discounts[k], lower);
    }
    prune(table);
    return {std::move(table), std::move(discounts)};
  }

 private:
  bool pruned(std::size_t k, std::uint32_t count) const {
    return k > 0 && k < options_.prune.size() && count <= options_.prune[k];
  }

  // The mass left by the discounts goes to all words alike, <unk> among them, <s> not.
  std::vector<float> unigrams(Level& level, const std::vector<std::uint32_t>& adjusted,
                              const Discounts& discounts) const {
    ContextMass mass;
    for (const std::uint32_t count : adjusted) {
      mass.total += count;
      mass.left += discounts.of(count);
    }
    const double uniform = mass.share() / static_cast<double>(adjusted.size() - 1);
    std::vector<float> linear(adjusted.size());
    for (std::size_t w = 0; w < adjusted.size(); ++w)
      linear[w] = static_cast<float>((adjusted[w] - discounts.of(adjusted[w])) / mass.total +
                                     uniform);
    linear[sentence_begin] = 1;  // as lmplz writes it: <s> is given, not predicted
    set_probabilities(level, linear);
    return linear;
  }

  std::vector<float> interpolated(NgramTable& table, std::size_t k,
                                  const std::vector<std::uint32_t>& adjusted,
                                  const Discounts& discounts,
                                  const std::vector<float>& lower) const {
    Level& level = table.levels[k];
    std::vector<ContextMass> masses(table.levels[k - 1].count.size());
    for (std::size_t i = 0; i < adjusted.size(); ++i) {
      ContextMass& mass = masses[level.context[i]];
      mass.total += adjusted[i];
      mass.left += pruned(k, level.count[i]) ? adjusted[i] : discounts.of(adjusted[i]);
    }
    std::vector<float> linear(adjusted.size());
    parallel_blocks(adjusted.size(), options_.threads, ngrams_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) {
                        const ContextMass& mass = masses[level.context[i]];
                        const double seen = adjusted[i] - discounts.of(adjusted[i]);
                        linear[i] = static_cast<float>(
                            seen / mass.total + mass.share() * lower[level.suffix[i]]);
                      }
                    });
    set_probabilities(level, linear);
    auto& backoff = table.levels[k - 1].backoff;
    backoff.assign(masses.size(), 0);
    for (std::size_t i = 0; i < masses.size(); ++i)
      if (masses[i].total > 0) backoff[i] = log_of(masses[i].share());
    return linear;
  }

  void set_probabilities(Level& level, const std::vector<float>& linear) const {
    level.probability.resize(linear.size());
    parallel_blocks(linear.size(), options_.threads, ngrams_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i)
                        level.probability[i] = log_of(linear[i]);
                    });
  }

  void prune(NgramTable& table) const {
    if (options_.prune.empty()) return;
    std::vector<std::vector<std::uint8_t>> kept(table.order());
    for (std::size_t k = 1; k < table.order(); ++k)
      for (const std::uint32_t count : table.levels[k].count)
        kept[k].push_back(!pruned(k, count));
    keep_only(table, kept);
  }

  const EstimateOptions& options_;
};

}  // namespace

Estimate estimate(std::span<const std::uint32_t> tokens, std::span<const std::int64_t> bounds,
                  std::size_t vocabulary, const EstimateOptions& options) {
  if (options.order < 1 || options.order > max_order)
    throw std::invalid_argument("the order is out of range");
  if (!std::is_sorted(options.prune.begin(), options.prune.end()))
    throw std::invalid_argument("thresholds of pruning must not fall");
  if (vocabulary < first_word || vocabulary >= absent)
    throw std::invalid_argument("the vocabulary is too small or too large");
  auto text = delimited(tokens, bounds, vocabulary);
  if (text.empty()) throw std::invalid_argument("no sentences");
  return KneserNey(options).run(Counter(std::move(text), vocabulary));
}

}  // namespace otherwords::lm
