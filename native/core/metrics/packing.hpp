// Which spans of a text to cover, when every way of covering one uses something up: the
// heaviest choice of items that do not overlap and stay within the capacities of what they use.
//
// ParaEval's matches are such items: a phrase of the text that is counted, and the words of the
// other text that it is matched with. The problem is NP-hard in general, but sentences are kind:
// most items compete with few others, so that it falls apart into small independent problems
// (packing_search.hpp). All numbers are whole: the same values give the same choice everywhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "metrics/packing_search.hpp"

namespace otherwords {

class Packing : public PackingProblem {
 public:
  // Takes the items one after the other, as far as what was taken before leaves them.
  void take_in_order(std::span<const std::uint32_t> order);

  // Makes the best choice. Values that differ by less than `unit` count as equal. False if the
  // search was given up before it was certain that no choice is better.
  bool solve(std::int64_t unit);

  // The items of the choice, by position.
  std::span<const std::uint32_t> chosen() const { return chosen_; }

 private:
  void drop_unfit();
  bool drop_slack();
  bool drop_dominated();
  std::uint32_t find(std::uint32_t node);
  template <typename NumberOf>
  void arrange(std::size_t numbers, NumberOf number_of);
  void join(std::uint32_t a, std::uint32_t b);
  void split();
  bool solve_part(std::span<const std::uint32_t> items, std::int64_t unit);

  std::vector<std::uint32_t> chosen_;

  std::vector<std::uint32_t> rest_;     // the items that are still of use, by their ends
  std::vector<std::uint32_t> starts_, arranged_;
  std::vector<std::uint32_t> parents_;  // of positions, then of resources: which belong together
  std::vector<std::uint32_t> places_;   // of positions and resources in the part that is solved
  PackingSearch search_;
};

}  // namespace otherwords
