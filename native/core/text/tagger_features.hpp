// What the tagger looks at. Training, tagging and the clusters all go through this file, so
// that a feature can not mean one thing in one place and another elsewhere.
//
// Features come in two kinds, by what they depend on:
//   word features     one word, seen from a neighbouring position (cached by the tagger);
//   context features  several words, or a word and the case of its sentence.
// Each is a 64-bit hash. Features that join words with the tag before were tried and do not
// help: the tag trigrams say it all.
#pragma once

#include "hash.hpp"

namespace otherwords::tagging {

constexpr std::size_t max_prefix = 4;
constexpr std::size_t max_suffix = 5;
constexpr std::size_t cluster_levels = 3;  // fine, middle, coarse
constexpr int reach = 2;                   // how many words to each side are looked at

// How a sentence uses capitals: what a capital says of a word depends on it.
enum class Casing : std::uint8_t { mixed, lower, upper, title };

// What raw text taught about a word, from how it is used there, and what WordNet knows of it.
struct Usage {
  std::array<std::uint16_t, cluster_levels> cluster;
  std::uint8_t capitals;   // how often it has a capital inside a sentence, in steps
  std::uint8_t senses;     // which forms of which parts of speech it can be, as bits
};

// A word as the features see it. Hashes of absent parts are 0.
struct Word {
  std::uint64_t cased = 0;   // the form, digits made equal
  std::uint64_t folded = 0;  // the same in lower case
  std::uint64_t tail = 0;    // what follows the last hyphen, in lower case
  std::uint64_t shape = 0;   // "Xx-d": classes of characters, runs shortened
  std::array<std::uint64_t, max_prefix> prefix{};
  std::array<std::uint64_t, max_suffix> suffix{};
  Usage usage{};
  bool has_upper = false, has_lower = false, starts_upper = false;
};

// What stands beyond both ends of the sentence.
const Word& boundary();

struct LexiconArrays {
  std::span<const std::uint64_t> word_keys;
  std::span<const std::uint32_t> word_buckets;
  std::span<const std::uint16_t> word_clusters;     // fine class of each word
  std::span<const std::uint16_t> coarser_clusters;  // per further level, of each fine class
  std::span<const std::uint8_t> word_capitals;
  std::span<const std::uint8_t> word_senses;
};

// Folded word -> its usage.
class Lexicon {
 public:
  // Throws std::invalid_argument unless the arrays fit each other.
  explicit Lexicon(const LexiconArrays& arrays);

  Usage of(std::uint64_t folded) const {
    const std::size_t at = index_.find(folded);
    if (at == HashIndex::npos) return unknown;
    const std::uint16_t fine = arrays_.word_clusters[at];
    return {{fine, arrays_.coarser_clusters[fine], arrays_.coarser_clusters[fine_classes_ + fine]},
            arrays_.word_capitals[at], arrays_.word_senses[at]};
  }

  static constexpr Usage unknown{{0xffff, 0xffff, 0xffff}, 0xff, 0xff};

