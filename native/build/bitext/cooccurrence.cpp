#include "bitext/cooccurrence.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace otherwords {
namespace {

constexpr std::size_t most_ranges = 48;
constexpr std::size_t least_tokens = 1 << 15;  // of a range
constexpr auto nothing_met = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::vector<WordRange> word_ranges(const Bitext& bitext) {
  std::vector<std::uint64_t> tokens(bitext.left_words, 0);
  for (const std::uint32_t word : bitext.left.tokens) ++tokens[word];
  const std::uint64_t enough =
      std::max<std::uint64_t>(bitext.left.tokens.size() / most_ranges, least_tokens);
  std::vector<WordRange> out;
  std::uint64_t sum = 0;
  std::uint32_t begin = 0;
  for (std::uint32_t word = 0; word < bitext.left_words; ++word) {
    sum += tokens[word];
    if (sum < enough && word + 1 < bitext.left_words) continue;
    out.push_back({begin, word + 1});
    begin = word + 1;
    sum = 0;
  }
  return out;
}

std::uint64_t uniform_count(std::size_t left_words, std::size_t right_words) {
  const float both = 1 / static_cast<float>(left_words) * (1 / static_cast<float>(right_words));
  return static_cast<std::uint64_t>(static_cast<double>(std::sqrt(both)) * fixed_point);
}

Cooccurrence::Cooccurrence(const Bitext& bitext, WordRange range, std::size_t max_words)
    : bitext_(bitext), first_(range.begin), starts_(range.end - range.begin + 1, 0),
      met_(bitext.right_words, nothing_met), place_(bitext.right_words) {
  if (bitext.size() >= nothing_met) throw std::invalid_argument("bitext: too many sentence pairs");
  const std::uint32_t words = range.end - range.begin;
  const auto for_each = [&](auto visit) {
    for (std::size_t s = 0; s < bitext.size(); ++s) {
      if (!bitext.usable(s, max_words)) continue;
      for (const std::uint32_t word : bitext.left.sentence(s))
        if (word - first_ < words) visit(word - first_, static_cast<std::uint32_t>(s));
    }
  };
  for_each([&](std::uint32_t word, std::uint32_t) { ++starts_[word + 1]; });
  for (std::uint32_t word = 0; word < words; ++word) starts_[word + 1] += starts_[word];
  sentences_.resize(starts_.back());
  std::vector<std::uint64_t> next(starts_.begin(), starts_.end() - 1);
  for_each([&](std::uint32_t word, std::uint32_t s) { sentences_[next[word]++] = s; });
}

Cooccurrence::Row Cooccurrence::row(std::uint32_t word) {
  right_.clear();
  counts_.clear();
  const std::uint32_t w = word - first_;
  for (std::uint64_t o = starts_[w]; o < starts_[w + 1]; ++o) {
    const std::size_t s = sentences_[o];
    const auto others = bitext_.right.sentence(s);
    const std::uint64_t count = uniform_count(bitext_.left.length(s), others.size());
    for (const std::uint32_t other : others) {
      if (met_[other] != word) {
        met_[other] = word;
        place_[other] = static_cast<std::uint32_t>(right_.size());
        right_.push_back(other);
        counts_.push_back(0);
      }
      counts_[place_[other]] += count;
    }
  }
  return {right_, counts_};
}

}  // namespace otherwords
