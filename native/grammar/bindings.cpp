// What otherwords.grammar sees of the native core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "grammar/extract.hpp"
#include "grammar/pivot_steps.hpp"
#include "grammar/rule_rows.hpp"
#include "grammar/totals.hpp"
#include "grammar/rule_check.hpp"
#include "grammar/rule_lines.hpp"
#include "parallel.hpp"
#include "phrases/bound_aligned.hpp"

namespace otherwords {
namespace {

using Numbers = Column<std::int32_t>;

nb::dict texts(NumberedTexts&& all) {
  nb::dict out;
  out["text"] = nb::make_tuple(to_numpy(std::move(all.bytes)), to_numpy(std::move(all.bounds)));
  out["id"] = to_numpy(std::move(all.id));
  out["check_hash"] = to_numpy(std::move(all.check));
  return out;
}

// A table of rules, and the tables of the labels and alignments that its numbers stand for.
nb::dict tables(RuleCounts&& counts) {
  nb::dict rules;
  rules["lhs"] = to_numpy(std::move(counts.lhs));
  rules["source"] = to_numpy(std::move(counts.source));
  rules["target"] = to_numpy(std::move(counts.target));
  rules["alignment"] = to_numpy(std::move(counts.alignment));
  rules["count"] = to_numpy(std::move(counts.count));
  rules["source_place"] = to_numpy(std::move(counts.source_place));
  rules["target_place"] = to_numpy(std::move(counts.target_place));
  rules["check_hash"] = to_numpy(std::move(counts.check_hash));
  rules["first_bytes"] = to_numpy(std::move(counts.first));
  rules["second_bytes"] = to_numpy(std::move(counts.second));
  rules["label_bytes"] = to_numpy(std::move(counts.label_bytes));
  rules["lex_source"] = to_numpy(std::move(counts.source_given_target));
  rules["lex_target"] = to_numpy(std::move(counts.target_given_source));
  nb::dict out, alignments = texts(std::move(counts.alignments));
  alignments["links"] = to_numpy(std::move(counts.links));
  out["counts"] = rules;
  out["labels"] = texts(std::move(counts.labels));
  out["alignments"] = alignments;
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

using Wholes = Column<std::int64_t>;

// The rules of a text: counted a stretch at a time, and written when tables have been made of them.
class BoundRules {
 public:
  BoundRules(nb::object text, nb::object lexicon, Numbers node_begin, Numbers node_end,
             Numbers node_label, Bounds node_bounds, Bytes names, Bounds name_bounds,
             const nb::dict& given)
      : owners_{text, lexicon},
        numbers_{node_begin, node_end, node_label},
        bounds_{node_bounds, name_bounds},
        names_(names),
        text_(nb::cast<const BoundAligned&>(text)),
        lexicon_(nb::cast<const WordLinks&>(lexicon)),
        trees_{view(node_begin), view(node_end), view(node_label), view(node_bounds),
               {view(names), view(name_bounds)}},
        limits_(limits_of(given)),
        labels_(labels_of(given)) {
    const Aligned& pairs = text_.text;
    if (!trees_.bounds.empty()) trees_.check(limits_.labels_on_left ? pairs.left : pairs.right);
    if (lexicon_.left_null() != text_.left_words.size() ||
        lexicon_.right_null() != text_.right_words.size())
      throw std::invalid_argument("the word links are of another text");
    for (std::size_t s = 0; limits_.full_sentence && s < pairs.sentences(); ++s)
      if (std::max(pairs.left.length(s), pairs.right.length(s)) > 0x7fff)
        throw std::invalid_argument("sentence " + std::to_string(s + 1) + " is too long for a rule");
  }

  // The tables of each stretch of sentences.
  nb::list count(const std::vector<std::int64_t>& starts, unsigned threads) {
    std::vector<RuleCounts> counts(blocks(starts, text_.text));
    threads_ = threads;
    {
      nb::gil_scoped_release release;
      parallel_blocks(counts.size(), threads, 1, [&](std::size_t b, std::size_t) {
        counts[b] = count_rules(text_.text, text_.left_words, text_.right_words, lexicon_, trees_,
                                labels_, limits_, static_cast<std::size_t>(starts[b]),
                                static_cast<std::size_t>(starts[b + 1]));
      });
      for (RuleCounts& one : counts) {
        const std::int64_t source = sources_.add(one.sources, one.label_names);
        const std::int64_t target = targets_.add(one.targets, one.label_names);
        for (std::int64_t& place : one.source_place) place += source;
        for (std::int64_t& place : one.target_place) place += target;
        one.sources = one.targets = {};
        for (std::size_t k = 0; k < one.count.size(); ++k) {
          prefetch_totals(one.source, one.target, k + ahead);
          add_total(one.source[k], one.target[k], one.count[k]);
        }
      }
    }
    nb::list out;
    for (RuleCounts& one : counts) out.append(tables(std::move(one)));
    return out;
  }

  // What of the counts is kept, instead of all that was seen.
  void forget_totals() { source_totals_ = target_totals_ = pair_totals_ = {}; }
  void add_totals(const Wholes& source, const Wholes& target, const Wholes& count) {
    const auto f = view(source), e = view(target), times = view(count);
    if (f.size() != e.size() || f.size() != times.size())
      throw std::invalid_argument("the columns differ in length");
    for (std::size_t k = 0; k < f.size(); ++k) add_total(f[k], e[k], times[k]);
  }

  // Rows in the order of `order`; those for which it is the same are put in order of their texts.
  // Returned: that order, the texts, and the features that need no more than this.
  nb::tuple write(const std::vector<Wholes>& order, const Wholes& source, const Wholes& target,
                  const Wholes& source_place, const Wholes& target_place,
                  const Wholes& count) const {
    std::vector<std::span<const std::int64_t>> keys;
    for (const Wholes& one : order) keys.push_back(view(one));
    const auto f = view(source), e = view(target);
    const std::size_t size = count.shape(0);
    if (f.size() != size || e.size() != size)
      throw std::invalid_argument("the columns differ in length");
    RuleTexts rows;
    {
      nb::gil_scoped_release release;
      std::vector<std::int64_t> both(view(count).begin(), view(count).end()), of_source, of_target;
      of_source.reserve(size);
      of_target.reserve(size);
      for (std::size_t k = 0; k < size; ++k) {
        prefetch_totals(f, e, k + ahead);
        of_source.push_back(source_totals_[f[k]]);
        of_target.push_back(target_totals_[e[k]]);
        if (has_labels()) both[k] = pair_totals_[pair(f[k], e[k])];
      }
      const RuleNumbers numbers{view(source_place), view(target_place), view(count),
                                both,               of_source,          of_target};
      rows = write_rules(keys, numbers, sources_, text_.left_words, targets_, text_.right_words,
                         threads_);
    }
    nb::list features;
    for (std::vector<double>& one : rows.features) features.append(to_numpy(std::move(one)));
    const auto column = [](TextRows&& all) {
      return nb::make_tuple(to_numpy(std::move(all.bytes)), to_numpy(std::move(all.bounds)));
    };
    return nb::make_tuple(to_numpy(std::move(rows.order)), column(std::move(rows.sources)),
                          column(std::move(rows.targets)), features);
  }

  // Whether there are others than X.
  bool has_labels() const { return !trees_.bounds.empty(); }

 private:
  static std::int64_t pair(std::int64_t source, std::int64_t target) {
    return static_cast<std::int64_t>(mix(static_cast<std::uint64_t>(source)) +
                                     static_cast<std::uint64_t>(target));
  }
  void prefetch_totals(std::span<const std::int64_t> source, std::span<const std::int64_t> target,
                       std::size_t row) const {
    if (row >= source.size()) return;
    source_totals_.prefetch(source[row]);
    target_totals_.prefetch(target[row]);
  }
  void add_total(std::int64_t source, std::int64_t target, std::int64_t count) {
    source_totals_.add(source, count);
    target_totals_.add(target, count);
    if (has_labels()) pair_totals_.add(pair(source, target), count);
  }

  static constexpr std::size_t ahead = 12;  // rows between asking for memory and reading it

  std::vector<nb::object> owners_;
  std::vector<Numbers> numbers_;
  std::vector<Bounds> bounds_;
  Bytes names_;
  const BoundAligned& text_;
  const WordLinks& lexicon_;
  TreeNodes trees_;
  RuleLimits limits_;
  LabelOptions labels_;
  RuleSides sources_, targets_;
  unsigned threads_ = 1;  // of the last count; rows are written with as many
  Totals source_totals_, target_totals_, pair_totals_;
};

using Doubles = Column<double>;

nb::list features_of_counts(const Wholes& count, const Wholes& both, const Wholes& source_total,
                            const Wholes& target_total) {
  nb::list out;
  for (std::vector<double>& one :
       count_features(view(count), view(both), view(source_total), view(target_total)))
    out.append(to_numpy(std::move(one)));
  return out;
}

// -ln of probabilities, at most 1: no two mathematical libraries need to agree on it.
nb::object costs(const Doubles& probabilities) {
  std::vector<double> out;
  for (const double one : view(probabilities)) out.push_back(0.0 - std::log(std::min(one, 1.0)));
  return to_numpy(std::move(out));
}

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

// `columns` has the bytes and bounds of lhs, foreign and English side; it outlives this.
nb::tuple steps(const nb::list& columns, const Doubles& forward, const Doubles& backward,
                const std::optional<Orders>& orders) {
  if (columns.size() != 3) throw std::invalid_argument("the columns of a grammar are not these");
  const PivotRules rules{text_column(columns[0]), text_column(columns[1]), text_column(columns[2]),
                         view(forward), view(backward)};
  for (const std::size_t size : {rules.foreign.size(), rules.english.size(), rules.forward.size(),
                                 rules.backward.size()})
    if (size != rules.lhs.size()) throw std::invalid_argument("the columns differ in length");
  PivotSteps found;
  {
    nb::gil_scoped_release release;
    found = pivot_steps(rules, orders ? &*orders : nullptr);
  }
  nb::dict table, sides = texts(std::move(found.english));
  table["lhs"] = to_numpy(std::move(found.lhs));
  table["foreign_side"] = to_numpy(std::move(found.foreign));
  table["foreign_check"] = to_numpy(std::move(found.foreign_check));
  table["word_order"] = to_numpy(std::move(found.order));
  table["english"] = sides["id"];
  table["forward"] = to_numpy(std::move(found.forward));
  table["backward"] = to_numpy(std::move(found.backward));
  return nb::make_tuple(table, sides, texts(std::move(found.labels)), found.orders);
}

}  // namespace

void bind_sync_grammar(nb::module_& m);  // sync_bindings.cpp

void bind_grammar(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<BoundRules>(m, "Rules", "The synchronous rules of an aligned text.")
      .def(nb::init<nb::object, nb::object, Numbers, Numbers, Numbers, Bounds, Bytes, Bounds,
                    const nb::dict&>(),
           "text"_a, "word_links"_a, "node_begin"_a, "node_end"_a, "node_label"_a, "node_bounds"_a,
           "names"_a, "name_bounds"_a, "limits"_a)
      .def("count", &BoundRules::count, "starts"_a, "threads"_a,
           "The rules of each block of sentences, counted, as tables of numbers.")
      .def("write", &BoundRules::write, "order"_a, "source"_a, "target"_a, "source_place"_a,
           "target_place"_a, "count"_a,
           "Rows put in order, the texts of their sides, and features.")
      .def("forget_totals", &BoundRules::forget_totals)
      .def("add_totals", &BoundRules::add_totals, "source"_a, "target"_a, "count"_a)
      .def_prop_ro("has_labels", &BoundRules::has_labels);
  m.def("count_features", &features_of_counts, "count"_a, "both"_a, "source_total"_a,
        "target_total"_a, "p(e|f) and p(f|e), -ln, and rarity, of counted rules.");
  m.def("costs", &costs, "probabilities"_a, "The negative logarithms of probabilities.");
  m.def("rule_lines", &lines, "texts"_a, "names"_a, "values"_a,
        "The rows of a grammar as lines of text; NaN is a feature that a rule lacks.");
  m.def("wrong_rule", &wrong_rule, "texts"_a,
        "The first row of a grammar that is no rule, and what is wrong with it.");
  m.def("pivot_steps", &steps, "columns"_a, "forward"_a, "backward"_a, "orders"_a.none(),
        "Tables of the steps of a pivot, of their English sides and of labels; the orders met.");
  bind_sync_grammar(m);
}

}  // namespace otherwords
