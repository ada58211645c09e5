#include "lm/packed.hpp"

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

// The tables have a value for every code, so that no code reads beyond them.
Weights::Weights(std::span<const float> probabilities, std::span<const float> backoffs,
                 std::span<const std::uint8_t> codes, std::size_t size, bool backoffs_here)
    : probabilities_(probabilities), backoffs_(backoffs), size_(size),
      backoffs_here_(backoffs_here) {
  bits_ = bits_for(probabilities.size()) - 1;
  if (!std::has_single_bit(probabilities.size()) || bits_ < 1 || bits_ > 8 ||
      (backoffs_here && backoffs.size() != probabilities.size()))
    throw std::invalid_argument("the tables of weights have another size");
  codes_ = PackedNumbers(codes, backoffs_here ? 2 * bits_ : bits_, size);
}

namespace {

constexpr std::size_t checked_numbers = std::size_t{1} << 24;  // of a level; more are not looked at

// Refuses n-grams of words that there are not, or that a search would not find: those that share
// their suffix stand together, in the order of their first words. Look-ups never leave the arrays;
// the n-grams of large models are left to the checksums of their files.
void check_order(const std::vector<PackedLevel>& levels) {
  for (std::size_t k = 0; k + 1 < levels.size(); ++k) {
    const PackedNumbers &starts = levels[k].children, &words = levels[k + 1].left;
    if (starts.size() > checked_numbers || words.size() > checked_numbers) continue;
    for (std::size_t i = 0; i < words.size(); ++i)
      if (words[i] >= levels[0].size)
        throw std::invalid_argument("an n-gram has a word that is out of range");
    for (std::size_t parent = 0; parent + 1 < starts.size(); ++parent) {
      const std::size_t begin = starts[parent], end = starts[parent + 1];
      if (begin > end || end > words.size())
        throw std::invalid_argument("the n-grams do not fit those that they end with");
      for (std::size_t i = begin + 1; i < end; ++i)
        if (words[i - 1] >= words[i])
          throw std::invalid_argument("the n-grams are out of order");
    }
  }
}

}  // namespace

PackedModel::PackedModel(HashedVocabulary vocabulary, std::vector<PackedLevel> levels)
    : vocabulary_(vocabulary), levels_(std::move(levels)) {
  if (levels_.empty() || levels_.size() > max_order)
    throw std::invalid_argument("the order is out of range");
  if (levels_[0].size != vocabulary_.size() + first_word)
    throw std::invalid_argument("the unigrams do not fit the vocabulary");
  check_order(levels_);
}

PackedModel::Range PackedModel::children_of_parent(std::size_t k, std::size_t rank) const {
  const PackedNumbers& starts = levels_[k].children;
  const std::size_t end = levels_[k + 1].size;
  return {std::min<std::size_t>(starts[rank], end), std::min<std::size_t>(starts[rank + 1], end)};
}

PackedModel::Range PackedModel::children(std::size_t k, std::size_t node) const {
  const RankedFlags& parents = levels_[k].parents;
  return parents.has(node) ? children_of_parent(k, parents.rank(node)) : Range{0, 0};
}

namespace {

// Words are numbered by their hashes and so spread evenly: where `word` is likely to be.
std::size_t likely(std::size_t begin, std::size_t end, std::uint32_t word,
                   std::size_t vocabulary) {
  return begin + (end - begin) * word / vocabulary;
}

// First position of [begin, end) whose number is not below `word`. Around `guess` it is
// looked for first: the window is some four standard deviations wide. The halving has no
// branch that depends on what is read, for no processor could foresee it.
std::size_t lower_bound(const PackedNumbers& numbers, std::size_t begin, std::size_t end,
                        std::size_t guess, std::uint32_t word) {
  const std::size_t window = std::size_t{2} << (std::bit_width(end - begin) / 2);
  if (end - begin > 4 * window) {
    const std::size_t low = std::max(begin + window, guess) - window;
    const std::size_t high = std::min(end - window, guess) + window;
    if (numbers[low] <= word && (high == end || numbers[high] >= word)) {
      begin = low;
      end = high;
    }
  }
  for (std::size_t length = end - begin; length > 0;) {
    const std::size_t half = (length + 1) / 2;
    begin += (numbers[begin + half - 1] < word) * half;
    length -= half;
  }
  return begin;
}

}  // namespace

