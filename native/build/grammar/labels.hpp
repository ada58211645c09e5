// Labels of spans of a tree: constituents, and the CCG-style ones of Zollmann & Venugopal (2006).
#pragma once

#include "phrases/aligned.hpp"

namespace otherwords {

// The nodes of the trees of a text, each before its children; sentence s holds those from
// bounds[s] to bounds[s + 1], none if it has no tree. A span excludes its end.
struct TreeNodes {
  std::span<const std::int32_t> begin, end, label;
  std::span<const std::int64_t> bounds;
  Words names;

  // Throws std::invalid_argument if a span or a label points outside; `side` has the words.
  void check(const AlignedSide& side) const;
};

struct LabelOptions {
  bool concatenated = true;   // A+B
  bool slashed = true;        // A/B and A\B
  bool concatenated3 = true;  // A+B+C
};

// Numbers label texts; 0 is the label of what has no other.
class LabelNames {
 public:
  LabelNames() { number("X"); }
  std::int32_t number(std::string_view text);
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  std::unordered_map<std::string, std::int32_t> numbers_;
  std::vector<std::string> texts_;
};

// The label of any span of one sentence: the first there is of a constituent, A+B, A/B (the
// nearest end), A\B (the nearest beginning), A+B+C; else 0.
class SpanLabels {
 public:
  SpanLabels(const TreeNodes& nodes, const LabelOptions& options, LabelNames& names)
      : nodes_(nodes), options_(options), names_(names) {}

  void load(std::size_t sentence);
  std::int32_t operator()(std::int32_t begin, std::int32_t end);

 private:
  struct Constituent {
    std::int32_t begin, end;
    std::string name;
  };
  using Range = std::span<const Constituent>;

  Range starting(std::int32_t begin) const;
  const std::string* constituent(std::int32_t begin, std::int32_t end) const;
  std::string find(std::int32_t begin, std::int32_t end) const;
  std::string concatenated(std::int32_t begin, std::int32_t end) const;
  std::string forward(std::int32_t begin, std::int32_t end) const;
  std::string backward(std::int32_t begin, std::int32_t end) const;
  std::string concatenated3(std::int32_t begin, std::int32_t end) const;

  const TreeNodes& nodes_;
  LabelOptions options_;
  LabelNames& names_;
  std::vector<Constituent> constituents_;  // sorted by (begin, end), one a span
  std::unordered_map<std::uint64_t, std::int32_t> known_;
};

}  // namespace otherwords
