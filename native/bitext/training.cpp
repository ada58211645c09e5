#include "bitext/training.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>

#include "bitext/cooccurrence.hpp"
#include "parallel.hpp"

namespace otherwords {
namespace {

constexpr double fixed_point = 4294967296.0;  // 2^32: counts add up the same in any order
constexpr std::size_t pairs_per_block = 64;
constexpr std::size_t rows_per_block = 256;

struct Entry {
  float to_right;
  float to_left;
  std::uint64_t count;
};

// e^psi(x), the weight that variational Bayes gives a count (Beal 2003); about x - 1/2.
double exp_digamma(double x) {
  if (x < 0.02) return 0;  // e^-50
  double shift = 0;
  for (; x < 6; ++x) shift += 1 / x;
  const double inverse = 1 / x, square = inverse * inverse;
  const double psi = std::log(x) - inverse / 2 -
                     square * (1.0 / 12 - square * (1.0 / 120 - square / 252));
  return std::exp(psi - shift);
}

// Counts made weights: as they are, or sparse.
struct Weighing {
  bool sparse;
  double alpha;
  double stem_weight;

  double weight(double count) const { return sparse ? exp_digamma(count) : count; }

  // 1 over the weight of all counts of a word that has `size` entries.
  double share(std::uint64_t sum, double size) const {
    const double whole =
        weight(static_cast<double>(sum) / fixed_point + alpha * size + stem_weight);
    return whole > 1e-12 ? 1 / whole : 0;
  }
};

std::vector<float> shares(const Side& side, std::size_t vocabulary) {
  std::vector<std::uint64_t> counts(vocabulary, 0);
  for (const std::uint32_t token : side.tokens) ++counts[token];
  const double total = std::max<double>(1, static_cast<double>(side.tokens.size()));
  std::vector<float> out(vocabulary);
  for (std::size_t w = 0; w < vocabulary; ++w)
    out[w] = static_cast<float>(static_cast<double>(counts[w]) / total);
  return out;
}

class Trainer {
 public:
  Trainer(const Bitext& bitext, const Evidence& evidence, const TrainingOptions& options)
      : bitext_(bitext), options_(options),
        pairs_(cooccurrence(bitext, options.max_words, options.interrupt)),
        entries_(pairs_.right.size()), left_share_(shares(bitext.left, bitext.left_words)),
        right_share_(shares(bitext.right, bitext.right_words)) {
    place(evidence);
    group();
    start();
  }

  void model1(bool last) {
    parallel_blocks(bitext_.size(), options_.threads, pairs_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      std::vector<float> left, right;
                      for (std::size_t s = begin; s < end; ++s) expect_model1(s, left, right);
                    },
                    options_.interrupt);
    maximise(last);
  }

  void hmm() {
    const JumpTable right_table(right_jumps_, options_.max_words);
    const JumpTable left_table(left_jumps_, options_.max_words);
    JumpCounts right_counts, left_counts;
    std::mutex guard;
    parallel_blocks(bitext_.size(), options_.threads, pairs_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      Scratch scratch;
                      for (std::size_t s = begin; s < end; ++s)
                        expect_hmm(s, right_table, left_table, scratch);
                      const std::lock_guard lock(guard);
                      add(right_counts, scratch.right_counts);
                      add(left_counts, scratch.left_counts);
                    },
                    options_.interrupt);
    right_jumps_ = jumps_from(right_counts);
    left_jumps_ = jumps_from(left_counts);
    maximise(true);
  }

  AlignmentTable table() &&;

 private:
  struct Scratch {
    Chain right, left;
    std::vector<float> right_emission, left_emission, right_null, left_null;
    std::vector<float> right_posterior, left_posterior;
    JumpCounts right_counts, left_counts;
  };

  // Sums of the expected counts of all entries, by what they are divided by.
  struct Sums {
    std::vector<std::uint64_t> columns;       // of every right word
    std::vector<std::uint32_t> column_sizes;  // its entries
    std::vector<std::uint64_t> stem_pairs, left_stems, right_stems;
  };

  static void add(JumpCounts& to, const JumpCounts& from) {
    for (std::size_t b = 0; b < jump_buckets; ++b) {
      to.inner[b] += from.inner[b];
      to.first[b] += from.first[b];
    }
  }

