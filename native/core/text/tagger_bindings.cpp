// What Python sees of the tagger.
#include "text/tagger_bindings.hpp"

#include <nanobind/stl/string_view.h>

#include <string>

#include "parallel.hpp"
#include "text/tokenizer.hpp"

namespace otherwords {
namespace {

TaggerArrays tagger_arrays(const nb::dict& from) {
  return {.tag_names = column<std::uint8_t>(from, "tag_names"),
          .feature_keys = column<std::uint64_t>(from, "feature_keys"),
          .feature_buckets = column<std::uint32_t>(from, "feature_buckets"),
          .row_bounds = column<std::uint32_t>(from, "row_bounds"),
          .row_tags = column<std::uint8_t>(from, "row_tags"),
          .row_weights = column<std::int8_t>(from, "row_weights"),
          .bigrams = column<std::int16_t>(from, "bigrams"),
          .trigrams = column<std::int16_t>(from, "trigrams"),
          .margin = column<std::int32_t>(from, "margin"),
          .lexicon = lexicon_arrays(from)};
}

}  // namespace

BoundTagger::BoundTagger(const nb::dict& arrays)
    : owned_(nb::cast<nb::dict>(arrays.attr("copy")())), tagger_(tagger_arrays(owned_)) {
  for (const std::string& name : tagger_.tag_names())
    names_.append(nb::str(name.data(), name.size()));
}

std::vector<std::uint8_t> BoundTagger::codes(const Tokens& tokens, unsigned threads) const {
  std::vector<std::uint8_t> tags(tokens.words.size());
  nb::gil_scoped_release release;
  parallel_blocks(tokens.size(), threads, 256, [&](std::size_t begin, std::size_t end) {
    const Tagger::Borrowed scratch;
    for (std::size_t s = begin; s < end; ++s)
      tagger_.tag(tokens.sentence(s), tags.data() + tokens.bounds[s], *scratch);
  });
  return tags;
}

nb::object BoundTagger::tag_codes(const nb::list& sentences, unsigned threads) const {
  return to_numpy(codes(Tokens(sentences), threads));
}

nb::list BoundTagger::tag(const nb::list& sentences, unsigned threads) const {
  const Tokens tokens(sentences);
  const std::vector<std::uint8_t> tags = codes(tokens, threads);
  nb::list result;
  for (std::size_t s = 0; s < tokens.size(); ++s) {
    nb::list row;
    for (std::size_t i = tokens.bounds[s]; i < tokens.bounds[s + 1]; ++i)
      row.append(names_[tags[i]]);
    result.append(row);
  }
  return result;
}

nb::list BoundTagger::tag_texts(const nb::list& texts, std::string_view tokenizer,
                                std::string_view before_tag, std::string_view after_tag,
                                unsigned threads) const {
  const Tokenizer chosen = tokenizer_named(tokenizer);
  std::vector<std::string_view> views;
  for (nb::handle text : texts) views.push_back(utf8(text));
  std::vector<std::string> lines(views.size());
  {
    nb::gil_scoped_release release;
    parallel_blocks(views.size(), threads, 256, [&](std::size_t begin, std::size_t end) {
      const Tagger::Borrowed scratch;
      std::vector<Span> spans;
      std::vector<std::string_view> tokens;
      std::vector<std::uint8_t> tags;
      for (std::size_t t = begin; t < end; ++t) {
        tokenize(views[t], chosen, spans);
        tokens.clear();
        for (const Span span : spans)
          tokens.push_back(views[t].substr(span.begin, span.end - span.begin));
        tags.resize(tokens.size());
        tagger_.tag(tokens, tags.data(), *scratch);
        for (std::size_t i = 0; i < tokens.size(); ++i)
          lines[t].append(tokens[i]).append(before_tag).append(tagger_.tag_names()[tags[i]]).append(after_tag);
      }
    });
  }
  nb::list result;
  for (const std::string& line : lines) result.append(nb::str(line.data(), line.size()));
  return result;
}

nb::list BoundTagger::tag_names() const { return nb::cast<nb::list>(names_.attr("copy")()); }

void bind_tagger(nb::module_& m) {
  nb::class_<BoundTagger>(m, "Tagger", "The Penn tagger over the arrays of a model.")
      .def(nb::init<const nb::dict&>(), nb::arg("arrays"))
      .def("tag", &BoundTagger::tag, nb::arg("sentences"), nb::arg("threads") = 1,
           "The tags of each sentence, given as a list of tokens.")
      .def("tag_codes", &BoundTagger::tag_codes, nb::arg("sentences"), nb::arg("threads") = 1,
           "The tags of all tokens, end to end, as positions in `tag_names`.")
      .def("tag_texts", &BoundTagger::tag_texts, nb::arg("texts"), nb::arg("tokenizer"),
           nb::arg("before_tag"), nb::arg("after_tag"), nb::arg("threads") = 1,
           "Each text as its tokens with their tags, in one string.")
      .def_prop_ro("tag_names", &BoundTagger::tag_names);
}

}  // namespace otherwords
