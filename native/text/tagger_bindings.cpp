// What otherwords.text.tagger and the training tool see of the native tagger.
#include "text/tagger_bindings.hpp"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "parallel.hpp"
#include "text/tagger_training.hpp"
#include "text/tokenizer.hpp"
#include "text/word_clusters.hpp"
#include "text/training_options.hpp"

namespace otherwords {
namespace {

tagging::LexiconArrays lexicon_arrays(const nb::dict& from) {
  return {.word_keys = column<std::uint64_t>(from, "word_keys"),
          .word_buckets = column<std::uint32_t>(from, "word_buckets"),
          .word_clusters = column<std::uint16_t>(from, "word_clusters"),
          .coarser_clusters = column<std::uint16_t>(from, "coarser_clusters"),
          .word_capitals = column<std::uint8_t>(from, "word_capitals"),
          .word_senses = column<std::uint8_t>(from, "word_senses")};
}

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

constexpr NamedOption<tagging::TrainingOptions> tagger_options[] = {
    {"epochs", &tagging::TrainingOptions::epochs},
    {"runs", &tagging::TrainingOptions::runs},
    {"cutoff", &tagging::TrainingOptions::cutoff},
    {"loss", &tagging::TrainingOptions::loss},
    {"dropout", &tagging::TrainingOptions::dropout},
    {"resolution", &tagging::TrainingOptions::resolution},
    {"least", &tagging::TrainingOptions::least},
    {"least_best", &tagging::TrainingOptions::least_best},
};

nb::dict train_tagger(const nb::list& sentences, const Column<std::uint8_t>& tags,
                      std::size_t tag_count, const nb::dict& lexicon, const nb::kwargs& given) {
  const Tokens tokens(sentences);
  const tagging::Lexicon known(lexicon_arrays(lexicon));
  const auto options = training_options<tagging::TrainingOptions>(given, tagger_options, "tagger");
  tagging::TrainedWeights weights;
  {
    nb::gil_scoped_release release;
    weights = tagging::train({tokens.words, view(tags), tokens.bounds, tag_count}, known, options);
  }
  nb::dict arrays;
  arrays["feature_buckets"] = to_numpy(tagging::bucket_bounds(weights.keys));
  arrays["feature_keys"] = to_numpy(std::move(weights.keys));
  arrays["row_bounds"] = to_numpy(std::move(weights.row_bounds));
  arrays["row_tags"] = to_numpy(std::move(weights.row_tags));
  arrays["row_weights"] = to_numpy(std::move(weights.row_weights));
  arrays["bigrams"] = to_numpy(std::move(weights.bigrams));
  arrays["trigrams"] = to_numpy(std::move(weights.trigrams));
  return arrays;
}

// The keys under which the tagger's clusters know the words.
nb::object folded_word_keys(const nb::list& words) {
  std::vector<std::uint64_t> keys;
  for (nb::handle word : words) keys.push_back(tagging::fold(utf8(word)));
  return to_numpy(std::move(keys));
}

nb::tuple cluster_text(const Column<std::uint32_t>& text, std::size_t vocabulary, unsigned classes,
                       const std::vector<unsigned>& levels, unsigned iterations) {
  WordClusters clusters;
  {
    nb::gil_scoped_release release;
    clusters = cluster_words(view(text), vocabulary, {classes, iterations, levels});
  }
  std::vector<std::uint16_t> coarser;
  for (const auto& level : clusters.coarser) coarser.insert(coarser.end(), level.begin(), level.end());
  return nb::make_tuple(to_numpy(std::move(clusters.word_class)), to_numpy(std::move(coarser)));
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
  m.def("train_tagger", &train_tagger, nb::arg("sentences"), nb::arg("tags"), nb::arg("tag_count"),
        nb::arg("lexicon"), nb::arg("options"),
        "The weight arrays of a tagger trained on sentences and their tags, end to end.\n"
        "The options are those of TrainingOptions in native/text/tagger_training.hpp.");
  m.def("folded_word_keys", &folded_word_keys, nb::arg("words"),
        "The hash of each word in lower case, digits made equal.");
  m.def("cluster_words", &cluster_text, nb::arg("text"), nb::arg("vocabulary"), nb::kw_only(),
        nb::arg("classes"), nb::arg("levels"), nb::arg("iterations"),
        "The class of each word, and for each coarser level the class of each class.");
}

}  // namespace otherwords
