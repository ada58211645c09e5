#include "grammar/labels.hpp"

namespace otherwords {

void TreeNodes::check(const AlignedSide& side) const {
  names.check();
  if (begin.size() != end.size() || begin.size() != label.size())
    throw std::invalid_argument("the nodes of the trees are not as many as their labels");
  if (bounds.size() != side.bounds.size() || bounds.front() != 0 ||
      bounds.back() != static_cast<std::int64_t>(begin.size()))
    throw std::invalid_argument("the trees are not as many as the sentences");
  for (std::size_t s = 0; s + 1 < bounds.size(); ++s) {
    if (bounds[s + 1] < bounds[s])
      throw std::invalid_argument("the bounds of the trees are not in order");
    const auto length = static_cast<std::int64_t>(side.length(s));
    for (auto k = static_cast<std::size_t>(bounds[s]); k < static_cast<std::size_t>(bounds[s + 1]); ++k)
      if (begin[k] < 0 || begin[k] >= end[k] || end[k] > length || label[k] < 0 ||
          static_cast<std::size_t>(label[k]) >= names.size())
        throw std::invalid_argument("a node of tree " + std::to_string(s + 1) + " points outside");
  }
}

std::int32_t LabelNames::number(std::string_view text) {
  const auto [at, is_new] =
      numbers_.try_emplace(std::string(text), static_cast<std::int32_t>(texts_.size()));
  if (is_new) texts_.emplace_back(text);
  return at->second;
}

void SpanLabels::load(std::size_t sentence) {
  constituents_.clear();
  known_.clear();
  if (nodes_.bounds.empty()) return;
  const auto first = static_cast<std::size_t>(nodes_.bounds[sentence]);
  const auto last = static_cast<std::size_t>(nodes_.bounds[sentence + 1]);
  for (std::size_t k = first; k < last; ++k)
    constituents_.push_back(
        {nodes_.begin[k], nodes_.end[k],
         std::string(nodes_.names[static_cast<std::size_t>(nodes_.label[k])])});
  // Stable: the nodes of a unary chain stay from the top down.
  std::stable_sort(constituents_.begin(), constituents_.end(), [](const auto& a, const auto& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < constituents_.size(); ++k) {
    Constituent& node = constituents_[k];
    const bool chained = kept > 0 && constituents_[kept - 1].begin == node.begin &&
                         constituents_[kept - 1].end == node.end;
    if (!chained) {
      if (kept != k) constituents_[kept] = std::move(node);
      ++kept;
    } else {  // the lowest node of a chain names it
      constituents_[kept - 1].name = std::move(node.name);
    }
  }
  constituents_.resize(kept);
}

std::int32_t SpanLabels::operator()(std::int32_t begin, std::int32_t end) {
  if (constituents_.empty()) return 0;
  const std::uint64_t key = static_cast<std::uint64_t>(begin) << 32 | static_cast<std::uint32_t>(end);
  const auto [at, is_new] = known_.try_emplace(key, 0);
  if (is_new)
    if (const std::string name = find(begin, end); !name.empty()) at->second = names_.number(name);
  return at->second;
}

SpanLabels::Range SpanLabels::starting(std::int32_t begin) const {
  const auto first = std::ranges::lower_bound(constituents_, begin, {}, &Constituent::begin);
  const auto last = std::ranges::upper_bound(constituents_, begin, {}, &Constituent::begin);
  return {first, last};
}

const std::string* SpanLabels::constituent(std::int32_t begin, std::int32_t end) const {
  const Range range = starting(begin);
  const auto at = std::ranges::lower_bound(range, end, {}, &Constituent::end);
  return at != range.end() && at->end == end ? &at->name : nullptr;
}

std::string SpanLabels::find(std::int32_t begin, std::int32_t end) const {
  if (const std::string* name = constituent(begin, end)) return *name;
  std::string name;
  if (options_.concatenated) name = concatenated(begin, end);
  if (name.empty() && options_.slashed) name = forward(begin, end);
  if (name.empty() && options_.slashed) name = backward(begin, end);
  if (name.empty() && options_.concatenated3) name = concatenated3(begin, end);
  return name;
}

std::string SpanLabels::concatenated(std::int32_t begin, std::int32_t end) const {
  for (const Constituent& first : starting(begin)) {
    if (first.end >= end) break;
    if (const std::string* second = constituent(first.end, end)) return first.name + "+" + *second;
  }
  return {};
}

// A/B: an A that lacks a B on its right.
std::string SpanLabels::forward(std::int32_t begin, std::int32_t end) const {
  for (const Constituent& whole : starting(begin))
    if (whole.end > end)
      if (const std::string* missing = constituent(end, whole.end))
        return whole.name + "/" + *missing;
  return {};
}

// A\B: an A that lacks a B on its left.
std::string SpanLabels::backward(std::int32_t begin, std::int32_t end) const {
  for (std::int32_t start = begin - 1; start >= 0; --start)
    if (const std::string* whole = constituent(start, end))
      if (const std::string* missing = constituent(start, begin)) return *whole + "\\" + *missing;
  return {};
}

std::string SpanLabels::concatenated3(std::int32_t begin, std::int32_t end) const {
  for (const Constituent& first : starting(begin)) {
    if (first.end >= end) break;
    for (const Constituent& second : starting(first.end)) {
      if (second.end >= end) break;
      if (const std::string* third = constituent(second.end, end))
        return first.name + "+" + second.name + "+" + *third;
    }
  }
  return {};
}

}  // namespace otherwords
