// The one hash of the project: keys of every model file, lemma codes, tag codes.
// It is part of the file formats; changing it means a new format version.
#pragma once

#include "standard.hpp"

namespace otherwords {

// Spreads every input bit over every output bit (the finaliser of MurmurHash3).
constexpr std::uint64_t mix(std::uint64_t h) {
  h ^= h >> 33;
  h *= 0xff51afd7ed558ccdULL;
  h ^= h >> 33;
  h *= 0xc4ceb9fe1a85ec53ULL;
  h ^= h >> 33;
  return h;
}

constexpr std::uint64_t fnv_basis = 0xcbf29ce484222325ULL;

constexpr std::uint64_t fnv_step(std::uint64_t h, unsigned char byte) {
  return (h ^ byte) * 0x100000001b3ULL;
}

// FNV-1a over the bytes, then `mix`.
constexpr std::uint64_t hash64(std::string_view bytes) {
  std::uint64_t h = fnv_basis;
  for (char c : bytes) h = fnv_step(h, static_cast<unsigned char>(c));
  return mix(h);
}

// For sorted keys: where the keys of each value of their leading bits start (see HashIndex).
inline std::vector<std::uint32_t> bucket_bounds(std::span<const std::uint64_t> keys) {
  const unsigned bits =
      std::max(1, static_cast<int>(std::bit_width(keys.empty() ? 0 : keys.size() - 1)));
  std::vector<std::uint32_t> bounds((std::size_t{1} << bits) + 1);
  for (const std::uint64_t key : keys) ++bounds[(key >> (64 - bits)) + 1];
  for (std::size_t i = 1; i < bounds.size(); ++i) bounds[i] += bounds[i - 1];
  return bounds;
}

// A read-only hash map laid out for a memory-mapped file: sorted 64-bit keys, and for
// every value of their leading bits the position where keys with those bits start.
// With about as many buckets as keys a lookup reads one bucket bound and one or two keys.

class HashIndex {
 public:
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

  HashIndex() = default;

  // `buckets` has 2^b + 1 entries; keys i with buckets[x] <= i < buckets[x + 1] start with bits x.
  HashIndex(std::span<const std::uint64_t> keys, std::span<const std::uint32_t> buckets)
      : keys_(keys), buckets_(buckets) {
    const std::size_t count = buckets.empty() ? 0 : buckets.size() - 1;
    if (count < 2 || !std::has_single_bit(count) || buckets.front() != 0 ||
        buckets.back() != keys.size())
      throw std::invalid_argument("hash index: buckets do not fit the keys");
    shift_ = 64 - static_cast<unsigned>(std::countr_zero(count));
  }

  // Position of the key, or npos.
  std::size_t find(std::uint64_t key) const {
    const std::size_t bucket = key >> shift_;
    // Not checked on opening, which would look at every bucket of a large file.
    const std::size_t end = std::min<std::size_t>(buckets_[bucket + 1], keys_.size());
    for (std::size_t i = buckets_[bucket]; i < end; ++i)
      if (keys_[i] == key) return i;
    return npos;
  }

  // Where a lookup will read, for callers that know their keys well before they need them.
  const void* bucket_of(std::uint64_t key) const { return &buckets_[key >> shift_]; }
  const void* keys_of(std::uint64_t key) const {
    return keys_.data() + std::min<std::size_t>(buckets_[key >> shift_], keys_.size());
  }

  std::size_t size() const { return keys_.size(); }

 private:
  std::span<const std::uint64_t> keys_;
  std::span<const std::uint32_t> buckets_;
  unsigned shift_ = 63;
};

}  // namespace otherwords
