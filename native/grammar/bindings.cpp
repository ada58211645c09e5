// What otherwords.grammar sees of the native core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "grammar/extract.hpp"
#include "grammar/rule_check.hpp"
#include "grammar/rule_lines.hpp"
#include "parallel.hpp"
#include "phrases/bound_aligned.hpp"

namespace otherwords {
namespace {

using Numbers = Column<std::int32_t>;

nb::tuple texts(Texts&& all) {
  return nb::make_tuple(to_numpy(std::move(all.bytes)), to_numpy(std::move(all.bounds)));
}

nb::dict columns(RuleCounts&& counts) {
  nb::dict out;
  out["labels"] = texts(std::move(counts.labels));
  out["sources"] = texts(std::move(counts.sources));
  out["targets"] = texts(std::move(counts.targets));
  out["alignments"] = texts(std::move(counts.alignments));
  out["lhs"] = to_numpy(std::move(counts.lhs));
  out["source"] = to_numpy(std::move(counts.source));
  out["target"] = to_numpy(std::move(counts.target));
  out["alignment"] = to_numpy(std::move(counts.alignment));
  out["count"] = to_numpy(std::move(counts.count));
  out["links"] = to_numpy(std::move(counts.links));
  out["arity"] = to_numpy(std::move(counts.arity));
  out["source_words"] = to_numpy(std::move(counts.source_words));
  out["target_words"] = to_numpy(std::move(counts.target_words));
  out["source_characters"] = to_numpy(std::move(counts.source_characters));
  out["target_characters"] = to_numpy(std::move(counts.target_characters));
  out["lex_source"] = to_numpy(std::move(counts.source_given_target));
  out["lex_target"] = to_numpy(std::move(counts.target_given_source));
  return out;
}

std::int32_t whole(const nb::dict& limits, const char* name, std::int32_t low, std::int32_t high) {
  const auto value = nb::cast<std::int32_t>(limits[name]);
  if (value < low || value > high)
    throw std::invalid_argument(std::string(name) + " is out of its range");
  return value;
}

RuleLimits limits_of(const nb::dict& given) {
  RuleLimits limits;
  limits.phrase_length = whole(given, "phrase_length", 1, longest_initial);
  limits.arity = whole(given, "arity", 0, most_nonterminals);
  limits.lexicality = whole(given, "lexicality", 0, longest_initial);
  limits.source_symbols = whole(given, "source_symbols", 1, 1 << 15);
  limits.target_symbols = whole(given, "target_symbols", 1, 1 << 15);
  limits.source_words = whole(given, "source_words", 0, 1 << 15);
  limits.target_words = whole(given, "target_words", 0, 1 << 15);
  limits.rule_span = whole(given, "rule_span", 1, 1 << 15);
  limits.adjacent = nb::cast<bool>(given["adjacent"]);
  limits.loose = nb::cast<bool>(given["loose"]);
  limits.abstract = nb::cast<bool>(given["abstract"]);
  limits.nonlexical_x = nb::cast<bool>(given["nonlexical_x"]);
  limits.full_sentence = nb::cast<bool>(given["full_sentence"]);
  limits.labels_on_left = nb::cast<bool>(given["labels_on_left"]);
  return limits;
}

LabelOptions labels_of(const nb::dict& given) {
  LabelOptions labels;
  const auto unary = nb::cast<std::string>(given["unary"]);
  labels.unary = unary == "top" ? Unary::top : unary == "all" ? Unary::all : Unary::bottom;
  labels.concatenated = nb::cast<bool>(given["concatenated"]);
  labels.slashed = nb::cast<bool>(given["slashed"]);
  labels.concatenated3 = nb::cast<bool>(given["concatenated3"]);
  return labels;
}

nb::list count_blocks(const BoundAligned& self, const WordLinks& lexicon, Numbers node_begin,
                      Numbers node_end, Numbers node_label, Bounds node_bounds, Bytes names,
                      Bounds name_bounds, const nb::dict& given,
                      const std::vector<std::int64_t>& starts, unsigned threads) {
  const RuleLimits limits = limits_of(given);
  const LabelOptions labels = labels_of(given);
  const TreeNodes trees{view(node_begin),
                        view(node_end),
                        view(node_label),
                        view(node_bounds),
                        {view(names), view(name_bounds)}};
  if (!trees.bounds.empty()) trees.check(limits.labels_on_left ? self.text.left : self.text.right);
  if (lexicon.left_null() != self.left_words.size() ||
      lexicon.right_null() != self.right_words.size())
    throw std::invalid_argument("the word links are of another text");
  for (std::size_t s = 0; s < self.text.sentences(); ++s)
    if (limits.full_sentence && std::max(self.text.left.length(s), self.text.right.length(s)) > 0x7fff)
      throw std::invalid_argument("sentence " + std::to_string(s + 1) + " is too long for a rule");
  std::vector<RuleCounts> counts(blocks(starts, self.text));
  {
    nb::gil_scoped_release release;
    parallel_blocks(counts.size(), threads, 1, [&](std::size_t b, std::size_t) {
      counts[b] = count_rules(self.text, self.left_words, self.right_words, lexicon, trees, labels,
                              limits, static_cast<std::size_t>(starts[b]),
                              static_cast<std::size_t>(starts[b + 1]));
    });
  }
  nb::list out;
  for (RuleCounts& block : counts) out.append(columns(std::move(block)));
  return out;
}

using Doubles = Column<double>;

TextColumn text_column(const nb::handle& pair) {
  const auto [bytes, bounds] = nb::cast<std::pair<Bytes, Bounds>>(pair);
  const TextColumn column{view(bytes), view(bounds)};
  column.check();
  return column;
}

// `texts` has the bytes and bounds of lhs, source, target, alignment and relation; it outlives this.
nb::bytes lines(const nb::list& texts, const std::vector<std::string>& names,
                const std::vector<Doubles>& values) {
  if (texts.size() != 5 || names.size() != values.size())
    throw std::invalid_argument("the columns of a grammar are not these");
  RuleColumns columns{text_column(texts[0]), text_column(texts[1]), text_column(texts[2]),
                      text_column(texts[3]), text_column(texts[4]), names, {}};
  for (const Doubles& column : values) columns.values.push_back(view(column));
  const std::size_t rows = columns.lhs.size();
  for (const TextColumn* one :
       {&columns.source, &columns.target, &columns.alignment, &columns.relation})
    if (one->size() != rows) throw std::invalid_argument("the columns differ in length");
  for (const auto& one : columns.values)
    if (one.size() != rows) throw std::invalid_argument("the columns differ in length");
  std::string out;
  {
    nb::gil_scoped_release release;
    out = rule_lines(columns);
  }
  return nb::bytes(out.data(), out.size());
}

// `texts` has the bytes and bounds of lhs, source and target; it outlives this.
std::optional<std::pair<std::size_t, std::string>> wrong_rule(const nb::list& texts) {
  if (texts.size() != 3) throw std::invalid_argument("the columns of a grammar are not these");
  const TextColumn lhs = text_column(texts[0]), source = text_column(texts[1]),
                   target = text_column(texts[2]);
  if (source.size() != lhs.size() || target.size() != lhs.size())
    throw std::invalid_argument("the columns differ in length");
  nb::gil_scoped_release release;
  WrongRule found = first_wrong_rule(lhs, source, target);
  if (found.what.empty()) return std::nullopt;
  return std::pair{found.row, std::move(found.what)};
}

}  // namespace

void bind_sync_grammar(nb::module_& m);  // sync_bindings.cpp

void bind_grammar(nb::module_& m) {
  using namespace nb::literals;
  m.def("count_rules", &count_blocks, "text"_a, "word_links"_a, "node_begin"_a, "node_end"_a,
        "node_label"_a, "node_bounds"_a, "names"_a, "name_bounds"_a, "limits"_a, "starts"_a,
        "threads"_a, "The synchronous rules of each block of sentences, counted.");
  m.def("rule_lines", &lines, "texts"_a, "names"_a, "values"_a,
        "The rows of a grammar as lines of text; NaN is a feature that a rule lacks.");
  m.def("wrong_rule", &wrong_rule, "texts"_a,
        "The first row of a grammar that is no rule, and what is wrong with it.");
  bind_sync_grammar(m);
}

}  // namespace otherwords
