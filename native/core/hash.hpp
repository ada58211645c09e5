// The one hash of the project: keys of every model file, lemma codes, tag codes.
// It is part of the file formats; changing it means a new format version.
#pragma once

#include <cstdint>
#include <string_view>

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

}  // namespace otherwords
