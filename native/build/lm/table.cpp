#include "lm/table.hpp"

namespace otherwords::lm {
namespace {

template <typename T>
void compact(std::vector<T>& values, const std::vector<std::uint8_t>& kept) {
  if (values.empty()) return;
  std::size_t out = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (kept[i]) values[out++] = values[i];
  values.resize(out);
  values.shrink_to_fit();
}

std::vector<std::uint32_t> new_positions(const std::vector<std::uint8_t>& kept) {
  std::vector<std::uint32_t> positions(kept.size());
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) positions[i] = kept[i] ? next++ : absent;
  return positions;
}

}  // namespace

std::vector<std::uint32_t> children_bounds(const Level& level, std::size_t suffixes) {
  std::vector<std::uint32_t> bounds(suffixes + 1);
  for (const std::uint32_t suffix : level.suffix) ++bounds[suffix + 1];
  for (std::size_t i = 0; i < suffixes; ++i) bounds[i + 1] += bounds[i];
  return bounds;
}

// The context of w1..wn is found below the context of its suffix w2..wn, which is
// w2..wn-1: there it is the n-gram that starts with w1.
void link_contexts(NgramTable& table) {
  if (table.order() > 1) table.levels[1].context = table.levels[1].left;
  for (std::size_t k = 2; k < table.order(); ++k) {
    Level& level = table.levels[k];
    const Level& below = table.levels[k - 1];
    const auto bounds = children_bounds(below, table.levels[k - 2].size());
    level.context.assign(level.size(), absent);
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::uint32_t middle = below.context[level.suffix[i]];
      if (middle == absent) continue;
      const auto begin = below.left.begin() + bounds[middle];
      const auto end = below.left.begin() + bounds[middle + 1];
      const auto found = std::lower_bound(begin, end, level.left[i]);
      if (found != end && *found == level.left[i])
        level.context[i] = static_cast<std::uint32_t>(found - below.left.begin());
    }
  }
}

void keep_only(NgramTable& table, const std::vector<std::vector<std::uint8_t>>& kept) {
  for (std::size_t k = 1; k < table.order(); ++k) {
    Level& level = table.levels[k];
    compact(level.left, kept[k]);
    compact(level.suffix, kept[k]);
    compact(level.context, kept[k]);
    compact(level.count, kept[k]);
    compact(level.probability, kept[k]);
    compact(level.backoff, kept[k]);
    if (k == 1) continue;  // words keep their numbers
    const auto positions = new_positions(kept[k - 1]);
    for (auto& suffix : level.suffix) suffix = positions[suffix];
    for (auto& context : level.context)
      if (context != absent) context = positions[context];
  }
}

namespace {

// Values for codes of some bits: 0, which most back-offs are, exactly; the others in bins of
// the same number of n-grams, each with its mean.
class Quantizer {
 public:
  Quantizer(std::span<const float> values, unsigned bits) {
    std::vector<float> sorted;
    for (const float value : values)
      if (value != 0) sorted.push_back(value);
    std::sort(sorted.begin(), sorted.end());
    const std::size_t bins = (std::size_t{1} << bits) - 1;
    std::vector<float> distinct;
    std::unique_copy(sorted.begin(), sorted.end(), std::back_inserter(distinct));
    if (distinct.size() <= bins)
      table_ = distinct;
    else
      fill_bins(sorted, bins);
    table_.push_back(0);
    std::sort(table_.begin(), table_.end());
    table_.erase(std::unique(table_.begin(), table_.end()), table_.end());
  }

  // A value for every code; those that no code has are 0.
  std::vector<float> table(unsigned bits) const {
    std::vector<float> full = table_;
    full.resize(std::size_t{1} << bits);
    return full;
  }

  std::uint32_t code(float value) const {
    const auto above = std::lower_bound(table_.begin(), table_.end(), value);
    const auto at = static_cast<std::uint32_t>(above - table_.begin());
    const bool lower_is_nearer =
        above == table_.end() || (at > 0 && value - table_[at - 1] < *above - value);
    return lower_is_nearer ? at - 1 : at;
  }

