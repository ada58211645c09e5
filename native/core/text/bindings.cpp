// What Python sees of text.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "hash.hpp"
#include "signals.hpp"
#include "text/annotate.hpp"
#include "text/bindings.hpp"
#include "text/tagger_bindings.hpp"
#include "text/unicode.hpp"
#include "text/word_table.hpp"

namespace otherwords {
namespace {

std::vector<std::string_view> utf8_list(const nb::list& texts) {
  std::vector<std::string_view> views;
  views.reserve(nb::len(texts));
  for (nb::handle text : texts) views.push_back(utf8(text));
  return views;
}

// The word ids of texts, numbered as they come.
class Encoder {
 public:
  Encoder(Tokenizer tokenizer, bool keep_case) : tokenizer_(tokenizer), keep_case_(keep_case) {
    bounds_.push_back(0);
  }

  void add(std::string_view text) {
    tokenize(text, tokenizer_, spans_);
    for (const Span span : spans_) {
      std::string_view word = text.substr(span.begin, span.end - span.begin);
      if (!keep_case_) {
        lower_into(word, lower_);
        word = lower_;
      }
      tokens_.push_back(words_.add(word));
    }
    bounds_.push_back(static_cast<std::int64_t>(tokens_.size()));
  }

  nb::tuple result() && {
    nb::list out;
    for (std::size_t w = 0; w < words_.size(); ++w)
      out.append(nb::str(words_[w].data(), words_[w].size()));
    return nb::make_tuple(to_numpy(std::move(tokens_)), to_numpy(std::move(bounds_)), out);
  }

 private:
  Tokenizer tokenizer_;
  bool keep_case_;
  std::vector<Span> spans_;
  std::string lower_;
  WordTable words_;
  Buffer<std::uint32_t> tokens_;
  Buffer<std::int64_t> bounds_;
};

nb::tuple encode(const nb::list& texts, std::string_view tokenizer, bool keep_case) {
  Encoder encoder(tokenizer_named(tokenizer), keep_case);
  SignalCheck interrupt;
  for (nb::handle text : texts) {
    interrupt();
    encoder.add(utf8(text));
  }
  return std::move(encoder).result();
}

nb::object hash_words(const nb::list& words) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(nb::len(words));
  for (nb::handle word : words) hashes.push_back(hash64(utf8(word)));
  return to_numpy(std::move(hashes));
}

nb::list token_spans(nb::str text, std::string_view tokenizer) {
  const std::string_view bytes = utf8(text);
  std::vector<Span> spans;
  tokenize(bytes, tokenizer_named(tokenizer), spans);
  nb::list out;
  std::size_t byte = 0, point = 0;
  const auto point_at = [&](std::size_t target) {
    for (; byte < target; ++byte) point += (static_cast<unsigned char>(bytes[byte]) & 0xc0) != 0x80;
    return point;
  };
  for (const Span span : spans) {
    const std::size_t begin = point_at(span.begin);
    out.append(nb::make_tuple(begin, point_at(span.end)));
  }
  return out;
}

nb::list lemmatize(const BoundLexicon& self, const nb::list& words, const nb::list& tags,
                   bool keep_case) {
  nb::list out;
  std::string lower, lemma;
  for (std::size_t i = 0; i < nb::len(words); ++i) {
    const std::string_view word = utf8(words[i]);
    lower_into(word, lower);
    self.lexicon.lemmatize(lower, Inflection::of_tag(utf8(tags[i])), lemma);
    if (keep_case) restore_case(word, lemma);
    out.append(nb::str(lemma.data(), lemma.size()));
  }
  return out;
}

// For pairs of two vocabularies, by id: 1 where the words share a synonym or are the same.
nb::object synonym_mask(const BoundLexicon& self, const nb::list& left, const nb::list& right,
                        Column<std::uint32_t> lefts, Column<std::uint32_t> rights) {
  const auto places = [&](const nb::list& words) {
    std::vector<std::size_t> out;
    for (nb::handle word : words) out.push_back(self.lexicon.find(hash64(utf8(word))));
    return out;
  };
  const std::vector<std::size_t> one = places(left), other = places(right);
  const auto a = view(lefts), b = view(rights);
  if (a.size() != b.size()) throw std::invalid_argument("columns of different lengths");
  std::vector<std::uint8_t> out(a.size());
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::size_t x = one.at(a[k]), y = other.at(b[k]);
    out[k] = x != HashIndex::npos && y != HashIndex::npos && self.lexicon.share_synonym(x, y);
  }
  return to_numpy(std::move(out));
}