  void place(const Evidence& evidence);
  void group();
  void start();
  void expect_model1(std::size_t s, std::vector<float>& left, std::vector<float>& right);
  void expect_hmm(std::size_t s, const JumpTable& right_table, const JumpTable& left_table,
                  Scratch& scratch);
  void maximise(bool sparse);
  void count_evidence();
  Sums count_sums() const;
  void maximise_row(std::uint32_t e, const Weighing& weighing, const Sums& sums,
                    std::span<const double> columns);

  void count(Entry& entry, float expected) const {
    const auto amount = static_cast<std::uint64_t>(static_cast<double>(expected) * fixed_point);
    if (options_.threads > 1)
      std::atomic_ref(entry.count).fetch_add(amount, std::memory_order_relaxed);
    else
      entry.count += amount;
  }

  const Bitext& bitext_;
  const TrainingOptions& options_;
  Cooccurrence pairs_;
  std::vector<Entry> entries_;
  std::vector<float> left_share_, right_share_;
  std::vector<std::uint32_t> prior_entries_;
  std::vector<float> prior_counts_;
  std::vector<std::uint32_t> stems_;  // for every entry, the entry of its stems
  std::size_t stem_entries_ = 0;
  std::vector<float> left_part_, right_part_;  // share of a word among those of its stem
  JumpWeights right_jumps_ = initial_jumps(), left_jumps_ = initial_jumps();
};

std::vector<float> parts(std::span<const float> shares, const Stems& stems) {
  std::vector<double> sums(stems.count, 0.0);
  for (std::size_t w = 0; w < shares.size(); ++w) sums[stems.of[w]] += shares[w];
  std::vector<float> out(shares.size());
  for (std::size_t w = 0; w < shares.size(); ++w)
    out[w] = sums[stems.of[w]] > 0 ? static_cast<float>(shares[w] / sums[stems.of[w]]) : 0.0f;
  return out;
}

// Numbers the pairs of stems as `cooccurrence` numbers those of words.
void Trainer::group() {
  constexpr std::uint32_t no_stem = 0xffffffffu;
  std::vector<std::uint32_t> order(bitext_.left_words);
  std::iota(order.begin(), order.end(), 0u);
  const auto& of = options_.left_stems.of;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return of[a] < of[b]; });
  stems_.resize(entries_.size());
  std::vector<std::uint32_t> met(options_.right_stems.count, no_stem);
  std::vector<std::uint32_t> entry(options_.right_stems.count);
  for (const std::uint32_t word : order)
    for (std::uint64_t k = pairs_.rows[word]; k < pairs_.rows[word + 1]; ++k) {
      const std::uint32_t other = options_.right_stems.of[pairs_.right[k]];
      if (met[other] != of[word]) {
        met[other] = of[word];
        entry[other] = static_cast<std::uint32_t>(stem_entries_++);
      }
      stems_[k] = entry[other];
    }
  left_part_ = parts(left_share_, options_.left_stems);
  right_part_ = parts(right_share_, options_.right_stems);
}

// Finds the entries that the evidence is about.
void Trainer::place(const Evidence& evidence) {
  std::vector<std::size_t> order(evidence.left.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return evidence.left[a] < evidence.left[b];
  });
  std::vector<std::uint32_t> slot(bitext_.right_words);
  std::vector<std::uint32_t> seen(bitext_.right_words, 0xffffffffu);
  for (std::size_t x = 0; x < order.size();) {
    const std::uint32_t word = evidence.left[order[x]];
    if (word >= bitext_.left_words) throw std::invalid_argument("evidence: a word out of range");
    for (std::uint64_t k = pairs_.rows[word]; k < pairs_.rows[word + 1]; ++k) {
      seen[pairs_.right[k]] = word;
      slot[pairs_.right[k]] = static_cast<std::uint32_t>(k);
    }
    for (; x < order.size() && evidence.left[order[x]] == word; ++x) {
      const std::uint32_t other = evidence.right[order[x]];
      if (other >= bitext_.right_words)
        throw std::invalid_argument("evidence: a word out of range");
      if (seen[other] != word) continue;
      prior_entries_.push_back(slot[other]);
      prior_counts_.push_back(evidence.counts[order[x]]);
    }
  }
}

