// Texts with numbers that stand for them in tables: a join or a sort of numbers costs a fraction of one
// of texts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "hash.hpp"

namespace otherwords {

// The number of a text is its hash, so it is the same wherever the text is met.
struct NumberedTexts {
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> bounds{0};
  std::vector<std::int64_t> id;
  std::vector<std::int64_t> check;  // another hash: two texts with one number are noticed

  void append(std::string_view text) { bytes.insert(bytes.end(), text.begin(), text.end()); }

  // Ends a text; the next one starts.
  void finish() {
    const auto begin = static_cast<std::size_t>(bounds.back());
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + begin,
                                bytes.size() - begin);
    std::uint64_t other = text.size();
    for (const char c : text)
      other = (other + static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15u;
    id.push_back(static_cast<std::int64_t>(hash64(text)));
    check.push_back(static_cast<std::int64_t>(mix(other)));
    bounds.push_back(static_cast<std::int64_t>(bytes.size()));
  }
};

}  // namespace otherwords
