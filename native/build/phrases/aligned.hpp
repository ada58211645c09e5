// A word-aligned bitext as the kernels see it: word ids of two sides and the links between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace otherwords {

// Sentence s holds tokens[bounds[s]] to tokens[bounds[s + 1]].
struct AlignedSide {
  std::span<const std::uint32_t> tokens;
  std::span<const std::int64_t> bounds;

  std::size_t begin(std::size_t sentence) const { return static_cast<std::size_t>(bounds[sentence]); }
  std::size_t end(std::size_t sentence) const { return begin(sentence + 1); }
  std::size_t length(std::size_t sentence) const { return end(sentence) - begin(sentence); }
};

// Positions in the sentence, sorted by (left, right).
struct AlignedLinks {
  std::span<const std::uint32_t> left, right;
  std::span<const std::int64_t> bounds;

  std::size_t begin(std::size_t sentence) const { return static_cast<std::size_t>(bounds[sentence]); }
  std::size_t end(std::size_t sentence) const { return begin(sentence + 1); }
};

struct Aligned {
  AlignedSide left, right;
  AlignedLinks links;

  std::size_t sentences() const { return left.bounds.size() - 1; }
  // Throws std::invalid_argument if an id, a bound or a link points outside.
  void check(std::size_t left_words, std::size_t right_words) const;
};

// The words of a side: word w is the bytes from bounds[w] to bounds[w + 1].
struct Words {
  std::span<const std::uint8_t> bytes;
  std::span<const std::int64_t> bounds;

  std::size_t size() const { return bounds.size() - 1; }
  std::string_view operator[](std::size_t word) const {
    return {reinterpret_cast<const char*>(bytes.data()) + bounds[word],
            static_cast<std::size_t>(bounds[word + 1] - bounds[word])};
  }
  void check() const;
};

}  // namespace otherwords