 private:
  // A value that fills more than its bin has the bin for itself; the rest is shared again.
  void fill_bins(const std::vector<float>& sorted, std::size_t bins) {
    std::size_t begin = 0;
    for (; bins > 0 && begin < sorted.size(); --bins) {
      std::size_t end = begin + std::max<std::size_t>(1, (sorted.size() - begin) / bins);
      while (end < sorted.size() && sorted[end] == sorted[end - 1]) ++end;
      const double sum = std::accumulate(sorted.begin() + static_cast<std::ptrdiff_t>(begin),
                                         sorted.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
      table_.push_back(static_cast<float>(sum / static_cast<double>(end - begin)));
      begin = end;
    }
  }

  std::vector<float> table_;
};

// `backoffs`: n-grams of this order have them, though there may be no such n-gram.
void pack_weights(const Level& level, bool backoffs, const std::string& name, unsigned bits,
                  PackedArrays& out) {
  if (bits == 0) {
    std::vector<float> weights;
    weights.reserve(level.size() * 2);
    for (std::size_t i = 0; i < level.size(); ++i) {
      weights.push_back(level.probability[i]);
      if (backoffs) weights.push_back(level.backoff[i]);
    }
    out.values.emplace_back("weights_" + name, std::move(weights));
    return;
  }
  const Quantizer probability(level.probability, bits), backoff(level.backoff, bits);
  std::vector<std::uint32_t> codes(level.size());
  for (std::size_t i = 0; i < level.size(); ++i) {
    codes[i] = probability.code(level.probability[i]);
    if (backoffs) codes[i] |= backoff.code(level.backoff[i]) << bits;
  }
  out.bytes.emplace_back("weight_codes_" + name,
                         PackedNumbers::pack(codes, backoffs ? 2 * bits : bits));
  out.values.emplace_back("probability_values_" + name, probability.table(bits));
  if (backoffs) out.values.emplace_back("backoff_values_" + name, backoff.table(bits));
}

void pack_children(const Level& longer, std::size_t size, const std::string& name,
                   PackedArrays& out) {
  const auto bounds = children_bounds(longer, size);
  std::vector<std::uint8_t> parents(size);
  std::vector<std::uint32_t> starts;
  for (std::size_t i = 0; i < size; ++i) {
    parents[i] = bounds[i] < bounds[i + 1];
    if (parents[i]) starts.push_back(bounds[i]);
  }
  starts.push_back(bounds[size]);
  out.flags.emplace_back("parents_" + name, RankedFlags::pack(parents));
  out.bytes.emplace_back("children_" + name,
                         PackedNumbers::pack(starts, bits_for(longer.size())));
}

// One to two words per bucket.
unsigned bucket_bits(std::size_t words) { return std::max(2u, bits_for(words)) - 1; }

void pack_vocabulary(std::span<const std::uint64_t> hashes, PackedArrays& out) {
  const unsigned bits = bucket_bits(hashes.size());
  std::vector<std::uint32_t> keys, buckets((std::size_t{1} << bits) + 1);
  for (const std::uint64_t hash : hashes) {
    keys.push_back(static_cast<std::uint32_t>(hash << bits >> 32));
    ++buckets[(hash >> (64 - bits)) + 1];
  }
  std::partial_sum(buckets.begin(), buckets.end(), buckets.begin());
  out.numbers.emplace_back("vocabulary", std::move(keys));
  out.numbers.emplace_back("vocabulary_buckets", std::move(buckets));
}

std::size_t weights_bytes(std::size_t size, bool backoffs, unsigned bits) {
  const std::size_t each = backoffs ? 2 : 1;
  if (bits == 0) return size * each * sizeof(float);
  return PackedNumbers::bytes_needed(static_cast<unsigned>(each) * bits, size) +
         each * (std::size_t{1} << bits) * sizeof(float);
}

}  // namespace

std::size_t packed_bytes(std::span<const std::size_t> sizes, std::span<const std::size_t> parents,
                         unsigned bits) {
  const std::size_t words = sizes[0] - first_word, order = sizes.size();
  std::size_t bytes = order * sizeof(std::int64_t) + words * sizeof(std::uint32_t) +
                      ((std::size_t{1} << bucket_bits(words)) + 1) * sizeof(std::uint32_t);
  for (std::size_t k = 0; k < order; ++k) {
    if (k > 0) bytes += PackedNumbers::bytes_needed(bits_for(sizes[0] - 1), sizes[k]);
    bytes += weights_bytes(sizes[k], k + 1 < order, bits);
    if (k + 1 == order) break;
    bytes += (sizes[k] + 31) / 32 * sizeof(std::uint64_t);
    bytes += PackedNumbers::bytes_needed(bits_for(sizes[k + 1]), parents[k] + 1);
  }
  return bytes;
}

PackedArrays pack(const NgramTable& table, std::span<const std::uint64_t> hashes, unsigned bits) {
  if (table.levels.empty() || table.levels[0].size() != hashes.size() + first_word)
    throw std::invalid_argument("the words do not fit the model");
  if (!std::is_sorted(hashes.begin(), hashes.end()))
    throw std::invalid_argument("the words are not in the order of their hashes");
  if (bits > 8) throw std::invalid_argument("codes have at most 8 bits");
  PackedArrays out;
  pack_vocabulary(hashes, out);
  const unsigned word_bits = bits_for(table.levels[0].size() - 1);
  for (std::size_t k = 0; k < table.order(); ++k) {
    const Level& level = table.levels[k];
    const std::string name = std::to_string(k + 1);
    if (k > 0) out.bytes.emplace_back("words_" + name, PackedNumbers::pack(level.left, word_bits));
    pack_weights(level, k + 1 < table.order(), name, bits, out);
    if (k + 1 == table.order()) break;
    pack_children(table.levels[k + 1], level.size(), name, out);
  }
  return out;
}

NgramTable unpack(const PackedModel& model) {
  NgramTable table;
  for (std::size_t k = 0; k < model.order(); ++k) {
    const PackedLevel& packed = model.level(k);
    Level level;
    level.probability.resize(packed.size);
    if (k + 1 < model.order()) level.backoff.resize(packed.size);
    for (std::size_t i = 0; i < packed.size; ++i) {
      const Weight weight = packed.weights[i];
      level.probability[i] = weight.probability;
      if (k + 1 < model.order()) level.backoff[i] = weight.backoff;
    }
    if (k > 0) {
      level.left.resize(packed.size);
      level.suffix.assign(packed.size, 0);
      for (std::size_t i = 0; i < packed.size; ++i)
        level.left[i] = std::min<std::uint32_t>(
            packed.left[i], static_cast<std::uint32_t>(model.level(0).size - 1));
      for (std::size_t node = 0; node < model.level(k - 1).size; ++node) {
        const auto [begin, end] = model.children(k - 1, node);
        for (std::size_t i = begin; i < end; ++i)
          level.suffix[i] = static_cast<std::uint32_t>(node);
      }
    }
    table.levels.push_back(std::move(level));
  }
  return table;
}

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