// All words walk side by side, step by step: each step asks for the memory of the next one,
// so that all wait together instead of one after the other.
void Scorer::add(std::span<const std::uint32_t> words) {
  const auto append = [&](std::uint32_t word, std::size_t offset) {
    walking_.push_back(static_cast<std::uint32_t>(text_.size()));
    text_.push_back(word);
    walks_.emplace_back();
    walks_.back().offset = static_cast<std::uint32_t>(offset);
    walks_.back().node = word;
    ask_for(0, word);
  };
  append(sentence_begin, 0);
  for (std::size_t i = 0; i < words.size(); ++i) append(words[i], i + 1);
  append(sentence_end, words.size() + 1);
}

void Scorer::ask_for(std::size_t k, std::size_t node) const {
  const PackedLevel& level = model_.level(k);
  prefetch(level.weights.address(node));
  if (k + 1 < model_.order()) prefetch(level.parents.address(node));
}

// Takes what the n-grams of this length, which have been found, have to say.
void Scorer::arrive(std::size_t length) {
  const Weights& weights = model_.level(length - 1).weights;
  for (const std::uint32_t i : walking_) {
    Walk& walk = walks_[i];
    const Weight weight = weights[walk.node];
    walk.length = static_cast<std::uint32_t>(length);
    walk.log_probability = weight.probability;
    walk.backoff[length - 1] = weight.backoff;
  }
}

// Those whose n-gram has longer ones go on, if the sentence does.
void Scorer::leave(std::size_t length) {
  const PackedLevel& level = model_.level(length - 1);
  std::size_t going = 0;
  for (const std::uint32_t i : walking_) {
    Walk& walk = walks_[i];
    if (walk.offset < length || !level.parents.has(walk.node)) continue;
    walk.begin = level.parents.rank(walk.node);
    prefetch(level.children.address(walk.begin));
    walking_[going++] = i;
  }
  walking_.resize(going);
  const PackedLevel& longer = model_.level(length);
  for (const std::uint32_t i : walking_) {
    Walk& walk = walks_[i];
    const auto [begin, end] = model_.children_of_parent(length - 1, walk.begin);
    walk.begin = begin;
    walk.end = std::max(begin, end);
    walk.guess = likely(begin, walk.end, text_[i - length], model_.level(0).size);
    prefetch(longer.left.address(walk.guess));
  }
}

void Scorer::search(std::size_t length) {
  const PackedLevel& longer = model_.level(length);
  std::size_t going = 0;
  for (const std::uint32_t i : walking_) {
    Walk& walk = walks_[i];
    const std::uint32_t word = text_[i - length];
    const std::size_t found = lower_bound(longer.left, walk.begin, walk.end, walk.guess, word);
    if (found >= walk.end || longer.left[found] != word) continue;
    walk.node = static_cast<std::uint32_t>(found);
    ask_for(length, found);
    walking_[going++] = i;
  }
  walking_.resize(going);
}

void Scorer::run(SentenceScore* scores, std::vector<TokenScore>* tokens) {
  for (std::size_t length = 1;; ++length) {
    arrive(length);
    if (length == model_.order()) break;
    leave(length);
    search(length);
  }
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == sentence_begin) {
      *scores = {};
      continue;
    }
    const Walk &walk = walks_[i], &before = walks_[i - 1];
    double sum = walk.log_probability;
    for (std::size_t k = walk.length; k <= before.length; ++k) sum += before.backoff[k - 1];
    scores->log_probability += sum;
    if (tokens) tokens->push_back({text_[i], sum, walk.length});
    if (text_[i] == sentence_end) {
      ++scores;
      continue;
    }
    ++scores->tokens;
    if (text_[i] != unknown_word) continue;
    ++scores->unknown;
    scores->of_unknown += sum;
  }
  text_.clear();
  walks_.clear();
  walking_.clear();
}

}  // namespace otherwords::lm
