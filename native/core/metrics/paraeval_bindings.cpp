// What Python sees of ParaEval.
#include "arrays.hpp"
#include "metrics/paraeval.hpp"
#include "models/bindings.hpp"
#include "kept.hpp"
#include "side.hpp"

namespace otherwords {
namespace {

constexpr std::size_t segments_per_block = 64;

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

// Segments: hypotheses with their references, all of them numbers of texts, which are numbers of
// words.
struct Segments {
  Segments(const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
           const nb::list& words, const Column<std::uint32_t>& weight,
           const Column<std::int64_t>& hypothesis_texts,
           const Column<std::int64_t>& reference_texts, const Column<std::int64_t>& references_of)
      : side{view(tokens), view(bounds)},
        weights(view(weight)),
        hypotheses(view(hypothesis_texts)),
        references(view(reference_texts)),
        reference_bounds(view(references_of)) {
    for (nb::handle word : words) forms.push_back(utf8(word));
    side.check(forms.size());
    if (weights.size() != forms.size()) throw std::invalid_argument("a word without a weight");
    for (const auto& column : {hypotheses, references})
      for (const std::int64_t text : column)
        if (text < 0 || static_cast<std::size_t>(text) >= side.size())
          throw std::invalid_argument("a text that is not there");
    if (reference_bounds.size() != hypotheses.size() + 1 || reference_bounds.front() != 0 ||
        reference_bounds.back() != static_cast<std::int64_t>(references.size()))
      throw std::invalid_argument("the bounds do not fit the references");
    for (std::size_t i = 0; i < hypotheses.size(); ++i)
      if (reference_bounds[i] >= reference_bounds[i + 1])
        throw std::invalid_argument("a segment without references");
  }

  Words text(std::int64_t number) const {
    return side.sentence(static_cast<std::size_t>(number));
  }

  // Hands segment i to the matcher; its references are those from the number returned on.
  std::size_t read(std::size_t i, ParaEval& paraeval) const {
    const auto first = static_cast<std::size_t>(reference_bounds[i]);
    const auto end = static_cast<std::size_t>(reference_bounds[i + 1]);
    std::vector<Words> several;
    for (std::size_t r = first; r < end; ++r) several.push_back(text(references[r]));
    paraeval.read(text(hypotheses[i]), several);
    return first;
  }

  Side side;
  std::vector<std::string_view> forms;
  std::span<const std::uint32_t> weights;
  std::span<const std::int64_t> hypotheses, references, reference_bounds;
};

void write(const Matched& sum, std::int64_t* row) {
  row[0] = sum.matched;
  row[1] = sum.total;
  row[2] = sum.proven;
}

nb::list list_of(const std::vector<FoundIn>& found) {
  nb::list rows;
  for (const FoundIn& one : found)
    rows.append(nb::make_tuple(one.begin, one.end, one.other, one.other_begin, one.other_end,
                               one.tier, one.probability));
  return rows;
}

// Segments with all that their matching depends on.
struct BoundParaEval {
  BoundParaEval(const nb::object& tables, std::size_t longest, const ParaEvalOptions& given,
                const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
                const nb::list& forms, const Column<std::uint32_t>& weights,
                const Column<std::int64_t>& hypotheses, const Column<std::int64_t>& references,
                const Column<std::int64_t>& reference_bounds)
      : owner(nb::make_tuple(tables, tokens, bounds, forms, weights, hypotheses, references,
                             reference_bounds)),
        options(given),
        source(tables, longest),
        segments(tokens, bounds, forms, weights, hypotheses, references, reference_bounds) {}

  nb::tuple counts(bool precision, bool recall, unsigned threads) const {
    std::vector<std::int64_t> of_hypotheses(precision ? segments.hypotheses.size() * 3 : 0);
    std::vector<std::int64_t> of_references(recall ? segments.references.size() * 3 : 0);
    Kept<Paraphrases> kept;  // what one has looked up serves the next block of its thread
    const auto score = [&](std::size_t begin, std::size_t end) {
      auto paraphrases = kept.take([&] { return source.open(); });
      ParaEval paraeval(paraphrases.get(), segments.forms, segments.weights, options);
      for (std::size_t i = begin; i < end; ++i) {
        const std::size_t first = segments.read(i, paraeval);
        if (precision) write(paraeval.precision(), &of_hypotheses[3 * i]);
        const auto last = static_cast<std::size_t>(segments.reference_bounds[i + 1]);
        for (std::size_t r = first; recall && r < last; ++r)
          write(paraeval.recall(r - first), &of_references[3 * r]);
      }
      kept.put(std::move(paraphrases));
    };
    parallel_without_gil(segments.hypotheses.size(), threads, segments_per_block, score);
    return numpy_tuple(std::move(of_hypotheses), std::move(of_references));
  }

  nb::tuple matches() const {
    if (segments.hypotheses.empty()) throw std::invalid_argument("there is no segment");
    const auto paraphrases = source.open();
    ParaEval paraeval(paraphrases.get(), segments.forms, segments.weights, options);
    segments.read(0, paraeval);
    std::vector<FoundIn> found;
    paraeval.precision(&found);
    nb::list of_references;
    for (std::int64_t r = 0; r < segments.reference_bounds[1]; ++r) {
      std::vector<FoundIn> here;
      paraeval.recall(static_cast<std::size_t>(r), &here);
      of_references.append(list_of(here));
    }
    return nb::make_tuple(list_of(found), of_references);
  }

  nb::tuple owner;  // keeps alive what the rest looks into
  ParaEvalOptions options;
  Source source;
  Segments segments;
};

}  // namespace

void bind_paraeval(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<ParaEvalOptions>(m, "ParaEvalOptions")
      .def("__init__",
           [](ParaEvalOptions* self, double min_probability, std::uint32_t min_length, bool exact,
              bool tiered, double power, bool one_phrase) {
             new (self)
                 ParaEvalOptions{min_probability, min_length, exact, tiered, power, one_phrase};
           },
           "min_probability"_a, "min_length"_a, "exact"_a, "tiered"_a, "power"_a,
           "one_phrase"_a);
  nb::class_<BoundParaEval>(m, "ParaEval")
      .def(nb::init<const nb::object&, std::size_t, const ParaEvalOptions&,
                    const Column<std::uint32_t>&, const Column<std::int64_t>&, const nb::list&,
                    const Column<std::uint32_t>&, const Column<std::int64_t>&,
                    const Column<std::int64_t>&, const Column<std::int64_t>&>(),
           "tables"_a, "longest"_a, "options"_a, "tokens"_a, "bounds"_a, "forms"_a, "weights"_a,
           "hypotheses"_a, "references"_a, "reference_bounds"_a)
      .def("counts", &BoundParaEval::counts, "precision"_a, "recall"_a, "threads"_a,
           "For each hypothesis, and for each reference: weight of the words found on the other "
           "side, of all its words, and whether no other choice of matches finds more.")
      .def("matches", &BoundParaEval::matches,
           "What was found of the first hypothesis, and of each of its references: begin, end, "
           "other text, its begin and end, tier, probability.");
}

}  // namespace otherwords
