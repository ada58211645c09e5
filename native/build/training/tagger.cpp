#include "training/tagger.hpp"

#include "text/tagger_decoding.hpp"

namespace otherwords::tagging {
namespace {

// Analysed sentences.
class Corpus {
 public:
  Corpus(const Treebank& treebank, const Lexicon& lexicon) : treebank_(treebank) {
    std::string buffer;
    words_.reserve(treebank.words.size());
    for (const std::string_view form : treebank.words)
      words_.push_back(analyse(form, lexicon, buffer));
    for (const Word& word : words_) pointers_.push_back(&word);
    for (std::size_t s = 0; s < size(); ++s)
      contexts_.push_back(make_context({pointers_.data() + begin(s), length(s)}));
  }

  std::size_t size() const { return treebank_.bounds.size() - 1; }
  std::size_t begin(std::size_t s) const { return treebank_.bounds[s]; }
  std::size_t length(std::size_t s) const { return treebank_.bounds[s + 1] - begin(s); }
  const Context& context(std::size_t s) const { return contexts_[s]; }
  const std::uint8_t* gold(std::size_t s) const { return treebank_.tags.data() + begin(s); }
  std::uint8_t boundary_tag() const { return static_cast<std::uint8_t>(treebank_.tag_count); }
  std::size_t tag_count() const { return treebank_.tag_count; }

 private:
  const Treebank& treebank_;
  std::vector<Word> words_;
  std::vector<const Word*> pointers_;
  std::vector<Context> contexts_;
};

template <typename Emit>
void all_features(const Context& context, std::size_t i, Emit emit) {
  for (int offset = -reach; offset <= reach; ++offset)
    word_features(context.at(i, offset), offset, emit);
  context_features(context, i, emit);
}

std::vector<std::uint64_t> frequent_features(const Corpus& corpus, unsigned cutoff) {
  std::vector<std::uint64_t> seen;
  const auto emit = [&](std::uint64_t key) { seen.push_back(key); };
  for (std::size_t s = 0; s < corpus.size(); ++s)
    for (std::size_t i = 0; i < corpus.length(s); ++i) all_features(corpus.context(s), i, emit);
  return frequent_keys(std::move(seen), cutoff);
}

class Perceptron {
 public:
  Perceptron(const Corpus& corpus, std::span<const std::uint64_t> keys,
             std::span<const std::uint32_t> buckets, const TrainingOptions& options)
      : corpus_(corpus),
        options_(options),
        index_(keys, buckets),
        tags_(corpus.tag_count()),
        features_(keys.size() * tags_),
        bigrams_((tags_ + 1) * (tags_ + 1)),
        trigrams_(bigrams_.size() * (tags_ + 1)) {
    feature_bounds_.push_back(0);
    for (std::size_t s = 0; s < corpus.size(); ++s)
      for (std::size_t i = 0; i < corpus.length(s); ++i) {
        all_features(corpus.context(s), i, [&](std::uint64_t key) {
          const std::size_t at = index_.find(key);
          if (at != HashIndex::npos) feature_ids_.push_back(static_cast<std::uint32_t>(at));
        });
        feature_bounds_.push_back(feature_ids_.size());
      }
  }

  void run(std::uint64_t seed) {
    features_.clear();
    bigrams_.clear();
    trigrams_.clear();
    step_ = 0;
    noise_ = mix(seed);
    std::vector<std::size_t> order(corpus_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (unsigned epoch = 0; epoch < options_.epochs; ++epoch) {
      shuffle(order, seed);
      for (const std::size_t s : order) learn(s);
    }
  }

  const AveragedWeights& features() const { return features_; }
  const AveragedWeights& bigrams() const { return bigrams_; }
  const AveragedWeights& trigrams() const { return trigrams_; }
  std::int64_t steps() const { return step_; }

 private:
  std::size_t pair(std::size_t b, std::size_t c) const { return b * (tags_ + 1) + c; }
  std::size_t triple(std::size_t a, std::size_t b, std::size_t c) const {
    return pair(pair(a, b), c);
  }

  void learn(std::size_t s) {
    ++step_;
    noise_ = mix(noise_ + 1);
    decode(s);
    const std::uint8_t* gold = corpus_.gold(s);
    if (!std::equal(guess_.begin(), guess_.end(), gold)) {
      move_towards(s, gold, +1, guess_.data());
      move_towards(s, guess_.data(), -1, gold);
    }
  }

  void decode(std::size_t s) {
    const std::size_t n = corpus_.length(s);
    lattice_.words.resize(n);
    guess_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      scores_.assign(tags_, 0);
      for (const std::uint32_t id : ids(s, i)) {
        if (hidden(id)) continue;
        const std::int32_t* row = features_.row(id * tags_);
        for (std::size_t tag = 0; tag < tags_; ++tag) scores_[tag] += row[tag];
      }
      scores_[corpus_.gold(s)[i]] -= static_cast<std::int32_t>(options_.loss);
      lattice_.words[i] = choose(scores_.data(), tags_, INT32_MAX / 2);
    }
    const auto transition = [&](std::size_t a, std::size_t b, std::size_t c) {
      return *bigrams_.row(pair(b, c)) + *trigrams_.row(triple(a, b, c));
    };
    viterbi(lattice_, transition, corpus_.boundary_tag(), guess_.data());
  }

  // Whether a feature takes no part in this step.
  bool hidden(std::uint32_t id) const {
    return mix(noise_ + id * 0x9e3779b97f4a7c15ULL) % 100 < options_.dropout;
  }

  std::span<const std::uint32_t> ids(std::size_t s, std::size_t i) const {
    const std::size_t at = corpus_.begin(s) + i;
    return {feature_ids_.data() + feature_bounds_[at], feature_ids_.data() + feature_bounds_[at + 1]};
  }

