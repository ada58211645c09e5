// What Python sees of the parser.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "parallel.hpp"
#include "text/parser.hpp"
#include "text/tagger_bindings.hpp"

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
}

}  // namespace otherwords
