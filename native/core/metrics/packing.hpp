// The best choice of items that compete with each other (packing.hpp): a Lagrangian bound, which
// puts prices on capacities and leaves a choice of disjoint spans, dynamic programming; and
// branch and bound where prices alone do not settle it.
#pragma once

#include "standard.hpp"

namespace otherwords {

struct PackingItem {
  std::uint32_t begin, end;           // positions
  std::uint32_t first_use, end_use;   // what it uses up
  std::int64_t value;
};

// Items over the positions of a text, and the resources that they use.
class PackingProblem {
 public:
  // Forgets all items; `positions` of the text are to be covered.
  void clear(std::size_t positions);

  // A new thing that items use up, and how many of them may.
  std::uint32_t resource(std::uint32_t capacity);

  // A way of covering the positions from `begin` to before `end`. Items are numbered as they come.
  void add(std::uint32_t begin, std::uint32_t end, std::int64_t value,
           std::span<const std::uint32_t> uses);

 protected:
  std::span<const std::uint32_t> uses(std::uint32_t item) const {
    return {uses_.data() + items_[item].first_use, items_[item].end_use - items_[item].first_use};
  }

  std::size_t positions_ = 0;
  std::vector<PackingItem> items_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> capacity_;
};

// A choice in the making.
struct PackingChoice {
  std::vector<std::uint32_t> items;
  std::int64_t value = 0;

  void clear(std::size_t positions, std::span<const std::uint32_t> capacities);
  bool fits(const PackingItem& item, std::span<const std::uint32_t> uses) const;
  void take(std::uint32_t number, const PackingItem& item, std::span<const std::uint32_t> uses);

 private:
  std::vector<std::uint8_t> covered_;
  std::vector<std::uint32_t> left_;  // of each capacity
};

// Every item must fit by itself.
class PackingSearch : public PackingProblem {
 public:
  // How much the searches from here on may do before they give up.
  void allow_work();

  // True if no choice is worth a unit more than the one that was found.
  bool solve(std::int64_t unit);

  std::span<const std::uint32_t> chosen() const { return best_; }

 private:
  enum class Bound { closed, open, out_of_work };

  void index_by_end();
  void try_choice(std::span<const std::uint32_t> first);
  std::int64_t cover();
  void drop_hopeless(std::int64_t bound);
  bool count_uses();
  bool reprice(std::int64_t bound, unsigned shift);
  Bound bound(unsigned rounds);
  bool cannot_improve(std::int64_t bound) const;
  std::uint32_t branching_item() const;
  bool search(unsigned rounds);
  void remove(std::uint32_t number);
  void include(std::uint32_t number);
  void undo(std::size_t removed, std::uint32_t included);

  std::int64_t unit_ = 1;
  std::int64_t work_ = 0;  // items that may still be looked at

  PackingChoice choice_;
  std::vector<std::uint32_t> best_;
  std::int64_t best_value_ = 0;

  // The items that are left at this point of the search, and those that it has fixed.
  std::vector<std::uint8_t> active_;
  struct Cell {  // what a cover needs of an item
    std::int64_t value;
    std::uint32_t begin, first_use, end_use;
  };
  std::vector<std::uint32_t> by_end_;
  std::vector<Cell> cells_;          // of the items in `by_end_`
  std::vector<std::uint32_t> ends_;  // [p]: where in `by_end_` the items that end at p start
  std::vector<std::uint32_t> by_value_;
  std::vector<std::uint32_t> removed_;
  std::vector<std::uint32_t> fixed_;
  std::int64_t fixed_value_ = 0;
  std::vector<std::uint32_t> room_;  // capacities that the fixed items leave

  // Prices, and the best cover under them.
  std::vector<std::int64_t> price_;    // of a use
  std::vector<std::int64_t> used_;     // how often the cover uses it
  std::vector<std::int64_t> reduced_;  // of each one in `by_end_`: its value less the prices of its uses
  std::vector<std::int64_t> worth_;    // [p]: of the best cover of the first p positions
  std::vector<std::int64_t> rest_;     // [p]: of the best cover of those from p on
  std::vector<std::uint32_t> last_;    // [p]: the item that the cover of the first p ends with
  std::vector<std::uint32_t> path_;    // the items of the cover
};

// Which spans of a text to cover, when every way of covering one uses something up: the
// heaviest choice of items that do not overlap and stay within the capacities of what they use.
//
// ParaEval's matches are such items: a phrase of the text that is counted, and the words of the
// other text that it is matched with. The problem is NP-hard in general, but sentences are kind:
// most items compete with few others, so that it falls apart into small independent problems
// (packing_search.hpp). All numbers are whole: the same values give the same choice everywhere.

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
