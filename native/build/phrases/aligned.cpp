#include "phrases/aligned.hpp"

#include <limits>
#include <stdexcept>
#include <string>

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

}  // namespace otherwords