// Uniform, but for the evidence.
void Trainer::start() {
  for (Entry& entry : entries_) entry = {1, 1, 0};
  for (std::size_t x = 0; x < prior_entries_.size(); ++x) {
    Entry& entry = entries_[prior_entries_[x]];
    entry.to_right += prior_counts_[x];
    entry.to_left += prior_counts_[x];
  }
}

void Trainer::expect_model1(std::size_t s, std::vector<float>& left, std::vector<float>& right) {
  if (pairs_.starts[s] == pairs_.starts[s + 1]) return;
  const std::size_t rows = bitext_.left.length(s), columns = bitext_.right.length(s);
  const std::uint32_t* cell = &pairs_.cells[pairs_.starts[s]];
  left.assign(rows, 0);
  right.assign(columns, 0);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const Entry& entry = entries_[cell[i * columns + j]];
      left[i] += entry.to_left;
      right[j] += entry.to_right;
    }
  for (std::size_t i = 0; i < rows; ++i) left[i] = 1 / std::max(left[i], 1e-30f);
  for (std::size_t j = 0; j < columns; ++j) right[j] = 1 / std::max(right[j], 1e-30f);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      Entry& entry = entries_[cell[i * columns + j]];
      const float both = entry.to_right * right[j] * entry.to_left * left[i];
      if (both > 1e-12f) count(entry, std::sqrt(both));
    }
}

void Trainer::expect_hmm(std::size_t s, const JumpTable& right_table,
                         const JumpTable& left_table, Scratch& scratch) {
  if (pairs_.starts[s] == pairs_.starts[s + 1]) return;
  const auto left = bitext_.left.sentence(s), right = bitext_.right.sentence(s);
  const std::size_t rows = left.size(), columns = right.size();
  const std::uint32_t* cell = &pairs_.cells[pairs_.starts[s]];
  scratch.right_emission.resize(rows * columns);
  scratch.left_emission.resize(rows * columns);
  scratch.right_posterior.resize(rows * columns);
  scratch.left_posterior.resize(rows * columns);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const Entry& entry = entries_[cell[i * columns + j]];
      scratch.right_emission[j * rows + i] = entry.to_right + unseen_emission;
      scratch.left_emission[i * columns + j] = entry.to_left + unseen_emission;
    }
  scratch.right_null.resize(columns);
  scratch.left_null.resize(rows);
  for (std::size_t j = 0; j < columns; ++j) scratch.right_null[j] = right_share_[right[j]];
  for (std::size_t i = 0; i < rows; ++i) scratch.left_null[i] = left_share_[left[i]];
  const auto null = static_cast<float>(options_.null_probability);
  scratch.right.run(columns, rows, scratch.right_emission.data(), scratch.right_null.data(),
                    right_table, null, scratch.right_posterior.data());
  scratch.left.run(rows, columns, scratch.left_emission.data(), scratch.left_null.data(),
                   left_table, null, scratch.left_posterior.data());
  scratch.right.add_jumps(scratch.right_counts);
  scratch.left.add_jumps(scratch.left_counts);
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const float both =
          scratch.right_posterior[j * rows + i] * scratch.left_posterior[i * columns + j];
      if (both > 1e-6f) count(entries_[cell[i * columns + j]], both);
    }
}

// Translation probabilities from counts, in both directions at once; `sparse` with
// e^psi(count + prior) in place of the counts, where the prior is alpha for every pair and
// `stem_weight` counts shared out as the stems of the words translate.
void Trainer::maximise(bool sparse) {
  count_evidence();
  const Sums sums = count_sums();
  const Weighing weighing{sparse, sparse ? options_.alpha : 0, options_.stem_weight};
  std::vector<double> columns(bitext_.right_words);
  for (std::size_t f = 0; f < columns.size(); ++f)
    columns[f] = weighing.share(sums.columns[f], sums.column_sizes[f]);
  parallel_blocks(bitext_.left_words, options_.threads, rows_per_block,
                  [&](std::size_t begin, std::size_t end) {
                    for (std::size_t e = begin; e < end; ++e)
                      maximise_row(static_cast<std::uint32_t>(e), weighing, sums, columns);
                  },
                  options_.interrupt);
}

void Trainer::count_evidence() {
  for (std::size_t x = 0; x < prior_entries_.size(); ++x)
    entries_[prior_entries_[x]].count +=
        static_cast<std::uint64_t>(prior_counts_[x] * fixed_point);
}

