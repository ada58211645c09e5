#include "text/tagger.hpp"

#include "hash.hpp"
#include "kept.hpp"
#include "prefetch.hpp"

namespace otherwords {

using tagging::Context;
using tagging::Word;

namespace {

constexpr std::size_t offsets = 2 * tagging::reach + 1;
constexpr std::size_t max_tags = 254;
constexpr std::int32_t max_margin = 1 << 20;

std::atomic<std::uint64_t> next_id{1};

void require_tagger(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(std::string("tagger: ") + what);
}

std::vector<std::string> split_names(std::span<const std::uint8_t> blob) {
  std::vector<std::string> names(1);
  for (const std::uint8_t byte : blob)
    if (byte == '\n')
      names.emplace_back();
    else
      names.back() += static_cast<char>(byte);
  return names;
}

// Sums of some sixty 8-bit weights, so 16 bits are enough.
void add(const std::int16_t* from, std::int16_t* to, std::size_t n) {
  for (std::size_t k = 0; k < n; ++k) to[k] = static_cast<std::int16_t>(to[k] + from[k]);
}

}  // namespace

Tagger::Tagger(const TaggerArrays& arrays)
    : id_(next_id++),
      arrays_(arrays),
      tag_names_(split_names(arrays.tag_names)),
      features_(arrays.feature_keys, arrays.feature_buckets),
      lexicon_(arrays.lexicon) {
  check();
  boundary_scores_.resize(offsets * tag_names_.size());
  for (std::size_t o = 0; o < offsets; ++o)
    tagging::word_features(
        tagging::boundary(), static_cast<int>(o) - tagging::reach,
        [&](std::uint64_t key) {
          add_row(features_.find(key), &boundary_scores_[o * tag_names_.size()]);
        });
}

// Everything that an index is read from, so that no file can make us read outside it.
void Tagger::check() const {
  const std::size_t tags = tag_names_.size(), side = tags + 1;
  require_tagger(tags <= max_tags, "too many tags");
  require_tagger(arrays_.margin.size() == 1 && arrays_.margin[0] >= 0 &&
                     arrays_.margin[0] <= max_margin,
                 "the margin is not one number in range");
  require_tagger(arrays_.bigrams.size() == side * side, "the tag bigrams do not fit the tags");
  require_tagger(arrays_.trigrams.size() == side * side * side,
                 "the tag trigrams do not fit the tags");
  const auto& bounds = arrays_.row_bounds;
  require_tagger(bounds.size() == arrays_.feature_keys.size() + 1 && bounds.front() == 0 &&
                     std::is_sorted(bounds.begin(), bounds.end()) &&
                     bounds.back() == arrays_.row_tags.size() &&
                     bounds.back() == arrays_.row_weights.size(),
                 "the rows do not fit the features");
  for (std::size_t row = 0; row + 1 < bounds.size(); ++row)
    require_tagger(bounds[row + 1] - bounds[row] <= tags,
                   "a row has more weights than there are tags");
  for (const std::uint8_t tag : arrays_.row_tags) require_tagger(tag < tags, "a weight has no tag");
}

void Tagger::add_row(std::size_t row, std::int16_t* scores) const {
  if (row == HashIndex::npos) return;
  for (std::size_t at = arrays_.row_bounds[row]; at < arrays_.row_bounds[row + 1]; ++at) {
    std::int16_t& score = scores[arrays_.row_tags[at]];
    score = static_cast<std::int16_t>(score + arrays_.row_weights[at]);
  }
}

// Adds all that is pending and forgets it. The tables do not fit the nearest cache, so each
// step of a lookup is started some features before its result is needed.
void Tagger::add_rows(std::vector<Pending>& pending) const {
  constexpr std::size_t ahead = 6;
  const std::size_t n = pending.size();
  for (std::size_t k = 0; k < n + 3 * ahead; ++k) {
    if (k < n) prefetch(features_.bucket_of(pending[k].key));
    if (k >= ahead && k - ahead < n) prefetch(features_.keys_of(pending[k - ahead].key));
    if (k >= 2 * ahead && k - 2 * ahead < n) {
      Pending& feature = pending[k - 2 * ahead];
      feature.row = features_.find(feature.key);
      if (feature.row != HashIndex::npos) {
        const std::size_t at = arrays_.row_bounds[feature.row];
        prefetch(arrays_.row_tags.data() + at);
        prefetch(arrays_.row_weights.data() + at);
      }
    }
    if (k >= 3 * ahead) add_row(pending[k - 3 * ahead].row, pending[k - 3 * ahead].scores);
  }
  pending.clear();
}

// The analysed token, and in `scores` what it says of the tags around it, by offset.
const Word& Tagger::look_up(std::string_view token, Scratch& scratch,
                            const std::int16_t** scores) const {
  const std::size_t width = offsets * tag_names_.size();
  const std::uint64_t key = hash64(token) | 1;  // 0 marks an empty slot
  const std::size_t slot = (key >> 32) % Scratch::slots;
  std::int16_t* cached = scratch.cached_scores_.data() + slot * width;
  Word& word = scratch.cached_words_[slot];
  *scores = cached;
  if (scratch.cached_keys_[slot] == key) return word;
  scratch.cached_keys_[slot] = key;
  word = tagging::analyse(token, lexicon_, scratch.buffer_);
  std::fill(cached, cached + width, std::int16_t{0});
  for (std::size_t o = 0; o < offsets; ++o)
    tagging::word_features(word, static_cast<int>(o) - tagging::reach, [&](std::uint64_t feature) {
      scratch.pending_.push_back({feature, cached + o * tag_names_.size(), 0});
    });
  add_rows(scratch.pending_);
  return word;
}

// Fills words_ and, from each word and the boundaries alone, scores_.
void Tagger::score_words(std::span<const std::string_view> tokens, Scratch& scratch) const {
  const std::size_t n = tokens.size(), tags = tag_names_.size();
  scratch.words_.resize(n);
  scratch.pointers_.resize(n);
  scratch.scores_.assign(n * tags, 0);
  const auto contribute = [&](std::ptrdiff_t at, const std::int16_t* scores) {
    for (std::size_t o = 0; o < offsets; ++o) {
      const std::ptrdiff_t seen_from = at - static_cast<std::ptrdiff_t>(o) + tagging::reach;
      if (seen_from < 0 || seen_from >= static_cast<std::ptrdiff_t>(n)) continue;
      add(scores + o * tags, &scratch.scores_[static_cast<std::size_t>(seen_from) * tags], tags);
    }
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::int16_t* scores = nullptr;
    scratch.words_[i] = look_up(tokens[i], scratch, &scores);
    scratch.pointers_[i] = &scratch.words_[i];
    contribute(static_cast<std::ptrdiff_t>(i), scores);
  }
  for (std::ptrdiff_t k = 1; k <= tagging::reach; ++k) {
    contribute(-k, boundary_scores_.data());
    contribute(static_cast<std::ptrdiff_t>(n) - 1 + k, boundary_scores_.data());
  }
}

void Tagger::tag(std::span<const std::string_view> tokens, std::uint8_t* tags,
                 Scratch& scratch) const {
  if (scratch.owner_ != id_) scratch.sentences_.assign(Scratch::sentence_slots, {});
  std::uint64_t key = tokens.size(), check = 0;
  for (const std::string_view token : tokens) {
    const std::uint64_t hash = hash64(token);
    key = mix(key + hash);
    check = (check ^ hash) * 0x9e3779b97f4a7c15u + token.size();
  }
  Scratch::Tagged& known = scratch.sentences_[key % Scratch::sentence_slots];
  if (known.key != key || known.check != check || known.tags.size() != tokens.size()) {
    known.tags.resize(tokens.size());
    find_tags(tokens, known.tags.data(), scratch);
    known.key = key;
    known.check = check;
  }
  std::ranges::copy(known.tags, tags);
}

void Tagger::find_tags(std::span<const std::string_view> tokens, std::uint8_t* tags,
                       Scratch& scratch) const {
  const std::size_t count = tag_names_.size();
  if (scratch.owner_ != id_) {
    scratch.owner_ = id_;
    scratch.cached_keys_.assign(Scratch::slots, 0);
    scratch.cached_words_.assign(Scratch::slots, Word{});
    scratch.cached_scores_.assign(Scratch::slots * offsets * count, 0);
  }
  score_words(tokens, scratch);
  const Context context = tagging::make_context(scratch.pointers_);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    tagging::context_features(context, i, [&](std::uint64_t key) {
      scratch.pending_.push_back({key, &scratch.scores_[i * count], 0});
    });
  add_rows(scratch.pending_);
  scratch.lattice_.words.resize(tokens.size());
  for (std::size_t i = 0; i < tokens.size(); ++i)
    scratch.lattice_.words[i] =
        tagging::choose(&scratch.scores_[i * count], count, arrays_.margin[0]);
  const auto transition = [&, side = count + 1](std::size_t a, std::size_t b, std::size_t c) {
    return arrays_.bigrams[b * side + c] + arrays_.trigrams[(a * side + b) * side + c];
  };
  tagging::viterbi(scratch.lattice_, transition, static_cast<std::uint8_t>(count), tags);
}

namespace {

Kept<Tagger::Scratch>& shared() {
  static auto* all = new Kept<Tagger::Scratch>;  // outlives every thread
  return *all;
}

}  // namespace

Tagger::Borrowed::Borrowed()
    : scratch_(shared().take([] { return std::make_unique<Scratch>(); })) {}

Tagger::Borrowed::~Borrowed() { shared().put(std::move(scratch_)); }

}  // namespace otherwords
