// Which stretches of a text to cover, when every way of covering one uses something up: the
// heaviest choice of items that do not overlap and stay within the capacities of what they use.
//
// ParaEval's matches are such items: a phrase of the text that is counted, and the words of the
// other text that it is matched with. The problem is NP-hard in general, but sentences are kind:
// a Lagrangian bound (capacities priced, which leaves a choice of disjoint stretches: dynamic
// programming) proves nearly every solution at once; branch and bound settles the others. All
// numbers are whole, so that every machine takes the same way.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace otherwords {

class Packing {
 public:
  struct Solution {
    std::int64_t value = 0;
    bool proven = true;  // no choice is worth a unit more
  };

  // Forgets all items; the text to cover has so many positions.
  void clear(std::size_t positions);

  // A new thing that items use up, and how many of them may.
  std::uint32_t resource(std::uint32_t capacity);

  // A way of covering the positions from `begin` to before `end`. Its number is the order of adding.
  void add(std::uint32_t begin, std::uint32_t end, std::int64_t value,
           std::span<const std::uint32_t> uses);

  std::size_t size() const { return items_.size(); }

  // Takes the items one after the other, as far as what was taken before leaves them.
  Solution take_in_order(std::span<const std::uint32_t> order);

  // The best choice. Values that differ by less than `unit` count as equal.
  Solution solve(std::int64_t unit);

  // The items of the solution, by position.
  std::span<const std::uint32_t> chosen() const { return best_; }

 private:
  struct Item {
    std::uint32_t begin, end;
    std::uint32_t first_use, end_use;
    std::int64_t value;
  };
  enum class Bound { closed, open, out_of_work };

  std::span<const std::uint32_t> uses(const Item& item) const {
    return {uses_.data() + item.first_use, item.end_use - item.first_use};
  }
  void drop_slack();
  void index_by_end();
  bool fits(const Item& item) const;
  void take(std::uint32_t number);
  void begin_choice();
  void keep_if_better();
  std::int64_t cover();             // dynamic programming under the prices; fills `path_`
  void repair();                    // makes a feasible choice of `path_`, keeps it if it is better
  void drop_hopeless(std::int64_t bound);  // items that no better choice can have
  bool reprice(std::int64_t bound, unsigned shift);
  Bound bound(unsigned rounds);
  std::uint32_t branching_item() const;
  bool search(unsigned rounds);     // false if there is no work left
  void remove(std::uint32_t number);
  void include(std::uint32_t number);
  void undo(std::size_t removed, std::uint32_t included);
  bool cannot_improve(std::int64_t bound) const;

  std::size_t positions_ = 0;
  std::vector<Item> items_;
  std::vector<std::uint32_t> uses_;
  std::vector<std::uint32_t> capacity_;

  // A choice in the making.
  std::vector<std::uint8_t> covered_;
  std::vector<std::uint32_t> left_;  // of each capacity
  std::vector<std::uint32_t> choice_;
  std::int64_t choice_value_ = 0;

  // The best choice so far.
  std::vector<std::uint32_t> best_;
  std::int64_t best_value_ = 0;

  // Search.
  std::int64_t unit_ = 1;
  std::int64_t work_ = 0;  // items that may still be looked at
  std::vector<std::uint32_t> by_end_;
  std::vector<std::uint32_t> ends_;  // of each position: where in `by_end_` its items start
  std::vector<std::uint32_t> by_value_;
  std::vector<std::uint8_t> active_;
  std::vector<std::uint32_t> removed_;
  std::vector<std::uint32_t> fixed_;
  std::int64_t fixed_value_ = 0;
  std::vector<std::uint32_t> room_;    // capacities that the fixed items leave
  std::vector<std::int64_t> price_;    // of a use, in fractions of a value
  std::vector<std::int64_t> used_;
  std::vector<std::int64_t> worth_;    // [p]: of the best cover of the first p positions
  std::vector<std::int64_t> rest_;     // [p]: of the best cover of those from p on
  std::vector<std::uint32_t> last_;    // [p]: the item that it ends with, or none
  std::vector<std::uint32_t> path_;
  std::vector<std::int64_t> reduced_;  // of each item: its value less the prices of its uses
};

}  // namespace otherwords