Trainer::Sums Trainer::count_sums() const {
  Sums sums{.columns = std::vector<std::uint64_t>(bitext_.right_words, 0),
            .column_sizes = std::vector<std::uint32_t>(bitext_.right_words, 0),
            .stem_pairs = std::vector<std::uint64_t>(stem_entries_, 0),
            .left_stems = std::vector<std::uint64_t>(options_.left_stems.count, 0),
            .right_stems = std::vector<std::uint64_t>(options_.right_stems.count, 0)};
  for (std::size_t e = 0; e < bitext_.left_words; ++e) {
    const std::uint32_t left_stem = options_.left_stems.of[e];
    for (std::uint64_t k = pairs_.rows[e]; k < pairs_.rows[e + 1]; ++k) {
      const std::uint64_t count = entries_[k].count;
      const std::uint32_t word = pairs_.right[k];
      ++sums.column_sizes[word];
      if (!count) continue;
      sums.columns[word] += count;
      sums.stem_pairs[stems_[k]] += count;
      sums.left_stems[left_stem] += count;
      sums.right_stems[options_.right_stems.of[word]] += count;
    }
  }
  return sums;
}

// The entries of left word e; their counts are 0 again afterwards.
void Trainer::maximise_row(std::uint32_t e, const Weighing& weighing, const Sums& sums,
                           std::span<const double> columns) {
  const std::uint64_t begin = pairs_.rows[e], end = pairs_.rows[e + 1];
  std::uint64_t sum = 0;
  for (std::uint64_t k = begin; k < end; ++k) sum += entries_[k].count;
  const double row = weighing.share(sum, static_cast<double>(end - begin));
  const auto left_stem = static_cast<double>(sums.left_stems[options_.left_stems.of[e]]);
  const double left_prior = weighing.stem_weight * left_part_[e];
  for (std::uint64_t k = begin; k < end; ++k) {
    const std::uint32_t word = pairs_.right[k];
    double right = static_cast<double>(entries_[k].count) / fixed_point + weighing.alpha;
    double left = right;
    if (const auto stems = static_cast<double>(sums.stem_pairs[stems_[k]]); stems > 0) {
      const std::uint32_t right_stem = options_.right_stems.of[word];
      right += weighing.stem_weight * right_part_[word] * stems / left_stem;
      left += left_prior * stems / static_cast<double>(sums.right_stems[right_stem]);
    }
    right = weighing.weight(right) * row;
    left = weighing.weight(left) * columns[word];
    entries_[k] = {static_cast<float>(std::min(1.0, right)),
                   static_cast<float>(std::min(1.0, left)), 0};
  }
}

AlignmentTable Trainer::table() && {
  AlignmentTable out;
  out.rows.assign(1, 0);
  std::vector<std::pair<std::uint32_t, std::uint64_t>> row;
  for (std::size_t e = 0; e < bitext_.left_words; ++e) {
    row.clear();
    for (std::uint64_t k = pairs_.rows[e]; k < pairs_.rows[e + 1]; ++k)
      if (std::max(entries_[k].to_right, entries_[k].to_left) > least_probability)
        row.emplace_back(pairs_.right[k], k);
    std::sort(row.begin(), row.end());
    for (const auto& [word, k] : row) {
      out.right.push_back(word);
      out.to_right.push_back(entries_[k].to_right);
      out.to_left.push_back(entries_[k].to_left);
    }
    out.rows.push_back(out.right.size());
  }
  out.left_share = std::move(left_share_);
  out.right_share = std::move(right_share_);
  out.right_jumps = right_jumps_;
  out.left_jumps = left_jumps_;
  return out;
}

}  // namespace

AlignmentTable train_aligner(const Bitext& bitext, const Evidence& evidence,
                             const TrainingOptions& options, const std::function<void()>& tick) {
  bitext.check();
  options.left_stems.check(bitext.left_words);
  options.right_stems.check(bitext.right_words);
  Trainer trainer(bitext, evidence, options);
  for (unsigned k = 0; k < options.model1_iterations; ++k) {
    trainer.model1(k + 1 == options.model1_iterations);
    tick();
  }
  for (unsigned k = 0; k < options.hmm_iterations; ++k) {
    trainer.hmm();
    tick();
  }
  return std::move(trainer).table();
}

}  // namespace otherwords
