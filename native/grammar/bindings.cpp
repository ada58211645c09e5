// What otherwords.grammar sees of the native core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <unordered_map>
#include <vector>

#include "arrays.hpp"
#include "grammar/extract.hpp"
#include "grammar/sync_parser.hpp"
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

// The ids of the words of a pair; words that the grammar lacks are numbered after its own.
class PairWords {
 public:
  explicit PairWords(const SyncGrammar& grammar) : grammar_(grammar) {}

  std::vector<std::uint32_t> ids(const std::vector<std::string>& words) {
    std::vector<std::uint32_t> out;
    for (const std::string& word : words) {
      const std::uint32_t known = grammar_.word(word);
      const auto next = static_cast<std::uint32_t>(grammar_.words() + others_.size());
      out.push_back(known != SyncGrammar::unknown ? known
                                                  : others_.try_emplace(word, next).first->second);
    }
    return out;
  }

 private:
  const SyncGrammar& grammar_;
  std::unordered_map<std::string, std::uint32_t> others_;
};

using Sentences = std::vector<std::vector<std::string>>;

nb::tuple parse_pairs(const SyncGrammar& grammar, const Sentences& sources,
                      const Sentences& targets, bool glue, const std::string& goal, bool identity,
                      bool pass_through, std::uint64_t max_steps, double max_seconds,
                      unsigned threads) {
  if (sources.size() != targets.size())
    throw std::invalid_argument("there are not as many sources as targets");
  const SyncOptions options{glue, grammar.label(goal), identity, pass_through, max_steps,
                            max_seconds, false};
  std::vector<std::uint8_t> verdicts(sources.size());
  std::vector<std::uint64_t> steps(sources.size());
  {
    nb::gil_scoped_release release;
    parallel_blocks(sources.size(), threads, 1, [&](std::size_t p, std::size_t) {
      PairWords words(grammar);
      const auto source = words.ids(sources[p]), target = words.ids(targets[p]);
      const SyncResult result = parse_pair(grammar, source, target, options);
      verdicts[p] = static_cast<std::uint8_t>(result.verdict);
      steps[p] = result.steps;
    });
  }
  return nb::make_tuple(to_numpy(std::move(verdicts)), to_numpy(std::move(steps)));
}

// The steps of a derivation as (rule or -1, label, source begin, end, target begin, end, depth).
nb::object derive_pair(const SyncGrammar& grammar, const std::vector<std::string>& source,
                       const std::vector<std::string>& target, bool glue, const std::string& goal,
                       bool identity, bool pass_through, std::uint64_t max_steps,
                       double max_seconds) {
  const SyncOptions options{glue,      grammar.label(goal), identity, pass_through,
                            max_steps, max_seconds,         true};
  SyncResult result;
  {
    nb::gil_scoped_release release;
    PairWords words(grammar);
    const auto left = words.ids(source), right = words.ids(target);
    result = parse_pair(grammar, left, right, options);
  }
  nb::list steps;
  for (const SyncStep& step : result.derivation)
    steps.append(nb::make_tuple(static_cast<std::int32_t>(step.rule), grammar.label_text(step.label),
                                step.source_begin, step.source_end, step.target_begin,
                                step.target_end, step.depth));
  return nb::make_tuple(static_cast<std::uint8_t>(result.verdict), result.steps, steps);
}

}  // namespace

void bind_grammar(nb::module_& m) {
  using namespace nb::literals;
  // ValueError(what, line)
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const BadRule& error) {
      PyErr_SetObject(PyExc_ValueError, nb::make_tuple(error.what(), error.line).ptr());
    }
  });
  m.def("count_rules", &count_blocks, "text"_a, "word_links"_a, "node_begin"_a, "node_end"_a,
        "node_label"_a, "node_bounds"_a, "names"_a, "name_bounds"_a, "limits"_a, "starts"_a,
        "threads"_a, "The synchronous rules of each block of sentences, counted.");
  nb::class_<SyncGrammar>(m, "SyncGrammar")
      .def("__init__",
           [](SyncGrammar* self, nb::bytes text) {
             const std::string_view lines(text.c_str(), text.size());
             nb::gil_scoped_release release;
             new (self) SyncGrammar(lines);
           })
      .def_prop_ro("size", &SyncGrammar::size)
      .def("parse", &parse_pairs, "sources"_a, "targets"_a, "glue"_a, "goal"_a, "identity"_a,
           "pass_through"_a, "max_steps"_a, "max_seconds"_a, "threads"_a,
           "For each pair whether the grammar derives it, and the steps that took.")
      .def("derive", &derive_pair, "source"_a, "target"_a, "glue"_a, "goal"_a, "identity"_a,
           "pass_through"_a, "max_steps"_a, "max_seconds"_a, "A derivation of a pair.");
}

}  // namespace otherwords