bool synonyms(const BoundLexicon& self, std::string_view a, std::string_view b) {
  if (a == b) return true;
  const std::size_t left = self.lexicon.find(hash64(a)), right = self.lexicon.find(hash64(b));
  return left != HashIndex::npos && right != HashIndex::npos &&
         self.lexicon.share_synonym(left, right);
}

std::string lower(std::string_view text) {
  std::string out;
  lower_into(text, out);
  return out;
}

Columns annotate_texts(const nb::list& texts, const BoundTagger& tagger,
                       const BoundLexicon& lexicon, std::string_view tokenizer, bool keep_case,
                       unsigned threads) {
  const std::vector<std::string_view> views = utf8_list(texts);
  const AnnotateOptions options{tokenizer_named(tokenizer), keep_case, threads};
  nb::gil_scoped_release release;
  return annotate(views, tagger.tagger(), lexicon.lexicon, options);
}

// Columns of sentences that Python knows the layers of, each a list over all tokens.
Columns pack(const std::vector<std::int64_t>& lengths, const nb::list& tags,
             const nb::list& lemmas, const std::vector<std::uint8_t>& words,
             const std::vector<std::int32_t>& heads, const nb::list& relations) {
  Columns columns;
  for (std::int64_t length : lengths) columns.bounds.push_back(columns.bounds.back() + length);
  for (nb::handle tag : tags) columns.tags.push_back(static_cast<std::uint32_t>(hash64(utf8(tag))));
  std::string folded;
  for (nb::handle lemma : lemmas) {
    columns.lemmas.push_back(hash64(utf8(lemma)));
    lower_into(utf8(lemma), folded);
    columns.folded.push_back(hash64(folded));
  }
  columns.words = words;
  columns.heads = heads;
  for (nb::handle relation : relations)
    columns.relations.push_back(static_cast<std::uint32_t>(hash64(utf8(relation))));
  columns.check();
  return columns;
}

}  // namespace

void bind_text(nb::module_& m) {
  using namespace nb::literals;
  m.def("hash_words", &hash_words, "words"_a, "The 64-bit hash of each word.");
  m.def("lower", &lower, "text"_a, "Lower case, the same for every locale.");
  m.def("has_alphanumeric", [](std::string_view text) { return has_alphanumeric(text); }, "text"_a);
  m.def("length_in_words", [](nb::str text) { return length_in_words(utf8(text)); }, "text"_a,
        "Words, or characters where spaces do not separate words.");
  m.def("encode", &encode, "texts"_a, "tokenizer"_a, "keep_case"_a,
        "Word ids of the texts, bounds of the sentences, the words.");
  m.def("token_spans", &token_spans, "text"_a, "tokenizer"_a,
        "Character offsets of the tokens of a text.");
  nb::class_<BoundLexicon>(m, "Lexicon")
      .def(nb::init<const nb::dict&>(), "arrays"_a)
      .def("lemmatize", &lemmatize, "words"_a, "tags"_a, "keep_case"_a)
      .def("synonym_mask", &synonym_mask, "left"_a, "right"_a, "lefts"_a, "rights"_a)
      .def("synonyms", &synonyms, "a"_a, "b"_a)
      .def("__contains__", [](const BoundLexicon& self, std::string_view lemma) {
        return self.lexicon.find(hash64(lemma)) != HashIndex::npos;
      });
  nb::class_<Columns>(m, "Columns")
      .def_prop_ro("sentences", &Columns::sentences)
      .def_prop_ro("tokens", [](const Columns& self) { return self.tags.size(); });
  m.def("annotate", &annotate_texts, "texts"_a, "tagger"_a, "lexicon"_a, "tokenizer"_a,
        "keep_case"_a, "threads"_a, "The texts as columns.");
  m.def("pack", &pack, "lengths"_a, "tags"_a, "lemmas"_a, "words"_a, "heads"_a, "relations"_a,
        "Sentences whose tags and lemmas are known as columns.");
}

}  // namespace otherwords