  // Adds `by` to what speaks for `tags` and is not shared with `other`.
  void move_towards(std::size_t s, const std::uint8_t* tags, int by, const std::uint8_t* other) {
    const std::size_t n = corpus_.length(s);
    const std::uint8_t end = corpus_.boundary_tag();
    const auto tag = [&](const std::uint8_t* of, std::size_t i) { return i < n ? of[i] : end; };
    for (std::size_t i = 0; i <= n; ++i) {
      const bool here = tag(tags, i) != tag(other, i);
      const bool before = here || tag(tags, i - 1) != tag(other, i - 1);
      const bool before2 = before || tag(tags, i - 2) != tag(other, i - 2);
      if (before2) trigrams_.add(triple(tag(tags, i - 2), tag(tags, i - 1), tag(tags, i)), by, step_);
      if (before) bigrams_.add(pair(tag(tags, i - 1), tag(tags, i)), by, step_);
      if (i == n || !here) continue;
      for (const std::uint32_t id : ids(s, i))
        if (!hidden(id)) features_.add(id * tags_ + tags[i], by, step_);
    }
  }

  const Corpus& corpus_;
  const TrainingOptions& options_;
  HashIndex index_;
  std::size_t tags_;
  AveragedWeights features_, bigrams_, trigrams_;
  std::vector<std::uint32_t> feature_ids_;   // of all positions, end to end
  std::vector<std::size_t> feature_bounds_;
  std::int64_t step_ = 0;
  std::uint64_t noise_ = 0;  // of this step
  Lattice lattice_;
  std::vector<std::int32_t> scores_;
  std::vector<std::uint8_t> guess_;
};

void add_totals(const AveragedWeights& weights, std::int64_t steps, std::int64_t resolution,
                std::vector<std::int64_t>& sums) {
  sums.resize(weights.size());
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += weights.total(i, steps, resolution);
}

std::vector<std::int16_t> quantised(const std::vector<std::int64_t>& sums, std::int64_t divisor) {
  std::vector<std::int16_t> result;
  result.reserve(sums.size());
  for (const std::int64_t sum : sums)
    result.push_back(clipped<std::int16_t>(rounded_quotient(sum, divisor)));
  return result;
}

// Keeps the weights that are not too small, and the keys that have any. Most features are
// weak ones of which the strong ones leave little to say: dropping them costs no accuracy.
void pack_rows(std::span<const std::uint64_t> keys, const std::vector<std::int64_t>& sums,
               std::int64_t divisor, const TrainingOptions& options, TrainedWeights& out) {
  const std::size_t tags = keys.empty() ? 0 : sums.size() / keys.size();
  std::vector<std::int64_t> row(tags);
  out.row_bounds.push_back(0);
  for (std::size_t f = 0; f < keys.size(); ++f) {
    std::int64_t greatest = 0;
    for (std::size_t tag = 0; tag < tags; ++tag) {
      row[tag] = rounded_quotient(sums[f * tags + tag], divisor);
      greatest = std::max(greatest, std::abs(row[tag]));
    }
    if (greatest < std::max<std::int64_t>(options.least_best, 1)) continue;
    for (std::size_t tag = 0; tag < tags; ++tag) {
      if (row[tag] == 0 || std::abs(row[tag]) < options.least) continue;
      out.row_tags.push_back(static_cast<std::uint8_t>(tag));
      out.row_weights.push_back(clipped<std::int8_t>(row[tag]));
    }
    out.keys.push_back(keys[f]);
    out.row_bounds.push_back(static_cast<std::uint32_t>(out.row_tags.size()));
  }
}

void check(const Treebank& treebank, const TrainingOptions& options) {
  if (treebank.tag_count == 0 || treebank.tag_count > 254)
    throw std::invalid_argument("tagger training: between 1 and 254 tags are possible");
  if (treebank.words.size() != treebank.tags.size() || treebank.bounds.empty() ||
      treebank.bounds.front() != 0 || treebank.bounds.back() != treebank.words.size() ||
      !std::is_sorted(treebank.bounds.begin(), treebank.bounds.end()))
    throw std::invalid_argument("tagger training: words, tags and sentences do not fit");
  for (const std::uint8_t tag : treebank.tags)
    if (tag >= treebank.tag_count) throw std::invalid_argument("tagger training: unknown tag");
  if (options.epochs == 0 || options.runs == 0 || options.resolution == 0)
    throw std::invalid_argument("tagger training: epochs, runs and resolution start at 1");
}

}  // namespace

TrainedWeights train(const Treebank& treebank, const Lexicon& lexicon,
                     const TrainingOptions& options) {
  check(treebank, options);
  const Corpus corpus(treebank, lexicon);
  const std::vector<std::uint64_t> keys = frequent_features(corpus, options.cutoff);
  const std::vector<std::uint32_t> buckets = bucket_bounds(keys);
  Perceptron perceptron(corpus, keys, buckets, options);
  std::vector<std::int64_t> features, bigrams, trigrams;
  for (unsigned run = 0; run < options.runs; ++run) {
    perceptron.run(mix(options.seed + run));
    const std::int64_t steps = perceptron.steps();
    add_totals(perceptron.features(), steps, options.resolution, features);
    add_totals(perceptron.bigrams(), steps, options.resolution, bigrams);
    add_totals(perceptron.trigrams(), steps, options.resolution, trigrams);
  }
  const std::int64_t divisor = std::max<std::int64_t>(perceptron.steps() * options.runs, 1);
  TrainedWeights result;
  pack_rows(keys, features, divisor, options, result);
  result.bigrams = quantised(bigrams, divisor);
  result.trigrams = quantised(trigrams, divisor);
  return result;
}

}  // namespace otherwords::tagging
