// What Python sees of the trainers of the tagger and the parser, and of word clusters.
#include "arrays.hpp"
#include "text/bindings.hpp"
#include "training/parser.hpp"
#include "training/tagger.hpp"
#include "training/word_clusters.hpp"

namespace otherwords {
namespace {

constexpr std::pair<std::string_view, unsigned TrainingOptions::*> named_options[] = {
    {"epochs", &TrainingOptions::epochs},
    {"runs", &TrainingOptions::runs},
    {"cutoff", &TrainingOptions::cutoff},
    {"loss", &TrainingOptions::loss},
    {"dropout", &TrainingOptions::dropout},
    {"resolution", &TrainingOptions::resolution},
    {"least", &TrainingOptions::least},
    {"least_best", &TrainingOptions::least_best},
    {"most_bytes", &TrainingOptions::most_bytes},  // of the parser only
};

// `trained` names itself where an option is not known; its first `count` options are.
TrainingOptions training_options(const nb::kwargs& given, TrainingOptions options,
                                 std::size_t count, const std::string& trained) {
  const auto named = std::span(named_options).first(count);
  for (const auto& [name, value] : given) {
    const std::string_view key = utf8(name);
    if (key == "seed") {
      options.seed = nb::cast<std::uint64_t>(value);
      continue;
    }
    const auto known = std::ranges::find(named, key, [](const auto& option) { return option.first; });
    if (known == named.end())
      throw nb::value_error((trained + " training: no option " + std::string(key)).c_str());
    options.*known->second = nb::cast<unsigned>(value);
  }
  return options;
}

nb::dict train_tagger(const nb::list& sentences, const Column<std::uint8_t>& tags,
                      std::size_t tag_count, const nb::dict& lexicon, const nb::kwargs& given) {
  const Tokens tokens(sentences);
  const tagging::Lexicon known(lexicon_arrays(lexicon));
  const TrainingOptions defaults{.loss = 15, .dropout = 30, .resolution = 3, .least_best = 8};
  const TrainingOptions options = training_options(given, defaults, 8, "tagger");
  tagging::TrainedWeights weights = without_gil([&] {
    return tagging::train({tokens.words, view(tags), tokens.bounds, tag_count}, known, options);
  });
  nb::dict arrays;
  arrays["feature_buckets"] = to_numpy(bucket_bounds(weights.keys));
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
  WordClusters clusters = without_gil([&] {
    return cluster_words(view(text), vocabulary, {classes, iterations, levels});
  });
  std::vector<std::uint16_t> coarser;
  for (const auto& level : clusters.coarser) coarser.insert(coarser.end(), level.begin(), level.end());
  return numpy_tuple(std::move(clusters.word_class), std::move(coarser));
}

// `nodes` are begin, end, split and label of all nodes, one after the other.
std::vector<parsing::Node> nodes_of(const Column<std::int32_t>& flat) {
  const auto numbers = view(flat);
  if (numbers.size() % 4) throw std::invalid_argument("a node is four numbers");
  std::vector<parsing::Node> nodes;
  for (std::size_t i = 0; i < numbers.size(); i += 4) {
    for (std::size_t k = 0; k < 4; ++k)
      if (numbers[i + k] < 0) throw std::invalid_argument("a node has a negative number");
    if (numbers[i + 3] > 255) throw std::invalid_argument("a node has no such label");
    nodes.push_back({static_cast<std::uint32_t>(numbers[i]),
                     static_cast<std::uint32_t>(numbers[i + 1]),
                     static_cast<std::uint32_t>(numbers[i + 2]),
                     static_cast<std::uint8_t>(numbers[i + 3])});
  }
  return nodes;
}

nb::dict train_parser(const nb::list& sentences, const nb::list& tags,
                      const Column<std::int32_t>& nodes, std::vector<std::string> label_names,
                      std::vector<std::string> tag_names, const BoundTagger& tagger,
                      const nb::kwargs& given) {
  const Tokens words(sentences), tokens_tags(tags);
  require_fit(words, tokens_tags);
  const TrainingOptions options = training_options(given, {}, 9, "parser");
  const std::vector<parsing::Node> gold = nodes_of(nodes);
  parsing::TrainedParser trained = without_gil([&] {
    return parsing::train({words.words, tokens_tags.words, words.bounds, gold,
                           std::move(label_names), std::move(tag_names)},
                          tagger.tagger().lexicon(), options);
  });
  nb::dict arrays;
  arrays["feature_buckets"] = to_numpy(std::move(trained.feature_buckets));
  arrays["features"] = to_numpy(std::move(trained.features));
  arrays["rows"] = to_numpy(std::move(trained.rows));
  arrays["left_rules"] = to_numpy(std::move(trained.left_rules));
  arrays["right_rules"] = to_numpy(std::move(trained.right_rules));
  return arrays;
}

}  // namespace

void bind_training(nb::module_& m) {
  m.def("train_tagger", &train_tagger, nb::arg("sentences"), nb::arg("tags"), nb::arg("tag_count"),
        nb::arg("lexicon"), nb::arg("options"),
        "The weight arrays of a tagger trained on sentences and their tags, end to end.\n"
        "The options are those of TrainingOptions in native/build/training/perceptron.hpp.");
  m.def("folded_word_keys", &folded_word_keys, nb::arg("words"),
        "The hash of each word in lower case, digits made equal.");
  m.def("cluster_words", &cluster_text, nb::arg("text"), nb::arg("vocabulary"), nb::kw_only(),
        nb::arg("classes"), nb::arg("levels"), nb::arg("iterations"),
        "The class of each word, and for each coarser level the class of each class.");
  m.def("train_parser", &train_parser, nb::arg("sentences"), nb::arg("tags"), nb::arg("nodes"),
        nb::arg("label_names"), nb::arg("tag_names"), nb::arg("tagger"), nb::arg("options"),
        "The weight arrays of a parser trained on the nodes of binary trees.\n"
        "The options are those of TrainingOptions in native/build/training/perceptron.hpp.");
}

}  // namespace otherwords
