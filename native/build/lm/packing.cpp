#include "lm/packing.hpp"

#include <algorithm>
#include <numeric>

namespace otherwords::lm {
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

NgramTable unpack(const PackedModel& model, bool contexts) {
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
  if (contexts) link_contexts(table);
  return table;
}

}  // namespace otherwords::lm
