// What Python sees of the index of a grammar and the synchronous parser.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

#include "arrays.hpp"
#include "grammar/rule_encoder.hpp"
#include "grammar/sync_parser.hpp"
#include "parallel.hpp"

namespace otherwords {
namespace {

using Words = std::vector<std::string>;

// The texts of words or labels one after the other; their hashes in order, whose they are.
nb::dict names(const WordTable& table) {
  std::vector<std::uint32_t> numbers(table.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::ranges::sort(numbers, {}, [&](std::uint32_t k) { return table.hash(k); });
  std::vector<std::uint64_t> keys;
  std::vector<std::uint8_t> bytes;
  std::vector<std::int64_t> bounds{0};
  for (std::size_t k = 0; k < table.size(); ++k) {
    keys.push_back(table.hash(numbers[k]));
    bytes.insert(bytes.end(), table[k].begin(), table[k].end());
    bounds.push_back(static_cast<std::int64_t>(bytes.size()));
  }
  nb::dict out;
  out["keys"] = to_numpy(std::move(keys));
  out["numbers"] = to_numpy(std::move(numbers));
  out["bytes"] = to_numpy(std::move(bytes));
  out["bounds"] = to_numpy(std::move(bounds));
  return out;
}

nb::object encode(RuleEncoder& self, nb::bytes text) {
  const std::string_view lines(text.c_str(), text.size());
  std::vector<std::uint32_t> records;
  {
    nb::gil_scoped_release release;
    self.add(lines, records);
  }
  return to_numpy(std::move(records));
}

// The same of rules, or of lines, as Python has them.
nb::object encode_rules(RuleEncoder& self, const nb::list& rules) {
  std::vector<std::uint32_t> records;
  for (nb::handle rule : rules) {
    const nb::object line = nb::isinstance<nb::str>(rule) ? nb::borrow(rule) : nb::str(rule);
    const std::string_view text = utf8(line);
    self.add(text.empty() ? "\n" : text, records);  // an empty line is one, too
  }
  return to_numpy(std::move(records));
}

using Writable = nb::ndarray<std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::dict arrange(const RuleEncoder& self, const Column<std::uint32_t>& records, Writable out) {
  RuleGroups groups;
  {
    nb::gil_scoped_release release;
    groups = self.arrange(view(records), {out.data(), out.shape(0)});
  }
  nb::dict arrays;
  arrays["source_starts"] = to_numpy(std::move(groups.source_starts));
  arrays["group_starts"] = to_numpy(std::move(groups.group_starts));
  arrays["group_targets"] = to_numpy(std::move(groups.group_targets));
  arrays["places"] = to_numpy(std::move(groups.places));
  arrays["source_words"] = to_numpy(self.source_words());
  return arrays;
}

nb::dict counts(const RuleEncoder& self) {
  nb::dict out;
  out["rules"] = self.size();
  out["left-hand sides"] = self.left_hand_sides();
  out["lexical"] = self.types().lexical;
  out["phrasal"] = self.types().phrasal;
  out["syntactic"] = self.types().syntactic;
  out["identical sides"] = self.types().identical;
  out["words"] = self.words().size();
  return out;
}

NameTable name_table(const nb::dict& arrays, const std::string& prefix) {
  const auto name = [&](const char* rest) { return prefix + "/" + rest; };
  return {column<std::uint64_t>(arrays, name("keys").c_str()),
          column<std::uint32_t>(arrays, name("buckets").c_str()),
          column<std::uint32_t>(arrays, name("numbers").c_str()),
          column<std::uint8_t>(arrays, name("bytes").c_str()),
          column<std::int64_t>(arrays, name("bounds").c_str())};
}

struct BoundSyncGrammar {
  explicit BoundSyncGrammar(const nb::dict& arrays)
      : owner(arrays.values()),
        grammar(name_table(arrays, "words"), name_table(arrays, "labels"),
                {column<std::uint32_t>(arrays, "records"),
                 column<std::uint32_t>(arrays, "group_targets"),
                 column<std::uint64_t>(arrays, "source_starts"),
                 column<std::uint64_t>(arrays, "group_starts"),
                 column<std::uint64_t>(arrays, "places"),
                 column<std::uint8_t>(arrays, "source_words")}) {}

  nb::list owner;  // keeps the mapped file open
  SyncGrammar grammar;
};

// The ids of the words of a pair; words that the grammar lacks are numbered after its own.
class PairWords {
 public:
  explicit PairWords(const SyncGrammar& grammar) : grammar_(grammar) {}

  std::vector<std::uint32_t> ids(const Words& words) {
    std::vector<std::uint32_t> out;
    for (const std::string& word : words) {
      const std::uint32_t known = grammar_.words().find(word);
      const auto next = static_cast<std::uint32_t>(grammar_.words().size() + others_.size());
      out.push_back(known != SyncGrammar::unknown ? known
                                                  : others_.try_emplace(word, next).first->second);
    }
    return out;
  }

 private:
  const SyncGrammar& grammar_;
  std::unordered_map<std::string, std::uint32_t> others_;
};

// The number of a label; of words that stand for themselves also if the grammar lacks it.
std::uint32_t label_of(const SyncGrammar& grammar, const std::string& text) {
  return text == "X" ? free_label(grammar) : grammar.labels().find(text);
}

SyncOptions options_of(const SyncGrammar& grammar, const nb::dict& given, bool derive) {
  return {nb::cast<bool>(given["glue"]),
          label_of(grammar, nb::cast<std::string>(given["goal"])),
          nb::cast<bool>(given["identity"]),
          nb::cast<bool>(given["pass_through"]),
          nb::cast<std::uint64_t>(given["max_steps"]),
          nb::cast<double>(given["max_seconds"]),
          derive};
}

nb::tuple parse_pairs(const BoundSyncGrammar& self, const std::vector<Words>& sources,
                      const std::vector<Words>& targets, const nb::dict& given, unsigned threads) {
  if (sources.size() != targets.size())
    throw std::invalid_argument("there are not as many sources as targets");
  const SyncOptions options = options_of(self.grammar, given, false);
  std::vector<std::uint8_t> verdicts(sources.size());
  std::vector<std::uint64_t> steps(sources.size());
  {
    nb::gil_scoped_release release;
    parallel_blocks(sources.size(), threads, 1, [&](std::size_t p, std::size_t) {
      PairWords words(self.grammar);
      const auto source = words.ids(sources[p]), target = words.ids(targets[p]);
      const SyncResult result = parse_pair(self.grammar, source, target, options);
      verdicts[p] = static_cast<std::uint8_t>(result.verdict);
      steps[p] = result.steps;
    });
  }
  return nb::make_tuple(to_numpy(std::move(verdicts)), to_numpy(std::move(steps)));
}

// The steps of a derivation as (rule or -1, label, source begin, end, target begin, end, depth).
nb::object derive_pair(const BoundSyncGrammar& self, const Words& source, const Words& target,
                       const nb::dict& given) {
  const SyncOptions options = options_of(self.grammar, given, true);
  const NameTable& labels = self.grammar.labels();
  SyncResult result;
  {
    nb::gil_scoped_release release;
    PairWords words(self.grammar);
    const auto left = words.ids(source), right = words.ids(target);
    result = parse_pair(self.grammar, left, right, options);
  }
  nb::list steps;
  for (const SyncStep& step : result.derivation) {
    // The label of words that stand for themselves may be one that the grammar does not have.
    const std::string label(step.label == labels.size() ? "X" : labels[step.label]);
    const auto rule = step.rule == 0xffffffffu ? -1 : static_cast<std::int64_t>(step.rule);
    steps.append(nb::make_tuple(rule, label, step.source_begin, step.source_end, step.target_begin,
                                step.target_end, step.depth));
  }
  return nb::make_tuple(static_cast<std::uint8_t>(result.verdict), result.steps, steps);
}

nb::object usable(const BoundSyncGrammar& self, const Words& source, const Words& target) {
  PairWords words(self.grammar);
  const auto left = words.ids(source), right = words.ids(target);
  return to_numpy(usable_numbers(self.grammar, left, right));
}

// The three fields of a rule, its nonterminals numbered by the source.
nb::bytes rule_text(const BoundSyncGrammar& self, std::size_t number) {
  const SyncGrammar& grammar = self.grammar;
  if (number >= grammar.size()) throw nb::index_error("there is no such rule");
  const RuleRecord rule = grammar.rule(number);
  std::string text(1, '[');
  text.append(grammar.labels()[rule.lhs]).append("] |||");
  std::vector<std::string> slots;
  const auto add = [&](std::string_view symbol) { text.append(" ").append(symbol); };
  for (const std::uint32_t symbol : rule.source) {
    if (is_nonterminal(symbol)) {
      std::string slot(1, '[');
      slot.append(grammar.labels()[value_of(symbol)]).append(1, ',');
      slots.push_back(slot.append(std::to_string(slots.size() + 1)).append(1, ']'));
      add(slots.back());
    } else {
      add(grammar.words()[symbol]);
    }
  }
  text += " |||";
  for (const std::uint32_t symbol : rule.target) {
    if (is_nonterminal(symbol) && value_of(symbol) >= slots.size()) throw DamagedGrammar();
    add(is_nonterminal(symbol) ? slots[value_of(symbol)] : grammar.words()[symbol]);
  }
  return nb::bytes(text.data(), text.size());
}

}  // namespace

void bind_sync_grammar(nb::module_& m) {
  using namespace nb::literals;
  // ValueError(what, line)
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      std::rethrow_exception(p);
    } catch (const BadRule& error) {
      PyErr_SetObject(PyExc_ValueError, nb::make_tuple(error.what(), error.line).ptr());
    }
  });
  nb::class_<RuleEncoder>(m, "RuleEncoder")
      .def(nb::init<>())
      .def("add", &encode, "text"_a, "The records of Joshua's lines.")
      .def("add_rules", &encode_rules, "rules"_a, "The records of rules or lines.")
      .def("arrange", &arrange, "records"_a, "out"_a,
           "Copies all records into the order of the index, and returns where they are.")
      .def("words", [](const RuleEncoder& self) { return names(self.words()); })
      .def("labels", [](const RuleEncoder& self) { return names(self.labels()); })
      .def("counts", &counts, "Numbers of rules, by type, of labels and words.");
  nb::class_<BoundSyncGrammar>(m, "SyncGrammar")
      .def(nb::init<const nb::dict&>(), "arrays"_a)
      .def_prop_ro("size", [](const BoundSyncGrammar& self) { return self.grammar.size(); })
      .def("parse", &parse_pairs, "sources"_a, "targets"_a, "options"_a, "threads"_a,
           "For each pair whether the grammar derives it, and the steps that took.")
      .def("derive", &derive_pair, "source"_a, "target"_a, "options"_a, "A derivation of a pair.")
      .def("usable", &usable, "source"_a, "target"_a, "The numbers of the rules for a pair.")
      .def("rule", &rule_text, "number"_a, "The fields of a rule.");
}

}  // namespace otherwords
