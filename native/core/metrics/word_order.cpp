#include "metrics/word_order.hpp"

namespace otherwords {

OrderStatistics WordOrder::compare(std::span<const Word> mine, std::span<const Word> theirs) {
  OrderStatistics out;
  link(mine, theirs);
  if (links_.empty()) return out;
  const std::size_t size = links_.size();
  std::size_t breaks = 0;
  for (std::size_t k = 1; k < size; ++k)
    breaks += links_[k].first != links_[k - 1].first + 1 ||
              links_[k].second != links_[k - 1].second + 1;
  out.breaks = static_cast<double>(breaks) / static_cast<double>(std::max<std::size_t>(size - 1, 1));
  out.chunks = static_cast<double>(breaks + 1) / static_cast<double>(theirs.size());
  out.kendall = 0.5;
  if (size > 1) {
    const double every = static_cast<double>(size) * static_cast<double>(size - 1) / 2;
    out.kendall = ((every - 2 * inversions(theirs.size())) / every + 1) / 2;
  }
  double shifts = 0;
  for (const auto& [here, there] : links_)
    shifts += std::abs(static_cast<double>(here) / static_cast<double>(mine.size()) -
                       static_cast<double>(there) / static_cast<double>(theirs.size()));
  out.shift = shifts / static_cast<double>(size);
  out.common = static_cast<double>(longest_common(mine, theirs));
  return out;
}

void WordOrder::link(std::span<const Word> mine, std::span<const Word> theirs) {
  links_.clear();
  free_.clear();
  for (std::size_t there = 0; there < theirs.size(); ++there)
    free_[theirs[there]].push_back(static_cast<Place>(there));
  const double length = static_cast<double>(theirs.size());
  bool follows = false;
  Place following = 0;
  for (std::size_t here = 0; here < mine.size(); ++here) {
    const auto found = free_.find(mine[here]);
    if (found == free_.end() || found->second.empty()) {
      follows = false;
      continue;
    }
    std::vector<Place>& places = found->second;
    auto chosen = std::lower_bound(places.begin(), places.end(), following);
    if (!follows || chosen == places.end() || *chosen != following) {
      const double expected =
          static_cast<double>(here) * length / static_cast<double>(mine.size());
      chosen = std::min_element(places.begin(), places.end(), [&](Place a, Place b) {
        return std::abs(static_cast<double>(a) - expected) <
               std::abs(static_cast<double>(b) - expected);
      });
    }
    links_.emplace_back(static_cast<Place>(here), *chosen);
    following = *chosen + 1;
    follows = true;
    places.erase(chosen);
  }
}

// How many pairs of links are not in order.
double WordOrder::inversions(std::size_t places) {
  tree_.assign(places + 1, 0);
  std::uint64_t found = 0, seen = 0;
  for (const auto& [here, there] : links_) {
    std::uint64_t before = 0;
    for (std::size_t k = there + 1; k > 0; k &= k - 1) before += tree_[k];
    found += seen - before;
    for (std::size_t k = there + 1; k <= places; k += k & (~k + 1)) ++tree_[k];
    ++seen;
  }
  return static_cast<double>(found);
}

// Bit by bit (Hyyrö 2004), 64 words of mine at a time: a bit is cleared where the subsequence grows.
// What a word of theirs carries over to the next block is kept, so that long texts need no table.
std::size_t WordOrder::longest_common(std::span<const Word> mine, std::span<const Word> theirs) {
  carries_.assign(theirs.size(), 0);
  std::size_t length = 0;
  for (std::size_t begin = 0; begin < mine.size(); begin += 64) {
    const std::size_t size = std::min<std::size_t>(64, mine.size() - begin);
    bits_.clear();
    for (std::size_t k = 0; k < size; ++k) bits_[mine[begin + k]] |= std::uint64_t{1} << k;
    std::uint64_t row = ~std::uint64_t{0};
    for (std::size_t there = 0; there < theirs.size(); ++there) {
      const auto places = bits_.find(theirs[there]);
      const std::uint64_t hit = places == bits_.end() ? 0 : row & places->second;
      const std::uint64_t sum = row + hit, with_carry = sum + carries_[there];
      carries_[there] = sum < row || with_carry < sum;
      row = with_carry | (row - hit);
    }
    const std::uint64_t inside = size == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1;
    length += static_cast<std::size_t>(std::popcount(~row & inside));
  }
  return length;
}

}  // namespace otherwords
