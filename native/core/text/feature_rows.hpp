// Sparse rows of weights by hashed feature, laid out for a memory-mapped file and for few cache
// misses: one for the bucket, one for the key with the start of its row, one for the row.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "require.hpp"

namespace otherwords {

class FeatureRows {
 public:
  // `buckets` has 2^b + 1 entries: features i with buckets[x] <= i < buckets[x + 1] have keys
  // whose first b bits are x. `features` holds for each the last 32 bits of its key and the
  // start of its row, and at the end 0 and the end of the last row. `entries` of the rows are a
  // symbol (low byte) with its weight (high byte, signed). Throws std::invalid_argument unless
  // all fit and symbols are below `symbols`.
  FeatureRows(std::span<const std::uint32_t> buckets, std::span<const std::uint32_t> features,
              std::span<const std::uint16_t> entries, std::size_t symbols)
      : buckets_(buckets), features_(features), entries_(entries) {
    check(symbols);
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(buckets.size() - 1));
  }

  std::span<const std::uint16_t> find(std::uint64_t key) const {
    const std::size_t bucket = key >> shift_;
    const auto low = static_cast<std::uint32_t>(key);
    for (std::size_t i = buckets_[bucket], end = buckets_[bucket + 1]; i < end; ++i)
      if (features_[2 * i] == low)
        return entries_.subspan(features_[2 * i + 1], features_[2 * i + 3] - features_[2 * i + 1]);
    return {};
  }

  // Where a lookup will read, for callers that know their keys well before they need them.
  const void* bucket_of(std::uint64_t key) const { return &buckets_[key >> shift_]; }
  const void* features_of(std::uint64_t key) const {
    return features_.data() + 2 * buckets_[key >> shift_];
  }

  static std::int8_t weight(std::uint16_t entry) { return static_cast<std::int8_t>(entry >> 8); }
  static std::uint8_t symbol(std::uint16_t entry) { return static_cast<std::uint8_t>(entry); }
  static std::uint16_t entry(std::uint8_t symbol, std::int8_t weight) {
    return static_cast<std::uint16_t>(symbol | static_cast<std::uint8_t>(weight) << 8);
  }

  // Buckets for sorted keys: about four keys each.
  static std::vector<std::uint32_t> bucket_bounds(std::span<const std::uint64_t> keys) {
    const auto width = static_cast<unsigned>(std::bit_width(keys.size() / 4));
    const unsigned bits = width > 1 ? width : 1;
    std::vector<std::uint32_t> bounds((std::size_t{1} << bits) + 1);
    for (const std::uint64_t key : keys) ++bounds[(key >> (64 - bits)) + 1];
    for (std::size_t i = 1; i < bounds.size(); ++i) bounds[i] += bounds[i - 1];
    return bounds;
  }

 private:
  void check(std::size_t symbols) const {
    const std::size_t count = buckets_.empty() ? 0 : buckets_.size() - 1;
    require(count >= 2 && std::has_single_bit(count) && buckets_.front() == 0,
            "features: the buckets are damaged");
    for (std::size_t i = 0; i < count; ++i)
      require(buckets_[i] <= buckets_[i + 1], "features: the buckets are not in order");
    require(features_.size() == 2 * std::size_t{buckets_.back()} + 2,
            "features: the buckets do not fit the keys");
    for (std::size_t i = 1; i + 2 < features_.size(); i += 2)
      require(features_[i] <= features_[i + 2], "features: the rows are not in order");
    require(features_[1] == 0 && features_.back() == entries_.size(),
            "features: the rows do not fit the keys");
    for (const std::uint16_t entry : entries_)
      require(symbol(entry) < symbols, "features: a weight has no symbol");
  }

  std::span<const std::uint32_t> buckets_, features_;
  std::span<const std::uint16_t> entries_;
  unsigned shift_ = 63;
};

}  // namespace otherwords
