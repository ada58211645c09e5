#include "lm/prune.hpp"

#include <algorithm>
#include <cmath>

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

std::vector<std::vector<std::uint8_t>> worth_keeping(const NgramTable& table, double threshold) {
  const auto history = history_probabilities(table);
  std::vector<std::vector<std::uint8_t>> kept(table.order());
  for (std::size_t k = 0; k < table.order(); ++k) kept[k].assign(table.levels[k].size(), 0);
  for (std::size_t k = table.order() - 1; k > 0; --k) {
    const Level& level = table.levels[k];
    const Level& below = table.levels[k - 1];
    const auto left = rests(table, k);
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::uint32_t context = level.context[i];
      if (!kept[k][i]) {  // no longer n-gram needs it
        kept[k][i] = context == absent || !left[context].usable() ||
                     std::expm1(divergence(history[k - 1][context], linear(level.probability[i]),
                                           linear(below.probability[level.suffix[i]]),
                                           left[context])) >= threshold;
      }
      if (!kept[k][i]) continue;
      kept[k - 1][level.suffix[i]] = 1;
      if (context != absent) kept[k - 1][context] = 1;
    }
  }
  return kept;
}

}  // namespace

void prune_by_entropy(NgramTable& table, double threshold) {
  keep_only(table, worth_keeping(table, threshold));
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
