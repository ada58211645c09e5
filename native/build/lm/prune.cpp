#include "lm/prune.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "lm/packing.hpp"

namespace otherwords::lm {
namespace {

double linear(float log10) { return std::pow(10.0, static_cast<double>(log10)); }

// What a context leaves to the words not seen after it: by the model itself, and by the
// lower order. The back-off weight is their ratio (Stolcke 1998, §3).
struct Rest {
  double of_context = 1, of_lower = 1;

  // Below this the sums are rounding errors.
  bool usable() const { return of_context > 1e-7 && of_lower > 1e-7; }
  double backoff() const { return of_context / of_lower; }
};

std::vector<Rest> rests(const NgramTable& table, std::size_t k) {
  const Level& level = table.levels[k];
  const Level& below = table.levels[k - 1];
  std::vector<Rest> rests(below.size());
  for (std::size_t i = 0; i < level.size(); ++i) {
    if (level.context[i] == absent) continue;
    Rest& rest = rests[level.context[i]];
    rest.of_context -= linear(level.probability[i]);
    rest.of_lower -= linear(below.probability[level.suffix[i]]);
  }
  return rests;
}

// The probability of meeting each n-gram: by raw counts where they are known, because the
// lower orders of Kneser-Ney are no estimates of it (Chelba et al. 2010), else by the model.
std::vector<std::vector<double>> history_probabilities(const NgramTable& table) {
  std::vector<std::vector<double>> history(table.order());
  const Level& words = table.levels[0];
  double total = 0;
  for (const std::uint32_t count : words.count) total += count;
  for (std::size_t k = 0; k + 1 < table.order(); ++k) {
    const Level& level = table.levels[k];
    history[k].resize(level.size());
    for (std::size_t i = 0; i < level.size(); ++i) {
      if (total > 0)
        history[k][i] = level.count[i] / total;
      else if (k == 0)
        history[k][i] = linear(words.probability[i == sentence_begin ? sentence_end : i]);
      else if (level.context[i] != absent)
        history[k][i] = history[k - 1][level.context[i]] * linear(level.probability[i]);
      else
        history[k][i] = 1;
    }
  }
  return history;
}

// D(p || p') of Stolcke 1998, eq. 6, with n-gram i the only one that is dropped.
double divergence(double history, double probability, double lower, const Rest& rest) {
  const double changed = (rest.of_context + probability) / (rest.of_lower + lower);
  const double at_ngram = std::log(lower) + std::log(changed) - std::log(probability);
  const double elsewhere = std::log(changed) - std::log(rest.backoff());
  return -history * (probability * at_ngram + rest.of_context * elsewhere);
}

std::vector<std::size_t> counts_above(const Importances& importances, float threshold,
                                      const std::vector<std::size_t>& always) {
  std::vector<std::size_t> counts = always;
  for (std::size_t k = 0; k < importances.size(); ++k)
    counts[k] += static_cast<std::size_t>(
        std::count_if(importances[k].begin(), importances[k].end(),
                      [&](float importance) { return importance >= threshold; }));
  return counts;
}

// The most that a longer n-gram of each suffix is worth: while that stays, so does the parent.
Importances as_parents(const NgramTable& table, const Importances& importances) {
  Importances parents(table.order());
  for (std::size_t k = 0; k + 1 < table.order(); ++k) {
    parents[k].assign(table.levels[k].size(), -1);
    const Level& longer = table.levels[k + 1];
    for (std::size_t i = 0; i < longer.size(); ++i)
      parents[k][longer.suffix[i]] =
          std::max(parents[k][longer.suffix[i]], importances[k + 1][i]);
  }
  return parents;
}

}  // namespace

Importances importances(const NgramTable& table) {
  const auto history = history_probabilities(table);
  Importances found(table.order());
  for (std::size_t k = 1; k < table.order(); ++k) found[k].assign(table.levels[k].size(), 0);
  for (std::size_t k = table.order() - 1; k > 0; --k) {
    const Level& level = table.levels[k];
    const Level& below = table.levels[k - 1];
    const auto left = rests(table, k);
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::uint32_t context = level.context[i];
      float& importance = found[k][i];
      if (context == absent || !left[context].usable())
        importance = std::numeric_limits<float>::max();
      else
        importance = std::max(
            importance, static_cast<float>(std::expm1(divergence(
                            history[k - 1][context], linear(level.probability[i]),
                            linear(below.probability[level.suffix[i]]), left[context]))));
      if (k == 1) continue;
      float& of_suffix = found[k - 1][level.suffix[i]];
      of_suffix = std::max(of_suffix, importance);
      if (context == absent) continue;
      float& of_context = found[k - 1][context];
      of_context = std::max(of_context, importance);
    }
  }
  return found;
}

double threshold_for(const NgramTable& table, const Importances& importances, unsigned bits,
                     std::size_t bytes) {
  const Importances parents = as_parents(table, importances);
  const std::vector<std::size_t> none(table.order());
  std::vector<std::size_t> words = none;
  words[0] = table.levels[0].size();
  const auto fits = [&](double threshold) {
    const auto limit = static_cast<float>(threshold);
    return packed_bytes(counts_above(importances, limit, words),
                        counts_above(parents, limit, none), bits) <= bytes;
  };
  if (fits(0)) return 0;
  double low = -30, high = 0;  // log10
  if (!fits(std::pow(10, high))) return -1;
  while (high - low > 1e-4) {
    const double middle = (low + high) / 2;
    (fits(std::pow(10, middle)) ? high : low) = middle;
  }
  return std::pow(10, high);
}

void prune_by_entropy(NgramTable& table, const Importances& importances, double threshold) {
  std::vector<std::vector<std::uint8_t>> kept(table.order());
  for (std::size_t k = 1; k < table.order(); ++k)
    for (const float importance : importances[k])
      kept[k].push_back(importance >= static_cast<float>(threshold));
  keep_only(table, kept);
  for (std::size_t k = 1; k < table.order(); ++k) {
    auto& backoff = table.levels[k - 1].backoff;
    const auto left = rests(table, k);
    std::vector<std::uint8_t> extended(backoff.size());
    for (const std::uint32_t context : table.levels[k].context)
      if (context != absent) extended[context] = 1;
    for (std::size_t i = 0; i < backoff.size(); ++i) {
      if (!extended[i])
        backoff[i] = 0;
      else if (left[i].usable())
        backoff[i] = static_cast<float>(std::log10(left[i].backoff()));
    }
  }
}

}  // namespace otherwords::lm
