#include "lm/packed.hpp"

#include <algorithm>
#include <array>

namespace otherwords::lm {

HashedVocabulary::HashedVocabulary(std::span<const std::uint32_t> keys,
                                   std::span<const std::uint32_t> buckets)
    : keys_(keys), buckets_(buckets) {
  const std::size_t count = buckets.empty() ? 0 : buckets.size() - 1;
  if (count < 2 || !std::has_single_bit(count) || buckets.front() != 0 ||
      buckets.back() != keys.size() || !std::is_sorted(buckets.begin(), buckets.end()))
    throw std::invalid_argument("the buckets do not fit the vocabulary");
  shift_ = 64 - static_cast<unsigned>(std::countr_zero(count));
}

PackedModel::PackedModel(HashedVocabulary vocabulary, std::vector<PackedLevel> levels)
    : vocabulary_(vocabulary), levels_(std::move(levels)) {
  if (levels_.empty() || levels_.size() > max_order)
    throw std::invalid_argument("the order is out of range");
  if (levels_[0].size != vocabulary_.size() + first_word)
    throw std::invalid_argument("the unigrams do not fit the vocabulary");
}

PackedModel::Range PackedModel::children(std::size_t k, std::size_t node) const {
  const PackedLevel& level = levels_[k];
  if (!level.parents.has(node)) return {0, 0};
  const std::size_t rank = level.parents.rank(node), end = levels_[k + 1].size;
  return {std::min<std::size_t>(level.children[rank], end),
          std::min<std::size_t>(level.children[rank + 1], end)};
}

namespace {

// First position of [begin, end) whose number is not below `word`. Words are numbered by
// their hashes, so that they are spread evenly and the guess is near; the halving after it
// bounds the steps for any numbers.
std::size_t lower_bound(const PackedNumbers& numbers, std::size_t begin, std::size_t end,
                        std::uint32_t word, std::size_t vocabulary) {
  constexpr std::size_t near = 8;
  if (end > begin + 2 * near) {
    const std::size_t length = end - begin;
    std::size_t guess = begin + length * word / vocabulary;
    guess = std::min(guess, end - 1);
    std::size_t step = near;
    if (numbers[guess] < word) {
      begin = guess + 1;
      while (begin + step < end && numbers[begin + step] < word) {
        begin += step + 1;
        step *= 2;
      }
      end = std::min(end, begin + step);
    } else {
      end = guess;
      while (begin + step < end && numbers[end - step] >= word) {
        end -= step;
        step *= 2;
      }
      if (begin + step < end) begin = end - step;
    }
  }
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    if (numbers[middle] < word)
      begin = middle + 1;
    else
      end = middle;
  }
  return begin;
}

}  // namespace

SentenceScore PackedModel::score(std::span<const std::uint32_t> words,
                                 std::vector<TokenScore>* tokens) const {
  SentenceScore total;
  std::array<float, max_order> before{}, after{};  // back-offs of the n-grams ending here, by n-1
  std::size_t before_length = 1;
  const std::size_t vocabulary = levels_[0].size;
  before[0] = order() > 1 ? levels_[0].backoff[sentence_begin] : 0;
  for (std::size_t i = 0; i <= words.size(); ++i) {
    const std::uint32_t word = i < words.size() ? words[i] : sentence_end;
    float log_probability = levels_[0].probability[word];
    std::size_t node = word, length = 1;
    while (length < order()) {
      after[length - 1] = levels_[length - 1].backoff[node];
      if (length > i + 1) break;
      const std::uint32_t left = length <= i ? words[i - length] : sentence_begin;
      const auto [begin, end] = children(length - 1, node);
      const PackedNumbers& lefts = levels_[length].left;
      const std::size_t found = lower_bound(lefts, begin, end, left, vocabulary);
      if (found >= end || lefts[found] != left) break;
      node = found;
      log_probability = levels_[length].probability[node];
      ++length;
    }
    float sum = log_probability;
    for (std::size_t k = length; k <= before_length; ++k) sum += before[k - 1];
    total.log_probability += sum;
    if (word == unknown_word) {
      ++total.unknown;
      total.of_unknown += sum;
    }
    if (tokens) tokens->push_back({word, sum, static_cast<unsigned>(length)});
    before_length = std::min(length, order() - 1);
    before = after;
  }
  total.tokens = static_cast<std::uint32_t>(words.size());
  return total;
}

NgramTable PackedModel::unpack() const {
  NgramTable table;
  for (std::size_t k = 0; k < order(); ++k) {
    const PackedLevel& packed = levels_[k];
    Level level;
    level.probability.resize(packed.size);
    if (k + 1 < order()) level.backoff.resize(packed.size);
    for (std::size_t i = 0; i < packed.size; ++i) {
      level.probability[i] = packed.probability[i];
      if (k + 1 < order()) level.backoff[i] = packed.backoff[i];
    }
    if (k > 0) {
      level.left.resize(packed.size);
      level.suffix.assign(packed.size, 0);
      for (std::size_t i = 0; i < packed.size; ++i)
        level.left[i] = std::min<std::uint32_t>(
            packed.left[i], static_cast<std::uint32_t>(levels_[0].size - 1));
      for (std::size_t node = 0; node < levels_[k - 1].size; ++node) {
        const auto [begin, end] = children(k - 1, node);
        for (std::size_t i = begin; i < end; ++i)
          level.suffix[i] = static_cast<std::uint32_t>(node);
      }
    }
    table.levels.push_back(std::move(level));
  }
  link_contexts(table);
  return table;
}

}  // namespace otherwords::lm
