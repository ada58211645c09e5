// Phrase pairs consistent with a word alignment (Och & Ney 2004; Koehn, Och & Marcu 2003):
// boxes with a link inside and no link that leaves them through one side only.
#pragma once

#include "phrases/aligned.hpp"

namespace otherwords {

// First and last token of both sides, both included.
struct Box {
  std::int32_t left_begin, left_end, right_begin, right_end;
  friend bool operator==(const Box&, const Box&) = default;
};

// Where the links of each word of a sentence pair begin and end on the other side.
class SpanFinder {
 public:
  void load(const Aligned& text, std::size_t sentence) {
    reset(left_, text.left.length(sentence));
    reset(right_, text.right.length(sentence));
    for (std::size_t k = text.links.begin(sentence); k < text.links.end(sentence); ++k) {
      const auto i = static_cast<std::int32_t>(text.links.left[k]);
      const auto j = static_cast<std::int32_t>(text.links.right[k]);
      left_[i].add(j);
      right_[j].add(i);
    }
  }

  // Calls emit(box) for every consistent box of at most `longest` words on each side.
  template <typename Emit>
  void all(std::int32_t longest, Emit emit) const {
    const auto lefts = static_cast<std::int32_t>(left_.size());
    const auto rights = static_cast<std::int32_t>(right_.size());
    for (std::int32_t begin = 0; begin < lefts; ++begin) {
      Reach right;
      for (std::int32_t end = begin; end < lefts && end - begin < longest; ++end) {
        right.add(left_[end]);
        if (right.empty()) continue;
        if (right.last - right.first >= longest) break;  // more words only widen it
        if (!inside(right, begin, end)) continue;
        // Unaligned words at the edges may come along.
        for (std::int32_t from = right.first; from >= 0 && right.last - from < longest; --from) {
          if (from < right.first && !right_[from].empty()) break;
          for (std::int32_t to = right.last; to < rights && to - from < longest; ++to) {
            if (to > right.last && !right_[to].empty()) break;
            emit(Box{begin, end, from, to});
          }
        }
      }
    }
  }

  // Calls emit(box) for every consistent box that holds no smaller one, from left to right.
  template <typename Emit>
  void minimal(Emit emit) {
    const auto lefts = static_cast<std::int32_t>(left_.size());
    closures_.assign(left_.size(), Box{-1, -1, -1, -1});
    for (std::int32_t i = 0; i < lefts; ++i)
      if (!left_[i].empty()) closures_[i] = closure(i);
    for (std::int32_t i = 0; i < lefts; ++i) {
      const Box box = closures_[i];
      if (box.left_begin != i) continue;  // unaligned, or found already by its first word
      bool smallest = true;
      for (std::int32_t k = i; k <= box.left_end && smallest; ++k)
        smallest = left_[k].empty() || closures_[k] == box;
      if (smallest) emit(box);
    }
  }

 private:
  // The words that something is linked to: none, or those from first to last.
  struct Reach {
    std::int32_t first = std::numeric_limits<std::int32_t>::max();
    std::int32_t last = -1;

    bool empty() const { return last < 0; }
    void add(std::int32_t position) {
      first = std::min(first, position);
      last = std::max(last, position);
    }
    void add(const Reach& other) {
      first = std::min(first, other.first);
      last = std::max(last, other.last);
    }
  };

  static void reset(std::vector<Reach>& side, std::size_t length) { side.assign(length, Reach{}); }

  bool inside(const Reach& right, std::int32_t begin, std::int32_t end) const {
    for (std::int32_t j = right.first; j <= right.last; ++j)
      if (!right_[j].empty() && (right_[j].first < begin || right_[j].last > end)) return false;
    return true;
  }

  // The smallest consistent box around an aligned left word: both sides grow until none must.
  Box closure(std::int32_t word) const {
    Reach left{word, word}, right;
    std::int32_t seen_first = word, seen_last = word - 1;  // left words whose links are in `right`
    std::int32_t known_first = 0, known_last = -1;         // right words whose links are in `left`
    for (;;) {
      for (; seen_last < left.last; ++seen_last) right.add(left_[seen_last + 1]);
      for (; seen_first > left.first; --seen_first) right.add(left_[seen_first - 1]);
      if (known_last < 0) known_first = right.first, known_last = right.first - 1;
      if (known_first == right.first && known_last == right.last) break;
      for (; known_last < right.last; ++known_last) left.add(right_[known_last + 1]);
      for (; known_first > right.first; --known_first) left.add(right_[known_first - 1]);
    }
    return {left.first, left.last, right.first, right.last};
  }

  std::vector<Reach> left_, right_;
  std::vector<Box> closures_;
};

}  // namespace otherwords