 private:
  LexiconArrays arrays_;
  HashIndex index_;
  std::size_t fine_classes_ = 0;
};

// The key of a word in the lexicon: its hash in lower case, digits made equal.
std::uint64_t fold(std::string_view form);

// `buffer` is scratch space.
Word analyse(std::string_view form, const Lexicon& lexicon, std::string& buffer);

// Templates of features. The numbers are part of the model format.
enum class Template : std::uint64_t {
  // of one word, by its position
  folded = 1,
  fine_cluster,
  middle_cluster,
  coarse_cluster,
  neighbour_suffix,
  neighbour_shape,
  // of the word itself
  cased,
  shape,
  capitals_shape,
  tail,
  prefix,
  suffix,
  // of the word in its context
  place_shape,
  place_shape_cluster,
  place_shape_capitals,
  bigram_before,
  bigram_after,
  word_cluster_before,
  word_cluster_after,
  cluster_trigram,
  suffix_cluster_before,
  suffix_cluster_after,
  clusters_around,
  // of one word, by its position
  senses,
  // of the word itself
  senses_suffix,
};

// A template with its variant: a position, or the length of an affix.
constexpr std::uint64_t seed(Template which, std::size_t variant = 0) {
  return (static_cast<std::uint64_t>(which) * 8 + variant) * 0x9e3779b97f4a7c15ULL;
}

// The key of a feature: its template and one to three values.
constexpr std::uint64_t feature(std::uint64_t seed, std::uint64_t a) { return mix(seed + a); }
constexpr std::uint64_t feature(std::uint64_t seed, std::uint64_t a, std::uint64_t b) {
  return mix(feature(seed, a) + b);
}
constexpr std::uint64_t feature(std::uint64_t seed, std::uint64_t a, std::uint64_t b,
                                std::uint64_t c) {
  return mix(feature(seed, a, b) + c);
}

// Calls emit(key) for each feature of a word seen from `offset` words before it.
template <typename Emit>
void word_features(const Word& word, int offset, Emit emit) {
  const auto position = static_cast<std::size_t>(offset + reach);
  emit(feature(seed(Template::folded, position), word.folded));
  emit(feature(seed(Template::fine_cluster, position), word.usage.cluster[0]));
  emit(feature(seed(Template::middle_cluster, position), word.usage.cluster[1]));
  emit(feature(seed(Template::coarse_cluster, position), word.usage.cluster[2]));
  if (offset >= -1 && offset <= 1)
    emit(feature(seed(Template::senses, position), word.usage.senses));
  if (offset == -1 || offset == 1) {
    emit(feature(seed(Template::neighbour_suffix, position), word.suffix[2]));
    emit(feature(seed(Template::neighbour_shape, position), word.shape));
  }
  if (offset != 0) return;
  emit(feature(seed(Template::cased), word.cased));
  emit(feature(seed(Template::shape), word.shape));
  emit(feature(seed(Template::capitals_shape), word.usage.capitals, word.shape));
  emit(feature(seed(Template::senses_suffix), word.usage.senses, word.suffix[1]));
  if (word.tail) emit(feature(seed(Template::tail), word.tail));
  for (std::size_t k = 0; k < max_prefix && word.prefix[k]; ++k)
    emit(feature(seed(Template::prefix, k), word.prefix[k]));
  for (std::size_t k = 0; k < max_suffix && word.suffix[k]; ++k)
    emit(feature(seed(Template::suffix, k), word.suffix[k]));
}

// A sentence as the features see it; positions outside it are the boundary.
struct Context {
  std::span<const Word* const> words;
  Casing casing = Casing::mixed;
  std::size_t first = 0;  // position of the first word with letters

  const Word& at(std::size_t i, int offset) const {
    const std::size_t j = i + static_cast<std::size_t>(static_cast<std::ptrdiff_t>(offset));
    return j < words.size() ? *words[j] : boundary();
  }
};

// The words must outlive the context.
Context make_context(std::span<const Word* const> words);

// Calls emit(key) for each feature that joins the words around position i.
template <typename Emit>
void context_features(const Context& context, std::size_t i, Emit emit) {
  const Word& word = context.at(i, 0);
  const Word& before = context.at(i, -1);
  const Word& after = context.at(i, 1);
  const std::uint64_t place = static_cast<std::uint64_t>(context.casing) * 2 + (i == context.first);
  const Usage &use = word.usage, &use_before = before.usage, &use_after = after.usage;
  emit(feature(seed(Template::place_shape), place, word.shape));
  emit(feature(seed(Template::place_shape_cluster), place, word.shape, use.cluster[0]));
  emit(feature(seed(Template::place_shape_capitals), place, word.shape, use.capitals));
  emit(feature(seed(Template::bigram_before), before.folded, word.folded));
  emit(feature(seed(Template::bigram_after), word.folded, after.folded));
  emit(feature(seed(Template::word_cluster_before), word.folded, use_before.cluster[0]));
  emit(feature(seed(Template::word_cluster_after), word.folded, use_after.cluster[0]));
  emit(feature(seed(Template::cluster_trigram), use_before.cluster[1], use.cluster[1],
               use_after.cluster[1]));
  emit(feature(seed(Template::suffix_cluster_before), word.suffix[2], use_before.cluster[1]));
  emit(feature(seed(Template::suffix_cluster_after), word.suffix[2], use_after.cluster[1]));
  emit(feature(seed(Template::clusters_around), use_before.cluster[1], use_after.cluster[1]));
}

}  // namespace otherwords::tagging
