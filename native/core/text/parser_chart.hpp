// Exact CKY over binary trees whose score is a sum of
//   the score of the label of each span,
//   for each phrase, by the class of its label ("parent"): the score of the place where it is
//   split, of its left part and of its right part, and
//   the score of the class of each part's label ("child") under that parent.
// A parent sees its two parts one by one, never the pair. So the best left part for each parent
// is found once per span, and a split costs one addition per parent: O(n^2 children parents +
// n^3 parents) instead of O(n^3 labels^3), all of it over contiguous numbers.
#pragma once

#include "standard.hpp"

namespace otherwords::parsing {

// Far below all sums of weights, and sums of it stay finite.
constexpr float impossible = -1e9f;

// The symbols and what may be where. Labels are chains of phrases, `none` (a word that is no
// phrase of its own) and, for what binarisation adds, one intermediate label per phrase.
struct Symbols {
  std::size_t labels = 0, parents = 0, children = 0;
  std::vector<std::uint8_t> parent_of;     // label -> class as a parent
  std::vector<std::uint8_t> child_of;      // label -> class as a child; of `none` it is unused
  std::vector<std::uint8_t> intermediate;  // label -> 1 if it is one that binarisation adds
  static constexpr std::size_t none = 0;

  // Room for scores by label or by parent, so that no symbol can be outside of either.
  std::size_t width() const { return std::max(labels, parents); }

  // Whether the label may be that of a span of so many words, of all words or not.
  bool fits(std::size_t label, std::size_t words, bool is_root) const {
    if (label == none) return words == 1;
    return !intermediate[label] || (words > 1 && !is_root);
  }
};

// A node of a binary tree; `split` is 0 for a single word.
struct Node {
  std::uint32_t begin = 0, end = 0, split = 0;
  std::uint8_t label = 0;
};

// Spans of n words in a row: those that begin at 0 first, by their ends.
inline std::size_t cell(std::size_t begin, std::size_t end, std::size_t n) {
  return begin * (2 * n - begin + 1) / 2 + (end - begin - 1);
}
inline std::size_t cells(std::size_t n) { return n * (n + 1) / 2; }

class Chart {
 public:
  // Makes room for n words, all scores 0.
  void reset(std::size_t n, const Symbols& symbols);

  float* label_scores(std::size_t begin, std::size_t end) {
    return &labels_[cell(begin, end, n_) * width_];
  }
  float* left_scores(std::size_t begin, std::size_t end) {  // by parent
    return &left_[cell(begin, end, n_) * width_];
  }
  float* right_scores(std::size_t begin, std::size_t end) {
    return &right_[mirrored(begin, end) * width_];
  }

  // The best tree, parents before children, left before right. The rules are tables of
  // parents x children; `tags` are the classes of the words as children. Of the children of a
  // span those that are worse than the best by more than `beam` are not looked at.
  void parse(std::span<const float> left_rules, std::span<const float> right_rules,
             std::span<const std::uint8_t> tags, float beam, std::vector<Node>& tree);

 private:
  struct Child {
    float score;
    std::uint8_t type;
  };

  // Spans that end at the same word in a row, so that all right parts of a phrase are.
  std::size_t mirrored(std::size_t begin, std::size_t end) const {
    return cell(n_ - end, n_ - begin, n_);
  }
  void fill(std::size_t begin, std::size_t end);
  void offer(std::size_t begin, std::size_t end);
  void follow(std::vector<Node>& tree);
  std::uint8_t best_label(std::size_t begin, std::size_t end, std::span<const float> rules,
                          std::size_t parent) const;
  std::uint8_t child_class(std::size_t label, std::size_t begin) const {
    return label == Symbols::none ? tags_[begin] : symbols_->child_of[label];
  }

  const Symbols* symbols_ = nullptr;
  std::size_t n_ = 0, width_ = 0;
  std::vector<float> labels_;  // of cells: the score of the best tree with that label
  std::vector<float> left_, right_;
  std::span<const float> left_rules_, right_rules_;  // children x parents
  std::span<const std::uint8_t> tags_;
  float beam_ = 0;
  std::vector<float> split_, best_;
  std::vector<Child> alive_;
};

// The symbols of a parser by name: labels of spans, tags of words, and their classes.

// Labels are phrases ("NP"), chains of them from the top down ("S+VP"), phrases that
// binarisation adds ("@NP") and, first, the empty name of a word that is no phrase of its own.
// As a parent a chain counts as its lowest phrase, as a child as its highest.
class Grammar {
 public:
  // Throws std::invalid_argument if there are too many symbols or the first is not empty.
  Grammar(std::vector<std::string> labels, std::vector<std::string> tags);

  const Symbols& symbols() const { return symbols_; }
  const std::vector<std::string>& labels() const { return labels_; }

  // The class as a child of a word with that tag; all tags that are not known share one.
  std::uint8_t tag_class(std::string_view tag) const;

  // Forbids, in a table of children x parents, intermediate phrases of one name under another.
  void forbid(std::span<float> rules) const;

 private:
  std::vector<std::string> labels_, tags_;
  std::vector<std::string> parents_, children_;  // names of the classes
  Symbols symbols_;
};

// Names separated by newlines.
std::vector<std::string> split_names(std::span<const std::uint8_t> blob);

}  // namespace otherwords::parsing
