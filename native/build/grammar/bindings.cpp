// What Python sees of grammars.
#include "arrays.hpp"
#include "grammar/extract.hpp"
#include "grammar/pivot_steps.hpp"
#include "grammar/rule_encoder.hpp"
#include "grammar/rule_lines.hpp"
#include "grammar/rule_store.hpp"
#include "grammar/sync_parser.hpp"
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

nb::object column_of(TextRows&& all) {
  return numpy_tuple(std::move(all.bytes), std::move(all.bounds));
}

// The texts of labels, sources, targets and alignments; numbers of links; features.
nb::tuple columns_of(RuleTexts&& rules) {
  nb::list texts, features;
  for (TextRows* one : {&rules.labels, &rules.sources, &rules.targets, &rules.alignments})
    texts.append(column_of(std::move(*one)));
  for (std::vector<double>& one : rules.features) features.append(to_numpy(std::move(one)));
  return nb::make_tuple(texts, to_numpy(std::move(rules.links)), features);
}

// The bytes of rows, which are not copied.
template <typename Kept>
nb::object bytes_of(Kept&& kept) {
  auto* owned = new Kept(std::move(kept));
  nb::capsule owner(owned, [](void* p) noexcept { delete static_cast<Kept*>(p); });
  const std::size_t size = owned->size() * sizeof(*owned->data());
  return nb::cast(nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>(
      reinterpret_cast<std::uint8_t*>(owned->data()), {size}, owner));
}

std::span<const RuleRow> rows_of(const Bytes& bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(bytes.data());
  if (bytes.shape(0) % sizeof(RuleRow) != 0 || address % alignof(RuleRow) != 0)
    throw std::invalid_argument("these bytes are no rows of rules");
  return {reinterpret_cast<const RuleRow*>(bytes.data()), bytes.shape(0) / sizeof(RuleRow)};
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
  limits.adjacent = nb::cast<bool>(given["adjacent"]);
  limits.loose = nb::cast<bool>(given["loose"]);
  limits.abstract = nb::cast<bool>(given["abstract"]);
  limits.nonlexical_x = nb::cast<bool>(given["nonlexical_x"]);
  limits.labels_on_left = nb::cast<bool>(given["labels_on_left"]);
  return limits;
}

LabelOptions labels_of(const nb::dict& given) {
  LabelOptions labels;
  labels.concatenated = nb::cast<bool>(given["concatenated"]);
  labels.slashed = nb::cast<bool>(given["slashed"]);
  labels.concatenated3 = nb::cast<bool>(given["concatenated3"]);
  return labels;
}

using Wholes = Column<std::int64_t>;

// The rules of a text. Rows of blocks of it go out in parts, as bytes, and come back part by part to be
// written.
class BoundRules {
 public:
  BoundRules(nb::object text, nb::object lexicon, Numbers node_begin, Numbers node_end,
             Numbers node_label, Bounds node_bounds, Bytes names, Bounds name_bounds,
             const nb::dict& given)
      : owners_{text, lexicon},
        numbers_{node_begin, node_end, node_label},
        bounds_{node_bounds, name_bounds},
        names_(names),
        aligned_(nb::cast<const BoundAligned&>(text)),
        trees_{view(node_begin), view(node_end), view(node_label), view(node_bounds),
               {view(names), view(name_bounds)}},
        text_{aligned_.text,
              aligned_.left_words,
              aligned_.right_words,
              nb::cast<const WordLinks&>(lexicon),
              trees_,
              labels_of(given),
              limits_of(given),
              SymbolHashes(aligned_.left_words),
              SymbolHashes(aligned_.right_words)},
        store_(aligned_.left_words, aligned_.right_words, !trees_.bounds.empty()) {
    const Aligned& pairs = text_.pairs;
    if (!trees_.bounds.empty())
      trees_.check(text_.limits.labels_on_left ? pairs.left : pairs.right);
    if (text_.lexicon.left_null() != text_.left_words.size() ||
        text_.lexicon.right_null() != text_.right_words.size())
      throw std::invalid_argument("the word links are of another text");
  }

  // The rules of a block of sentences. Several threads may count blocks at the same time.
  RuleCounts count(std::int64_t begin, std::int64_t end) const {
    blocks({begin, end}, text_.pairs);  // throws if the text has no such block
    nb::gil_scoped_release release;
    return count_rules(text_, static_cast<std::size_t>(begin), static_cast<std::size_t>(end));
  }

  // Adds the rules of a block, of which nothing is left: its rows by part, and where parts begin and end.
  nb::tuple add(RuleCounts& counts, unsigned threads, std::size_t stretches, std::size_t part_rows) {
    PartedRows parted;
    {
      nb::gil_scoped_release release;
      parted = store_.add(std::move(counts), threads, stretches, std::max<std::size_t>(part_rows, 1));
      counts = {};
    }
    for (std::int64_t& bound : parted.bounds) bound *= static_cast<std::int64_t>(sizeof(RuleRow));
    return nb::make_tuple(bytes_of(std::move(parted.rows)), to_numpy(std::move(parted.bounds)));
  }

