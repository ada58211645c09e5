// What otherwords.text.parser and the training tool see of the native parser.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "parallel.hpp"
#include "text/parser.hpp"
#include "text/parser_training.hpp"
#include "text/tagger_bindings.hpp"
#include "text/training_options.hpp"

namespace otherwords {
namespace {

ParserArrays parser_arrays(const nb::dict& from) {
  return {.label_names = column<std::uint8_t>(from, "label_names"),
          .tag_names = column<std::uint8_t>(from, "tag_names"),
          .feature_buckets = column<std::uint32_t>(from, "feature_buckets"),
          .features = column<std::uint32_t>(from, "features"),
          .rows = column<std::uint16_t>(from, "rows"),
          .left_rules = column<std::int16_t>(from, "left_rules"),
          .right_rules = column<std::int16_t>(from, "right_rules"),
          .beam = column<std::int32_t>(from, "beam")};
}

void require_fit(const Tokens& words, const Tokens& tags) {
  if (words.bounds != tags.bounds) throw std::invalid_argument("words and tags do not fit");
}

// A parser, the Python arrays that it looks at, and the tagger that knows its words.
class BoundParser {
 public:
  BoundParser(const nb::dict& arrays, nb::object tagger)
      : owned_(nb::cast<nb::dict>(arrays.attr("copy")())),
        tagger_(std::move(tagger)),
        parser_(parser_arrays(owned_), nb::cast<const BoundTagger&>(tagger_).tagger().lexicon()) {}

  // Phrases of all sentences as begins, ends and labels, end to end, and where those of each
  // sentence start.
  nb::tuple parse(const nb::list& sentences, const nb::list& tags, unsigned threads) const {
    const Tokens words(sentences), tag_names(tags);
    require_fit(words, tag_names);
    std::vector<std::vector<Constituent>> phrases(words.size());
    {
      nb::gil_scoped_release release;
      parallel_blocks(words.size(), threads, 16, [&](std::size_t begin, std::size_t end) {
        thread_local Parser::Scratch scratch;
        for (std::size_t s = begin; s < end; ++s)
          parser_.parse(words.sentence(s), tag_names.sentence(s), phrases[s], scratch);
      });
    }
    std::vector<std::int32_t> begins, ends, labels;
    std::vector<std::int64_t> bounds{0};
    for (const auto& sentence : phrases) {
      for (const Constituent& phrase : sentence) {
        begins.push_back(phrase.begin);
        ends.push_back(phrase.end);
        labels.push_back(phrase.label);
      }
      bounds.push_back(static_cast<std::int64_t>(begins.size()));
    }
    return nb::make_tuple(to_numpy(std::move(begins)), to_numpy(std::move(ends)),
                          to_numpy(std::move(labels)), to_numpy(std::move(bounds)));
  }

  std::vector<std::string> label_names() const { return parser_.grammar().labels(); }

