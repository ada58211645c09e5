// The Penn part-of-speech tagger: sparse integer weights over hashed features, decoded with
// `viterbi`. The class looks at the arrays of a mapped model file and copies none of them.
#pragma once

#include "hash.hpp"
#include "text/tagger_decoding.hpp"
#include "text/tagger_features.hpp"

namespace otherwords {

// The arrays of a tagger model, as they are named in the file.
struct TaggerArrays {
  std::span<const std::uint8_t> tag_names;  // separated by newlines
  std::span<const std::uint64_t> feature_keys;
  std::span<const std::uint32_t> feature_buckets;
  std::span<const std::uint32_t> row_bounds;  // feature i has the weights bounds[i] .. bounds[i+1]
  std::span<const std::uint8_t> row_tags;
  std::span<const std::int8_t> row_weights;
  std::span<const std::int16_t> bigrams;   // (tags + 1)^2, the last tag is the boundary
  std::span<const std::int16_t> trigrams;  // (tags + 1)^3
  std::span<const std::int32_t> margin;  // one number: how far below the best a candidate may be
  tagging::LexiconArrays lexicon;
};

class Tagger {
 public:
  class Scratch;
  class Borrowed;

  // Throws std::invalid_argument unless the arrays fit each other.
  explicit Tagger(const TaggerArrays& arrays);

  // Writes tokens.size() tags, as positions in `tag_names`. The result depends on nothing but
  // the tokens; a scratch serves one thread at a time.
  void tag(std::span<const std::string_view> tokens, std::uint8_t* tags, Scratch& scratch) const;

  const std::vector<std::string>& tag_names() const { return tag_names_; }
  const tagging::Lexicon& lexicon() const { return lexicon_; }

 private:
  void check() const;
  // A feature whose weights are to be added to the scores of all tags at some position.
  struct Pending {
    std::uint64_t key;
    std::int16_t* scores;
    std::size_t row;
  };

  void find_tags(std::span<const std::string_view> tokens, std::uint8_t* tags,
                 Scratch& scratch) const;
  void add_row(std::size_t row, std::int16_t* scores) const;
  void add_rows(std::vector<Pending>& pending) const;
  const tagging::Word& look_up(std::string_view token, Scratch& scratch,
                               const std::int16_t** scores) const;
  void score_words(std::span<const std::string_view> tokens, Scratch& scratch) const;

  std::uint64_t id_;  // never given twice, unlike an address
  TaggerArrays arrays_;
  std::vector<std::string> tag_names_;
  HashIndex features_;
  tagging::Lexicon lexicon_;
  std::vector<std::int16_t> boundary_scores_;
};

// Reusable space of one thread. It remembers what recent words contribute, since the words
// of a text repeat: a lookup then replaces some forty. It remembers the tags of recent sentences too,
// which several parts of a metric ask for.
class Tagger::Scratch {
 public:
  Scratch() = default;

 private:
  friend class Tagger;

  static constexpr std::size_t slots = 8192, sentence_slots = 16384;
  struct Tagged {
    std::uint64_t key = 0, check = 0;  // of all tokens
    std::vector<std::uint8_t> tags;
  };

  std::uint64_t owner_ = 0;  // id of the tagger whose words the cache holds
  std::vector<std::uint64_t> cached_keys_;
  std::vector<tagging::Word> cached_words_;
  std::vector<std::int16_t> cached_scores_;  // slot, offset, tag
  std::vector<Tagged> sentences_;
  std::vector<tagging::Word> words_;
  std::vector<const tagging::Word*> pointers_;
  std::vector<std::int16_t> scores_;  // position, tag
  std::vector<Pending> pending_;
  tagging::Lattice lattice_;
  std::string buffer_;
};

// A scratch out of those that all kernels share, for as long as this lives: threads come and go, and what
// one of them has learnt serves the next.
class Tagger::Borrowed {
 public:
  Borrowed();
  ~Borrowed();
  Borrowed(const Borrowed&) = delete;
  Borrowed& operator=(const Borrowed&) = delete;
  Scratch& operator*() const { return *scratch_; }

 private:
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace otherwords
