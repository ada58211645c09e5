#include "lm/table.hpp"

#include <algorithm>

namespace otherwords::lm {
namespace {

template <typename T>
void compact(std::vector<T>& values, const std::vector<std::uint8_t>& kept) {
  if (values.empty()) return;
  std::size_t out = 0;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (kept[i]) values[out++] = values[i];
  values.resize(out);
  values.shrink_to_fit();
}

std::vector<std::uint32_t> new_positions(const std::vector<std::uint8_t>& kept) {
  std::vector<std::uint32_t> positions(kept.size());
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < kept.size(); ++i) positions[i] = kept[i] ? next++ : absent;
  return positions;
}

}  // namespace

std::vector<std::uint32_t> children_bounds(const Level& level, std::size_t suffixes) {
  std::vector<std::uint32_t> bounds(suffixes + 1);
  for (const std::uint32_t suffix : level.suffix) ++bounds[suffix + 1];
  for (std::size_t i = 0; i < suffixes; ++i) bounds[i + 1] += bounds[i];
  return bounds;
}

// The context of w1..wn is found below the context of its suffix w2..wn, which is
// w2..wn-1: there it is the n-gram that starts with w1.
void link_contexts(NgramTable& table) {
  if (table.order() > 1) table.levels[1].context = table.levels[1].left;
  for (std::size_t k = 2; k < table.order(); ++k) {
    Level& level = table.levels[k];
    const Level& below = table.levels[k - 1];
    const auto bounds = children_bounds(below, table.levels[k - 2].size());
    level.context.assign(level.size(), absent);
    for (std::size_t i = 0; i < level.size(); ++i) {
      const std::uint32_t middle = below.context[level.suffix[i]];
      if (middle == absent) continue;
      const auto begin = below.left.begin() + bounds[middle];
      const auto end = below.left.begin() + bounds[middle + 1];
      const auto found = std::lower_bound(begin, end, level.left[i]);
      if (found != end && *found == level.left[i])
        level.context[i] = static_cast<std::uint32_t>(found - below.left.begin());
    }
  }
}

void keep_only(NgramTable& table, const std::vector<std::vector<std::uint8_t>>& kept) {
  for (std::size_t k = 1; k < table.order(); ++k) {
    Level& level = table.levels[k];
    compact(level.left, kept[k]);
    compact(level.suffix, kept[k]);
    compact(level.context, kept[k]);
    compact(level.count, kept[k]);
    compact(level.probability, kept[k]);
    compact(level.backoff, kept[k]);
    if (k == 1) continue;  // words keep their numbers
    const auto positions = new_positions(kept[k - 1]);
    for (auto& suffix : level.suffix) suffix = positions[suffix];
    for (auto& context : level.context)
      if (context != absent) context = positions[context];
  }
}

}  // namespace otherwords::lm
