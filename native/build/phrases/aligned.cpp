#include "phrases/aligned.hpp"

namespace otherwords {
namespace {

void check_bounds(std::span<const std::int64_t> bounds, std::size_t size, const char* what) {
  if (bounds.empty() || bounds.front() != 0 || bounds.back() != static_cast<std::int64_t>(size))
    throw std::invalid_argument(std::string("the bounds of the ") + what +
                                " do not run from 0 to their number");
  for (std::size_t i = 1; i < bounds.size(); ++i)
    if (bounds[i] < bounds[i - 1])
      throw std::invalid_argument(std::string("the bounds of the ") + what + " are not in order");
}

void check_tokens(const AlignedSide& side, std::size_t words, const char* what) {
  check_bounds(side.bounds, side.tokens.size(), what);
  for (const std::uint32_t token : side.tokens)
    if (token >= words) throw std::invalid_argument(std::string(what) + ": a word id has no word");
}

}  // namespace

void Aligned::check(std::size_t left_words, std::size_t right_words) const {
  check_tokens(left, left_words, "left tokens");
  check_tokens(right, right_words, "right tokens");
  if (links.left.size() != links.right.size())
    throw std::invalid_argument("a link has one end only");
  check_bounds(links.bounds, links.left.size(), "links");
  if (left.bounds.size() != right.bounds.size() || left.bounds.size() != links.bounds.size())
    throw std::invalid_argument("there are " + std::to_string(left.bounds.size() - 1) +
                                " left sentences, " + std::to_string(right.bounds.size() - 1) +
                                " right ones and links of " +
                                std::to_string(links.bounds.size() - 1));
  for (std::size_t s = 0; s < sentences(); ++s) {
    if (left.length(s) > std::numeric_limits<std::int32_t>::max() ||
        right.length(s) > std::numeric_limits<std::int32_t>::max())
      throw std::invalid_argument("sentence " + std::to_string(s + 1) + " is too long");
    for (std::size_t k = links.begin(s); k < links.end(s); ++k) {
      const auto here = [&] { return " of sentence " + std::to_string(s + 1); };
      if (links.left[k] >= left.length(s) || links.right[k] >= right.length(s))
        throw std::invalid_argument("link " + std::to_string(links.left[k]) + "-" +
                                    std::to_string(links.right[k]) + here() +
                                    " points past the end of a side");
      if (k > links.begin(s) && (links.left[k] < links.left[k - 1] ||
                                 (links.left[k] == links.left[k - 1] &&
                                  links.right[k] <= links.right[k - 1])))
        throw std::invalid_argument("the links" + here() + " are not sorted, or one occurs twice");
    }
  }
}

void Words::check() const { check_bounds(bounds, bytes.size(), "words"); }

namespace {

std::uint64_t pair_of(std::uint64_t left, std::uint64_t right) { return left << 32 | right; }

// Every link of the text as a pair of words, and every word without links with NULL.
std::vector<std::uint64_t> linked_pairs(const Aligned& text, std::uint32_t left_null,
                                        std::uint32_t right_null) {
  std::vector<std::uint64_t> pairs;
  pairs.reserve(text.links.left.size());
  std::vector<char> left_linked, right_linked;
  for (std::size_t s = 0; s < text.sentences(); ++s) {
    left_linked.assign(text.left.length(s), 0);
    right_linked.assign(text.right.length(s), 0);
    const std::uint32_t* left = text.left.tokens.data() + text.left.begin(s);
    const std::uint32_t* right = text.right.tokens.data() + text.right.begin(s);
    for (std::size_t k = text.links.begin(s); k < text.links.end(s); ++k) {
      const std::uint32_t i = text.links.left[k], j = text.links.right[k];
      left_linked[i] = right_linked[j] = 1;
      pairs.push_back(pair_of(left[i], right[j]));
    }
    for (std::size_t i = 0; i < left_linked.size(); ++i)
      if (!left_linked[i]) pairs.push_back(pair_of(left[i], right_null));
    for (std::size_t j = 0; j < right_linked.size(); ++j)
      if (!right_linked[j]) pairs.push_back(pair_of(left_null, right[j]));
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

}  // namespace

WordLinks::WordLinks(const Aligned& text, std::size_t left_words, std::size_t right_words)
    : left_totals_(left_words + 1),
      right_totals_(right_words + 1),
      left_alone_(left_words + 1),
      right_alone_(right_words + 1) {
  const std::vector<std::uint64_t> pairs = linked_pairs(text, left_null(), right_null());
  rows_.reserve(left_words + 2);
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t end = begin;
    while (end < pairs.size() && pairs[end] == pairs[begin]) ++end;
    add(static_cast<std::uint32_t>(pairs[begin] >> 32), static_cast<std::uint32_t>(pairs[begin]),
        static_cast<std::int64_t>(end - begin));
    begin = end;
  }
  rows_.resize(left_words + 2, right_.size());
}

WordLinks::WordLinks(std::span<const std::uint32_t> left, std::span<const std::uint32_t> right,
                     std::span<const std::int64_t> count, std::size_t left_words,
                     std::size_t right_words)
    : left_totals_(left_words + 1),
      right_totals_(right_words + 1),
      left_alone_(left_words + 1),
      right_alone_(right_words + 1) {
  if (left.size() != right.size() || left.size() != count.size())
    throw std::invalid_argument("the columns differ in length");
  rows_.reserve(left_words + 2);
  for (std::size_t k = 0; k < left.size(); ++k) {
    if (left[k] > left_words || right[k] > right_words || count[k] < 1)
      throw std::invalid_argument("a pair of linked words is outside of the vocabularies");
    if (k && pair_of(left[k - 1], right[k - 1]) >= pair_of(left[k], right[k]))
      throw std::invalid_argument("the pairs of linked words are not in order");
    add(left[k], right[k], count[k]);
  }
  rows_.resize(left_words + 2, right_.size());
}

void WordLinks::add(std::uint32_t left, std::uint32_t right, std::int64_t count) {
  rows_.resize(std::size_t{left} + 1, right_.size());  // also of the words before without pairs
  right_.push_back(right);
  counts_.push_back(count);
  left_totals_[left] += count;
  right_totals_[right] += count;
  if (right == right_null() && left != left_null()) left_alone_[left] = count;
  if (left == left_null() && right != right_null()) right_alone_[right] = count;
}

std::int64_t WordLinks::count(std::uint32_t left, std::uint32_t right) const {
  const auto begin = right_.begin() + static_cast<std::ptrdiff_t>(rows_[left]);
  const auto end = right_.begin() + static_cast<std::ptrdiff_t>(rows_[left + 1]);
  const auto at = std::lower_bound(begin, end, right);
  return at != end && *at == right ? counts_[static_cast<std::size_t>(at - right_.begin())] : 0;
}

WordLinks::Table WordLinks::table() const {
  Table table{{}, right_, counts_};
  table.left.reserve(right_.size());
  for (std::uint32_t left = 0; left <= left_null(); ++left)
    table.left.insert(table.left.end(), rows_[left + 1] - rows_[left], left);
  return table;
}

}  // namespace otherwords
