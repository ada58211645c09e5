// Which unit of one text stands for which of the other, and what is left between them.
#pragma once

#include <vector>

#include "metrics/facts/evidence.hpp"
#include "metrics/facts/findings.hpp"
#include "metrics/facts/reading.hpp"

namespace otherwords::facts {

// Unlinked units of both texts with the same neighbours. `tight` is 1 if the three units on either
// side are the same in both texts, 0 if none is; `closed` if the neighbours on both sides are linked
// to each other, so that what stands in one text stands for what stands in the other.
struct Slot {
  Stretch a;
  Stretch b;
  double tight;
  bool closed;
};

// Two texts and the links between their units; -1 where there is none.
class Pair {
 public:
  Pair(const Side& a, const Side& b);

  void link(int i, int j, Likeness kind, double score);

  int to_b(int i) const { return to_b_[static_cast<std::size_t>(i)]; }
  int to_a(int j) const { return to_a_[static_cast<std::size_t>(j)]; }
  const std::vector<int>& links_of_a() const { return to_b_; }
  const std::vector<int>& links_of_b() const { return to_a_; }
  Likeness kind(int i) const { return kinds_[static_cast<std::size_t>(i)]; }
  double score(int i) const { return scores_[static_cast<std::size_t>(i)]; }
  bool is_same_word(int i) const { return to_b(i) >= 0 && is_same(kind(i)); }

  // Whether the units are linked (as the same word); both ends of the texts count as linked.
  bool same(int i, int j) const;
  bool linked(int i, int j) const;

  // Share of the three units on either side of the two spans that are the same.
  double tightness(Stretch a, Stretch b) const;
  double context(int i, int j) const { return tightness(one_unit(i), one_unit(j)); }

  // Whether all outside the two spans is the same in the same order, but for small words and for
  // the share of content that is not in `least`.
  bool is_same_outside(Stretch a, Stretch b, double least) const;

  // The members below describe the links at the time of the call of `settle`.
  void settle();
  const std::vector<Slot>& slots() const { return slots_; }
  double sameness() const { return sameness_; }  // share of content linked as the same words
  double unlinked() const { return unlinked_; }  // share of content without a link

  std::vector<Slot> find_slots() const;

  const Side& a;
  const Side& b;

 private:
  std::vector<int> to_b_, to_a_;
  std::vector<Likeness> kinds_;
  std::vector<double> scores_;
  std::vector<Slot> slots_;
  double sameness_ = 1, unlinked_ = 0;
};

// Links the units of the two texts: the same words first, each where its neighbours agree most;
// then words of which there is evidence; then function words next to linked neighbours.
void align(Pair& pair, Evidence& evidence);

}  // namespace otherwords::facts