  // The rows of a block of sentences with their texts, in any order.
  nb::tuple rows(std::int64_t begin, std::int64_t end) {
    RuleCounts counts = count(begin, end);
    RuleTexts out = without_gil([&] {
      return store_.write_rows(store_.add(std::move(counts), 1, 1, ~std::size_t{0}).rows);
    });
    return columns_of(std::move(out));
  }

  void forget_totals() { store_.forget_totals(); }
  void add_totals(const Bytes& rows, std::int64_t min_count) {
    store_.add_totals(rows_of(rows), min_count);
  }

  // The rules of a part as columns.
  nb::tuple columns(const Bytes& part, std::int64_t min_count, bool identity) const {
    RuleTexts out = without_gil([&] { return store_.write(rows_of(part), min_count, identity); });
    return columns_of(std::move(out));
  }

  std::size_t parts() const { return store_.parts(); }

 private:
  std::vector<nb::object> owners_;
  std::vector<Numbers> numbers_;
  std::vector<Bounds> bounds_;
  Bytes names_;
  const BoundAligned& aligned_;
  TreeNodes trees_;
  RuleText text_;
  RuleStore store_;
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
  std::string out = without_gil([&] { return rule_lines(columns); });
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
  PivotSteps found = without_gil([&] { return pivot_steps(rules, orders ? &*orders : nullptr); });
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
  nb::class_<RuleCounts>(m, "RuleCounts", "The rules of a stretch of sentences.");
  nb::class_<BoundRules>(m, "Rules", "The synchronous rules of an aligned text.")
      .def(nb::init<nb::object, nb::object, Numbers, Numbers, Numbers, Bounds, Bytes, Bounds,
                    const nb::dict&>(),
           "text"_a, "word_links"_a, "node_begin"_a, "node_end"_a, "node_label"_a, "node_bounds"_a,
           "names"_a, "name_bounds"_a, "limits"_a)
      .def("count", &BoundRules::count, "begin"_a, "end"_a, "The rules of a stretch of sentences.")
      .def("add", &BoundRules::add, "counts"_a, "threads"_a, "stretches"_a, "part_rows"_a,
           "The rows of the rules of a stretch, by part, and the bounds of the parts.")
      .def("rows", &BoundRules::rows, "begin"_a, "end"_a,
           "The rules of a stretch of sentences with each of their alignments, as columns.")
      .def("columns", &BoundRules::columns, "part"_a, "min_count"_a, "identity"_a,
           "The rules of a part, as columns.")
      .def("forget_totals", &BoundRules::forget_totals)
      .def("add_totals", &BoundRules::add_totals, "rows"_a, "min_count"_a)
      .def_prop_ro("parts", &BoundRules::parts);
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

// What Python sees of the index of a grammar and the synchronous parser.

namespace {

using Sentence = std::vector<std::string>;

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
  RuleGroups groups = without_gil([&] {
    return self.arrange(view(records), {out.data(), out.shape(0)});
  });
  nb::dict arrays;
  arrays["source_starts"] = to_numpy(std::move(groups.source_starts));
  arrays["group_starts"] = to_numpy(std::move(groups.group_starts));
  arrays["group_targets"] = to_numpy(std::move(groups.group_targets));
  arrays["places"] = to_numpy(std::move(groups.places));
  arrays["source_words"] = to_numpy(self.source_words());
  return arrays;
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

  std::vector<std::uint32_t> ids(const Sentence& words) {
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
  const auto pass_through = nb::cast<std::string>(given["pass_through"]);
  return {nb::cast<bool>(given["glue"]),
          label_of(grammar, nb::cast<std::string>(given["goal"])),
          pass_through == "all"       ? PassThrough::all
          : pass_through == "unknown" ? PassThrough::unknown
                                      : PassThrough::none,
          nb::cast<std::uint64_t>(given["max_steps"]),
          nb::cast<double>(given["max_seconds"]),
          derive};
}

nb::tuple parse_pairs(const BoundSyncGrammar& self, const std::vector<Sentence>& sources,
                      const std::vector<Sentence>& targets, const nb::dict& given, unsigned threads) {
  if (sources.size() != targets.size())
    throw std::invalid_argument("there are not as many sources as targets");
  const SyncOptions options = options_of(self.grammar, given, false);
  std::vector<std::uint8_t> verdicts(sources.size());
  std::vector<std::uint64_t> steps(sources.size());
  parallel_without_gil(sources.size(), threads, 1, [&](std::size_t p, std::size_t) {
    PairWords words(self.grammar);
    const auto source = words.ids(sources[p]), target = words.ids(targets[p]);
    const SyncResult result = parse_pair(self.grammar, source, target, options);
    verdicts[p] = static_cast<std::uint8_t>(result.verdict);
    steps[p] = result.steps;
  });
  return numpy_tuple(std::move(verdicts), std::move(steps));
}

// The steps of a derivation as (rule or -1, label, source begin, end, target begin, end, depth).
nb::object derive_pair(const BoundSyncGrammar& self, const Sentence& source, const Sentence& target,
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

nb::object usable(const BoundSyncGrammar& self, const Sentence& source, const Sentence& target) {
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
      .def("labels", [](const RuleEncoder& self) { return names(self.labels()); });
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
