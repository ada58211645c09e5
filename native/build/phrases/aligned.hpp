// A word-aligned bitext as the kernels see it: word ids of two sides and the links between them.
#pragma once

#include "standard.hpp"

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

// How often two words are linked, and from that the word translation probabilities of lexical
// weighting (Koehn, Och & Marcu 2003, §4.4). A word without links counts as linked to NULL.

class WordLinks {
 public:
  WordLinks(const Aligned& text, std::size_t left_words, std::size_t right_words);

  // Of columns as `table` gives them, of this text or added over several: sorted by (left, right), no
  // pair twice. Throws std::invalid_argument if they are not.
  WordLinks(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
            std::span<const std::int64_t> count, std::size_t left_words, std::size_t right_words);

  // NULL of a side is the id after its last word.
  std::uint32_t left_null() const { return static_cast<std::uint32_t>(left_totals_.size() - 1); }
  std::uint32_t right_null() const { return static_cast<std::uint32_t>(right_totals_.size() - 1); }

  // w(right | left) and w(left | right); 0 for words that were never linked.
  double right_given_left(std::uint32_t left, std::uint32_t right) const {
    return ratio(count(left, right), left_totals_[left]);
  }
  double left_given_right(std::uint32_t left, std::uint32_t right) const {
    return ratio(count(left, right), right_totals_[right]);
  }

  // The same among words that are linked: a word's total leaves out where it has no link, as
  // Thrax counts; of NULL it is the number of words without links.
  struct Linked {
    double left_given_right, right_given_left;
  };
  Linked linked(std::uint32_t left, std::uint32_t right) const {
    const std::int64_t number = count(left, right);
    return {ratio(number, right_totals_[right] - right_alone_[right]),
            ratio(number, left_totals_[left] - left_alone_[left])};
  }

  // The linked pairs as columns, sorted by (left, right).
  struct Table {
    std::vector<std::uint32_t> left, right;
    std::vector<std::int64_t> count;
  };
  Table table() const;

 private:
  static double ratio(std::int64_t part, std::int64_t whole) {
    return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
  }
  std::int64_t count(std::uint32_t left, std::uint32_t right) const;
  void add(std::uint32_t left, std::uint32_t right, std::int64_t count);  // in the order of `table`

  std::vector<std::size_t> rows_;  // where the pairs of each left word start
  std::vector<std::uint32_t> right_;
  std::vector<std::int64_t> counts_, left_totals_, right_totals_;
  std::vector<std::int64_t> left_alone_, right_alone_;  // how often a word has no link; 0 of NULL
};

}  // namespace otherwords
