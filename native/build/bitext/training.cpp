#include "bitext/training.hpp"

#include "bitext/translations.hpp"
#include "parallel.hpp"
#include "prefetch.hpp"

namespace otherwords {
namespace {

constexpr std::size_t most_blocks = 64;  // of work that has totals of its own

std::size_t rows_per_block(std::size_t rows) { return rows / most_blocks + 1; }

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
  double nothing;  // weight of a pair that has no count, nor its stems

  Weighing(bool is_sparse, double a, double s)
      : sparse(is_sparse), alpha(a), stem_weight(s), nothing(weight(a)) {}

  double weight(double count) const { return sparse ? exp_digamma(count) : count; }

  // 1 over the weight of all counts of a word that has `size` entries.
  double share(std::uint64_t sum, double size) const {
    const double whole =
        weight(static_cast<double>(sum) / fixed_point + alpha * size + stem_weight);
    return whole > 1e-12 ? 1 / whole : 0;
  }
};

// Word pairs that have evidence, sorted.
std::vector<std::uint64_t> pairs_of(const Evidence& evidence) {
  std::vector<std::uint64_t> out(evidence.left.size());
  for (std::size_t x = 0; x < out.size(); ++x)
    out[x] = std::uint64_t{evidence.left[x]} << 32 | evidence.right[x];
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<float> shares(const Side& side, std::size_t vocabulary) {
  std::vector<std::uint64_t> counts(vocabulary, 0);
  for (const std::uint32_t token : side.tokens) ++counts[token];
  const double total = std::max<double>(1, static_cast<double>(side.tokens.size()));
  std::vector<float> out(vocabulary);
  for (std::size_t w = 0; w < vocabulary; ++w)
    out[w] = static_cast<float>(static_cast<double>(counts[w]) / total);
  return out;
}

std::vector<float> parts(std::span<const float> shares, const Stems& stems) {
  std::vector<double> sums(stems.count, 0.0);
  for (std::size_t w = 0; w < shares.size(); ++w) sums[stems.of[w]] += shares[w];
  std::vector<float> out(shares.size());
  for (std::size_t w = 0; w < shares.size(); ++w)
    out[w] = sums[stems.of[w]] > 0 ? static_cast<float>(shares[w] / sums[stems.of[w]]) : 0.0f;
  return out;
}

class Trainer {
 public:
  Trainer(const Bitext& bitext, const Evidence& evidence, const TrainingOptions& options)
      : bitext_(bitext), options_(options), left_share_(shares(bitext.left, bitext.left_words)),
        right_share_(shares(bitext.right, bitext.right_words)),
        left_part_(parts(left_share_, options.left_stems)),
        counted_(evidence.left.empty()),
        translations_(bitext, {.max_words = options.max_words,
                               .prune = options.prune,
                               .kept = pairs_of(evidence),
                               .counts = counted_,
                               .threads = options.threads,
                               .interrupt = options.interrupt}) {
    const auto part = parts(right_share_, options.right_stems);
    group();
    place(evidence);
    for (const std::uint32_t word : translations_.by_rank()) {
      right_stems_.push_back(options.right_stems.of[word]);
      right_part_.push_back(part[word]);
    }
  }

  void model1(bool last) {
    if (!counted_)
      parallel_blocks(bitext_.size(), options_.threads, pairs_per_block,
                      [&](std::size_t begin, std::size_t end) {
                        Scratch scratch;
                        for (std::size_t s = begin; s < end; ++s) expect_model1(s, scratch);
                      },
                      options_.interrupt);
    counted_ = false;
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
    std::vector<std::uint32_t> ranks;  // of the right words
    std::vector<std::uint32_t> slots;  // of cell (i, j) in the row of left word i
    std::vector<float> right_emission, left_emission, right_null, left_null;
    std::vector<float> right_posterior, left_posterior;
    JumpCounts right_counts, left_counts;

    void rank(std::span<const std::uint32_t> words, std::span<const std::uint32_t> of) {
      ranks.resize(words.size());
      for (std::size_t j = 0; j < words.size(); ++j) ranks[j] = of[words[j]];
    }
  };

  static void add(JumpCounts& to, const JumpCounts& from) {
    for (std::size_t b = 0; b < jump_buckets; ++b) {
      to.inner[b] += from.inner[b];
      to.first[b] += from.first[b];
    }
  }

  void group();
  void place(const Evidence& evidence);
  void expect_model1(std::size_t s, Scratch& scratch);
  void expect_hmm(std::size_t s, const JumpTable& right_table, const JumpTable& left_table,
                  Scratch& scratch);
  void maximise(bool sparse);
  std::vector<std::uint64_t> count_columns() const;
  void maximise_stem(std::size_t stem, const Weighing& weighing, std::span<const double> columns,
                     std::span<const std::uint64_t> right_stems, std::span<std::uint64_t> pairs);

  void count(std::uint64_t& entry, float expected) const {
    const auto amount = static_cast<std::uint64_t>(static_cast<double>(expected) * fixed_point);
    if (options_.threads > 1)
      std::atomic_ref(entry).fetch_add(amount, std::memory_order_relaxed);
    else
      entry += amount;
  }

  struct Prior {
    std::uint64_t* count;
    float worth;
  };

  const Bitext& bitext_;
  const TrainingOptions& options_;
  std::vector<float> left_share_, right_share_;
  std::vector<float> left_part_, right_part_;  // share of a word among those of its stem
  std::vector<std::uint32_t> right_stems_;     // these and the right parts by rank
  bool counted_;  // whether the expected counts of the next iteration are there already
  Translations translations_;
  std::vector<Prior> priors_;
  std::vector<std::uint32_t> stem_words_;  // left words, stem by stem
  std::vector<std::size_t> stem_starts_;
  JumpWeights right_jumps_ = initial_jumps(), left_jumps_ = initial_jumps();
};

void Trainer::group() {
  const auto& of = options_.left_stems.of;
  stem_starts_.assign(options_.left_stems.count + 1, 0);
  for (const std::uint32_t stem : of) ++stem_starts_[stem + 1];
  std::partial_sum(stem_starts_.begin(), stem_starts_.end(), stem_starts_.begin());
  std::vector<std::size_t> next(stem_starts_.begin(), stem_starts_.end() - 1);
  stem_words_.resize(of.size());
  for (std::size_t word = 0; word < of.size(); ++word)
    stem_words_[next[of[word]]++] = static_cast<std::uint32_t>(word);
}

// Finds the entries that the evidence is about; they start with it.
void Trainer::place(const Evidence& evidence) {
  for (std::size_t x = 0; x < evidence.left.size(); ++x) {
    if (evidence.left[x] >= bitext_.left_words || evidence.right[x] >= bitext_.right_words)
      throw std::invalid_argument("evidence: a word out of range");
    const TranslationRow& row = translations_[evidence.left[x]];
    const std::uint32_t rank = translations_.ranks()[evidence.right[x]];
    const std::uint32_t k = row.capacity ? row.find(rank) : row.no_slot;
    if (k == row.no_slot) continue;
    priors_.push_back({&row.counts[k], evidence.counts[x]});
    row.slots[k].to_right += evidence.counts[x];
    row.slots[k].to_left += evidence.counts[x];
  }
}

void Trainer::expect_model1(std::size_t s, Scratch& scratch) {
  if (!bitext_.usable(s, options_.max_words)) return;
  const auto left = bitext_.left.sentence(s), right = bitext_.right.sentence(s);
  const std::size_t rows = left.size(), columns = right.size();
  scratch.rank(right, translations_.ranks());
  scratch.slots.resize(rows * columns);
  scratch.right_emission.resize(rows * columns);
  scratch.left_emission.resize(rows * columns);
  std::vector<float>&left_sum = scratch.left_null, &right_sum = scratch.right_null;
  left_sum.assign(rows, 0);
  right_sum.assign(columns, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    const TranslationRow& row = translations_[left[i]];
    std::uint32_t* slots = &scratch.slots[i * columns];
    for (std::size_t j = 0; j < columns; ++j) {
      slots[j] = row.home(scratch.ranks[j]);
      prefetch(&row.slots[slots[j]]);
      prefetch(&row.counts[slots[j]]);
    }
    float* there = &scratch.right_emission[i * columns];
    float* back = &scratch.left_emission[i * columns];
    for (std::size_t j = 0; j < columns; ++j) {
      slots[j] = row.find(scratch.ranks[j], slots[j]);
      const bool known = slots[j] != row.no_slot;
      there[j] = known ? row.slots[slots[j]].to_right : 0;
      back[j] = known ? row.slots[slots[j]].to_left : 0;
      left_sum[i] += back[j];
      right_sum[j] += there[j];
    }
  }
  for (float& sum : left_sum) sum = 1 / std::max(sum, 1e-30f);
  for (float& sum : right_sum) sum = 1 / std::max(sum, 1e-30f);
  for (std::size_t i = 0; i < rows; ++i) {
    const TranslationRow& row = translations_[left[i]];
    for (std::size_t j = 0; j < columns; ++j) {
      const std::size_t cell = i * columns + j;
      const float both = scratch.right_emission[cell] * right_sum[j] *
                         scratch.left_emission[cell] * left_sum[i];
      if (both > 1e-12f) count(row.counts[scratch.slots[cell]], std::sqrt(both));
    }
  }
}

void Trainer::expect_hmm(std::size_t s, const JumpTable& right_table,
                         const JumpTable& left_table, Scratch& scratch) {
  if (!bitext_.usable(s, options_.max_words)) return;
  const auto left = bitext_.left.sentence(s), right = bitext_.right.sentence(s);
  const std::size_t rows = left.size(), columns = right.size();
  scratch.rank(right, translations_.ranks());
  scratch.slots.resize(rows * columns);
  scratch.right_emission.resize(rows * columns);
  scratch.left_emission.resize(rows * columns);
  scratch.right_posterior.resize(rows * columns);
  scratch.left_posterior.resize(rows * columns);
  for (std::size_t i = 0; i < rows; ++i) {
    const TranslationRow& row = translations_[left[i]];
    std::uint32_t* slots = &scratch.slots[i * columns];
    for (std::size_t j = 0; j < columns; ++j) {
      slots[j] = row.home(scratch.ranks[j]);
      prefetch(&row.slots[slots[j]]);
    }
    for (std::size_t j = 0; j < columns; ++j) {
      slots[j] = row.find(scratch.ranks[j], slots[j]);
      const bool known = slots[j] != row.no_slot;
      scratch.right_emission[j * rows + i] =
          (known ? row.slots[slots[j]].to_right : 0) + unseen_emission;
      scratch.left_emission[i * columns + j] =
          (known ? row.slots[slots[j]].to_left : 0) + unseen_emission;
    }
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
  for (std::size_t i = 0; i < rows; ++i) {
    const TranslationRow& row = translations_[left[i]];
    for (std::size_t j = 0; j < columns; ++j) {
      const float both =
          scratch.right_posterior[j * rows + i] * scratch.left_posterior[i * columns + j];
      const std::uint32_t slot = scratch.slots[i * columns + j];
      if (both > 1e-6f && slot != row.no_slot) count(row.counts[slot], both);
    }
  }
}

// Translation probabilities from counts, in both directions at once; `sparse` with
// e^psi(count + prior) in place of the counts, where the prior is alpha for every pair and
// `stem_weight` counts shared out as the stems of the words translate.
void Trainer::maximise(bool sparse) {
  for (const Prior& prior : priors_)
    *prior.count += static_cast<std::uint64_t>(prior.worth * fixed_point);
  const auto sums = count_columns();
  std::vector<std::uint64_t> right_stems(options_.right_stems.count, 0);
  for (std::size_t f = 0; f < sums.size(); ++f) right_stems[right_stems_[f]] += sums[f];
  const Weighing weighing(sparse, sparse ? options_.alpha : 0, options_.stem_weight);
  std::vector<double> columns(bitext_.right_words);
  for (std::size_t f = 0; f < columns.size(); ++f)
    columns[f] = weighing.share(sums[f], translations_.met()[f]);
  const std::size_t stems = options_.left_stems.count;
  parallel_blocks(stems, options_.threads, rows_per_block(stems),
                  [&](std::size_t begin, std::size_t end) {
                    std::vector<std::uint64_t> pairs(options_.right_stems.count, 0);
                    for (std::size_t stem = begin; stem < end; ++stem)
                      maximise_stem(stem, weighing, columns, right_stems, pairs);
                  },
                  options_.interrupt);
}

// Sums of the expected counts of every right word, by rank.
std::vector<std::uint64_t> Trainer::count_columns() const {
  std::vector<std::uint64_t> sums(bitext_.right_words, 0);
  std::mutex guard;
  const auto rows = translations_.rows();
  parallel_blocks(rows.size(), options_.threads, rows_per_block(rows.size()),
                  [&](std::size_t begin, std::size_t end) {
                    std::vector<std::uint64_t> part(sums.size(), 0);
                    for (const TranslationRow& row : rows.subspan(begin, end - begin))
                      for (std::uint32_t k = 0; k < row.capacity; ++k)
                        if (row.counts[k]) part[row.slots[k].right] += row.counts[k];
                    const std::lock_guard lock(guard);
                    for (std::size_t f = 0; f < sums.size(); ++f) sums[f] += part[f];
                  },
                  options_.interrupt);
  return sums;
}

// The rows of a left stem; their counts are 0 again afterwards. `pairs` has a place for the counts of
// every right stem, 0 before and after.
void Trainer::maximise_stem(std::size_t stem, const Weighing& weighing,
                            std::span<const double> columns,
                            std::span<const std::uint64_t> right_stems,
                            std::span<std::uint64_t> pairs) {
  const auto words = std::span(stem_words_).subspan(
      stem_starts_[stem], stem_starts_[stem + 1] - stem_starts_[stem]);
  std::uint64_t sum = 0;
  for (const std::uint32_t word : words) {
    const TranslationRow& row = translations_[word];
    for (std::uint32_t k = 0; k < row.capacity; ++k)
      if (row.counts[k]) {
        pairs[right_stems_[row.slots[k].right]] += row.counts[k];
        sum += row.counts[k];
      }
  }
  const auto whole = static_cast<double>(sum);
  for (const std::uint32_t word : words) {
    const TranslationRow& row = translations_[word];
    std::uint64_t row_sum = 0;
    for (std::uint32_t k = 0; k < row.capacity; ++k) row_sum += row.counts[k];
    const double row_share = weighing.share(row_sum, row.met);
    const double left_prior = weighing.stem_weight * left_part_[word];
    for (std::uint32_t k = 0; k < row.capacity; ++k) {
      Translation& entry = row.slots[k];
      if (entry.right == Translation::no_word) continue;
      double right = weighing.nothing, left = weighing.nothing;
      if (const std::uint64_t both = pairs[right_stems_[entry.right]]) {
        const auto stems = static_cast<double>(both);
        const double count = static_cast<double>(row.counts[k]) / fixed_point + weighing.alpha;
        right = weighing.weight(
            count + weighing.stem_weight * right_part_[entry.right] * stems / whole);
        left = weighing.weight(
            count + left_prior * stems / static_cast<double>(right_stems[right_stems_[entry.right]]));
      }
      entry.to_right = static_cast<float>(std::min(1.0, right * row_share));
      entry.to_left = static_cast<float>(std::min(1.0, left * columns[entry.right]));
    }
  }
  for (const std::uint32_t word : words) {
    const TranslationRow& row = translations_[word];
    for (std::uint32_t k = 0; k < row.capacity; ++k)
      if (row.counts[k]) {
        pairs[right_stems_[row.slots[k].right]] = 0;
        row.counts[k] = 0;
      }
  }
}

AlignmentTable Trainer::table() && {
  const auto kept = [](const Translation& entry) {
    return std::max(entry.to_right, entry.to_left) > least_probability;  // a free slot has 0
  };
  AlignmentTable out;
  out.rows.assign(1, 0);
  for (const TranslationRow& row : translations_.rows())
    out.rows.push_back(out.rows.back() + static_cast<std::uint64_t>(std::count_if(
                                             row.slots, row.slots + row.capacity, kept)));
  out.right = Buffer<std::uint32_t>(out.rows.back());
  out.to_right = Buffer<float>(out.rows.back());
  out.to_left = Buffer<float>(out.rows.back());
  parallel_blocks(translations_.chunks(), options_.threads, 1,
                  [&](std::size_t begin, std::size_t end) {
                    std::vector<Translation> sorted;
                    for (std::size_t chunk = begin; chunk < end; ++chunk) {
                      const WordRange words = translations_.words(chunk);
                      for (std::uint32_t word = words.begin; word < words.end; ++word) {
                        const TranslationRow& row = translations_[word];
                        sorted.clear();
                        std::copy_if(row.slots, row.slots + row.capacity,
                                     std::back_inserter(sorted), kept);
                        for (Translation& entry : sorted)
                          entry.right = translations_.by_rank()[entry.right];
                        std::sort(sorted.begin(), sorted.end(),
                                  [](const Translation& a, const Translation& b) {
                                    return a.right < b.right;
                                  });
                        std::uint64_t x = out.rows[word];
                        for (const Translation& entry : sorted) {
                          out.right[x] = entry.right;
                          out.to_right[x] = entry.to_right;
                          out.to_left[x++] = entry.to_left;
                        }
                      }
                      translations_.release(chunk);
                    }
                  },
                  options_.interrupt);
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
