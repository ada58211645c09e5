// What otherwords.metrics.paraeval sees of the native core.
#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "arrays.hpp"
#include "bitext/corpus.hpp"
#include "metrics/paraeval.hpp"
#include "models/bindings.hpp"
#include "parallel.hpp"

namespace otherwords {
namespace {

constexpr std::size_t texts_per_block = 16;

// Where paraphrases come from: a list of pivot tables, which may be empty, or one table of pairs.
class Source {
 public:
  Source(nb::handle given, std::size_t longest) : longest_(longest) {
    if (const BoundParaphraseTable * bound; nb::try_cast(given, bound)) {
      pairs_ = &bound->table;
      return;
    }
    for (nb::handle table : nb::cast<nb::list>(given))
      pivots_.push_back(&nb::cast<const BoundPivotTable&>(table).table);
    if (longest < 1 || longest > PivotTable::longest_phrase)
      throw std::invalid_argument("phrases have 1 to 16 words");
  }

  std::unique_ptr<Paraphrases> open() const {
    if (pairs_) return std::make_unique<PairedParaphrases>(*pairs_);
    if (pivots_.empty()) return nullptr;
    return std::make_unique<PivotParaphrases>(pivots_, longest_);
  }

 private:
  std::size_t longest_;
  std::vector<const PivotTable*> pivots_;
  const ParaphraseTable* pairs_ = nullptr;
};

// Texts as numbers of words, the words, and which text is looked for in which others.
struct Task {
  Task(const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
       const nb::list& words, const Column<std::uint32_t>& weight,
       const Column<std::int64_t>& counted_texts, const Column<std::int64_t>& other_texts,
       const Column<std::int64_t>& others_of)
      : side{view(tokens), view(bounds)},
        weights(view(weight)),
        counted(view(counted_texts)),
        others(view(other_texts)),
        other_bounds(view(others_of)) {
    for (nb::handle word : words) forms.push_back(utf8(word));
    side.check(forms.size());
    if (weights.size() != forms.size()) throw std::invalid_argument("a word without a weight");
    for (const auto& column : {counted, others})
      for (const std::int64_t text : column)
        if (text < 0 || static_cast<std::size_t>(text) >= side.size())
          throw std::invalid_argument("a text that is not there");
    if (other_bounds.size() != counted.size() + 1 || other_bounds.front() != 0 ||
        other_bounds.back() != static_cast<std::int64_t>(others.size()))
      throw std::invalid_argument("the bounds do not fit the texts");
    for (std::size_t i = 0; i < counted.size(); ++i)
      if (other_bounds[i] >= other_bounds[i + 1])
        throw std::invalid_argument("a text with nothing to look for it in");
  }

  Words text(std::int64_t number) const {
    return side.sentence(static_cast<std::size_t>(number));
  }

  void others_of(std::size_t i, std::vector<Words>& out) const {
    out.clear();
    for (std::int64_t o = other_bounds[i]; o < other_bounds[i + 1]; ++o)
      out.push_back(text(others[static_cast<std::size_t>(o)]));
  }

  Side side;
  std::vector<std::string_view> forms;
  std::span<const std::uint32_t> weights;
  std::span<const std::int64_t> counted, others, other_bounds;
};

nb::object counts(nb::handle tables, std::size_t longest, const ParaEvalOptions& options,
                  const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
                  const nb::list& forms, const Column<std::uint32_t>& weights,
                  const Column<std::int64_t>& counted, const Column<std::int64_t>& others,
                  const Column<std::int64_t>& other_bounds, unsigned threads) {
  const Source source(tables, longest);
  const Task task(tokens, bounds, forms, weights, counted, others, other_bounds);
  std::vector<std::int64_t> rows(task.counted.size() * 3);
  {
    nb::gil_scoped_release release;
    parallel_blocks(task.counted.size(), threads, texts_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      const auto paraphrases = source.open();
                      ParaEval paraeval(paraphrases.get(), task.forms, task.weights, options);
                      std::vector<Words> in;
                      for (std::size_t i = begin; i < end; ++i) {
                        task.others_of(i, in);
                        const Matched sum = paraeval.count(task.text(task.counted[i]), in);
                        rows[3 * i] = sum.matched;
                        rows[3 * i + 1] = sum.total;
                        rows[3 * i + 2] = sum.proven;
                      }
                    });
  }
  return to_numpy(std::move(rows));
}

nb::list matches(nb::handle tables, std::size_t longest, const ParaEvalOptions& options,
                 const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
                 const nb::list& forms, const Column<std::uint32_t>& weights,
                 const Column<std::int64_t>& counted, const Column<std::int64_t>& others,
                 const Column<std::int64_t>& other_bounds) {
  const Source source(tables, longest);
  const Task task(tokens, bounds, forms, weights, counted, others, other_bounds);
  const auto paraphrases = source.open();
  ParaEval paraeval(paraphrases.get(), task.forms, task.weights, options);
  nb::list out;
  std::vector<Words> in;
  for (std::size_t i = 0; i < task.counted.size(); ++i) {
    std::vector<FoundIn> found;
    task.others_of(i, in);
    paraeval.count(task.text(task.counted[i]), in, &found);
    nb::list row;
    for (const FoundIn& one : found)
      row.append(nb::make_tuple(one.begin, one.end, one.other, one.other_begin, one.other_end,
                                one.tier, one.probability));
    out.append(row);
  }
  return out;
}

}  // namespace

void bind_paraeval(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<ParaEvalOptions>(m, "ParaEvalOptions")
      .def("__init__",
           [](ParaEvalOptions* self, double min_probability, std::uint32_t min_length, bool exact,
              bool tiered, double power) {
             new (self) ParaEvalOptions{min_probability, min_length, exact, tiered, power};
           },
           "min_probability"_a, "min_length"_a, "exact"_a, "tiered"_a, "power"_a);
  m.def("paraeval_counts", &counts, "tables"_a, "longest"_a, "options"_a, "tokens"_a, "bounds"_a,
        "forms"_a, "weights"_a, "counted"_a, "others"_a, "other_bounds"_a, "threads"_a,
        "For each counted text: weight of the words found in the others, of all its words, and "
        "whether no other choice of matches finds more.");
  m.def("paraeval_matches", &matches, "tables"_a, "longest"_a, "options"_a, "tokens"_a,
        "bounds"_a, "forms"_a, "weights"_a, "counted"_a, "others"_a, "other_bounds"_a,
        "For each counted text what was found: begin, end, other, its begin and end, tier, "
        "probability.");
}

}  // namespace otherwords