 private:
  nb::dict owned_;
  nb::object tagger_;
  Parser parser_;
};

// The best binary tree under given scores, for tests of the chart: `labels`, `left` and `right`
// are rows of `width` numbers a span, spans by their begins, then by their ends.
nb::list best_binary_tree(const std::vector<std::string>& label_names,
                          const std::vector<std::string>& tag_names,
                          const std::vector<std::string>& tags, const Column<float>& labels,
                          const Column<float>& left, const Column<float>& right,
                          const Column<float>& left_rules, const Column<float>& right_rules,
                          float beam) {
  const parsing::Grammar grammar(label_names, tag_names);
  const parsing::Symbols& symbols = grammar.symbols();
  const std::size_t n = tags.size(), width = symbols.width();
  const std::size_t scores = parsing::cells(n) * width, table = symbols.children * symbols.parents;
  if (labels.shape(0) != scores || left.shape(0) != scores || right.shape(0) != scores ||
      left_rules.shape(0) != table || right_rules.shape(0) != table)
    throw std::invalid_argument("the scores do not fit");
  parsing::Chart chart;
  chart.reset(n, symbols);
  for (std::size_t begin = 0; begin < n; ++begin)
    for (std::size_t end = begin + 1; end <= n; ++end) {
      const std::size_t at = parsing::cell(begin, end, n) * width;
      std::copy_n(labels.data() + at, width, chart.label_scores(begin, end));
      std::copy_n(left.data() + at, width, chart.left_scores(begin, end));
      std::copy_n(right.data() + at, width, chart.right_scores(begin, end));
    }
  std::vector<std::uint8_t> classes;
  for (const std::string& tag : tags) classes.push_back(grammar.tag_class(tag));
  std::vector<float> left_table(view(left_rules).begin(), view(left_rules).end());
  std::vector<float> right_table(view(right_rules).begin(), view(right_rules).end());
  grammar.forbid(left_table);
  grammar.forbid(right_table);
  std::vector<parsing::Node> tree;
  chart.parse(left_table, right_table, classes, beam, tree);
  nb::list nodes;
  for (const parsing::Node& node : tree)
    nodes.append(nb::make_tuple(node.begin, node.end, node.split, node.label));
  return nodes;
}

constexpr NamedOption<parsing::TrainingOptions> parser_options[] = {
    {"epochs", &parsing::TrainingOptions::epochs},
    {"runs", &parsing::TrainingOptions::runs},
    {"cutoff", &parsing::TrainingOptions::cutoff},
    {"loss", &parsing::TrainingOptions::loss},
    {"dropout", &parsing::TrainingOptions::dropout},
    {"resolution", &parsing::TrainingOptions::resolution},
    {"least", &parsing::TrainingOptions::least},
    {"least_best", &parsing::TrainingOptions::least_best},
    {"most_bytes", &parsing::TrainingOptions::most_bytes},
};

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
  const auto options = training_options<parsing::TrainingOptions>(given, parser_options, "parser");
  const std::vector<parsing::Node> gold = nodes_of(nodes);
  parsing::TrainedParser trained;
  {
    nb::gil_scoped_release release;
    trained = parsing::train({words.words, tokens_tags.words, words.bounds, gold,
                              std::move(label_names), std::move(tag_names)},
                             tagger.tagger().lexicon(), options);
  }
  nb::dict arrays;
  arrays["feature_buckets"] = to_numpy(std::move(trained.feature_buckets));
  arrays["features"] = to_numpy(std::move(trained.features));
  arrays["rows"] = to_numpy(std::move(trained.rows));
  arrays["left_rules"] = to_numpy(std::move(trained.left_rules));
  arrays["right_rules"] = to_numpy(std::move(trained.right_rules));
  return arrays;
}

}  // namespace

void bind_parser(nb::module_& m) {
  nb::class_<BoundParser>(m, "Parser", "The constituency parser over the arrays of a model.")
      .def(nb::init<const nb::dict&, nb::object>(), nb::arg("arrays"), nb::arg("tagger"))
      .def("parse", &BoundParser::parse, nb::arg("sentences"), nb::arg("tags"),
           nb::arg("threads") = 1,
           "Begins, ends and labels of the phrases of all sentences, and where each starts.")
      .def_prop_ro("label_names", &BoundParser::label_names);
  m.def("best_binary_tree", &best_binary_tree, nb::arg("label_names"), nb::arg("tag_names"),
        nb::arg("tags"), nb::arg("labels"), nb::arg("left"), nb::arg("right"),
        nb::arg("left_rules"), nb::arg("right_rules"), nb::arg("beam"),
        "The nodes (begin, end, split, label) of the best binary tree under given scores.");
  m.def("train_parser", &train_parser, nb::arg("sentences"), nb::arg("tags"), nb::arg("nodes"),
        nb::arg("label_names"), nb::arg("tag_names"), nb::arg("tagger"), nb::arg("options"),
        "The weight arrays of a parser trained on the nodes of binary trees.\n"
        "The options are those of TrainingOptions in native/text/parser_training.hpp.");
}

}  // namespace otherwords
