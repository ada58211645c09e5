// Kernels together with the arrays of the model file that they look into.
#pragma once

#include "arrays.hpp"
#include "text/lexicon.hpp"
#include "text/tagger.hpp"

namespace otherwords {

struct BoundLexicon {
  explicit BoundLexicon(const nb::dict& arrays)
      : owner(arrays.values()),
        lexicon({column<std::uint64_t>(arrays, "words"),
                 column<std::uint32_t>(arrays, "word_buckets"),
                 column<std::uint8_t>(arrays, "classes"),
                 column<std::uint32_t>(arrays, "synonym_bounds"),
                 column<std::uint32_t>(arrays, "synonyms"),
                 column<std::uint64_t>(arrays, "exceptions"),
                 column<std::uint32_t>(arrays, "exception_buckets"),
                 column<std::uint32_t>(arrays, "exception_bounds"),
                 column<std::uint8_t>(arrays, "lemmas")}) {}

  nb::list owner;  // keeps the mapped file open
  Lexicon lexicon;
};

// The tagger as Python holds it. A kernel that is bound elsewhere takes a `const BoundTagger&`
// from Python and calls `tagger()`.

// Sentences end to end, as views into the Python strings that hold them.
struct Tokens {
  std::vector<std::string_view> words;
  std::vector<std::size_t> bounds{0};

  explicit Tokens(const nb::list& sentences) {
    for (nb::handle sentence : sentences) {
      for (nb::handle token : nb::cast<nb::list>(sentence)) words.push_back(utf8(token));
      bounds.push_back(words.size());
    }
  }
  std::size_t size() const { return bounds.size() - 1; }
  std::span<const std::string_view> sentence(std::size_t s) const {
    return {words.data() + bounds[s], words.data() + bounds[s + 1]};
  }
};

inline void require_fit(const Tokens& words, const Tokens& tags) {
  if (words.bounds != tags.bounds) throw std::invalid_argument("words and tags do not fit");
}

inline tagging::LexiconArrays lexicon_arrays(const nb::dict& from) {
  return {.word_keys = column<std::uint64_t>(from, "word_keys"),
          .word_buckets = column<std::uint32_t>(from, "word_buckets"),
          .word_clusters = column<std::uint16_t>(from, "word_clusters"),
          .coarser_clusters = column<std::uint16_t>(from, "coarser_clusters"),
          .word_capitals = column<std::uint8_t>(from, "word_capitals"),
          .word_senses = column<std::uint8_t>(from, "word_senses")};
}

// A tagger and the Python arrays that it looks at.
class BoundTagger {
 public:
  explicit BoundTagger(const nb::dict& arrays);

  nb::list tag(const nb::list& sentences, unsigned threads) const;
  nb::object tag_codes(const nb::list& sentences, unsigned threads) const;
  nb::list tag_texts(const nb::list& texts, std::string_view tokenizer, std::string_view before_tag,
                     std::string_view after_tag, unsigned threads) const;
  nb::list tag_names() const;
  const Tagger& tagger() const { return tagger_; }

 private:
  std::vector<std::uint8_t> codes(const Tokens& tokens, unsigned threads) const;

  nb::dict owned_;
  Tagger tagger_;
  nb::list names_;  // the tags as Python strings, made once
};

}  // namespace otherwords
