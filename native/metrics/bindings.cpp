// What otherwords.metrics sees of the native core.
#include <nanobind/nanobind.h>

#include <algorithm>
#include <vector>

#include "arrays.hpp"
#include "metrics/maxsim.hpp"
#include "parallel.hpp"
#include "text/bindings.hpp"

namespace otherwords {
namespace {

constexpr std::size_t pairs_per_block = 32;

void check_pairs(const Columns& columns, std::span<const std::int64_t> side, bool dependencies) {
  if (dependencies && !columns.has_dependencies())
    throw std::invalid_argument("dependencies are wanted, but the sentences have none");
  for (std::int64_t sentence : side)
    if (sentence < 0 || static_cast<std::size_t>(sentence) >= columns.sentences())
      throw std::invalid_argument("a pair names a sentence that is not there");
}

nb::object maxsim_counts(const Columns& columns, const Column<std::int64_t>& left,
                         const Column<std::int64_t>& right, const BoundLexicon& lexicon,
                         unsigned orders, bool dependencies, unsigned threads) {
  const auto lefts = view(left), rights = view(right);
  check_pairs(columns, lefts, dependencies);
  check_pairs(columns, rights, dependencies);
  if (lefts.size() != rights.size()) throw std::invalid_argument("pairs with one side missing");
  const std::size_t rows = orders + (dependencies ? 1 : 0);
  std::vector<MatchCounts> counts(lefts.size() * rows);
  {
    nb::gil_scoped_release release;
    parallel_blocks(lefts.size(), threads, pairs_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      MaxSim maxsim(lexicon.lexicon);
                      for (std::size_t pair = begin; pair < end; ++pair)
                        maxsim.match(columns, lefts[pair], rights[pair], orders, dependencies,
                                     &counts[pair * rows]);
                    });
  }
  std::vector<double> flat;
  flat.reserve(counts.size() * 3);
  for (const auto& [matched, of_left, of_right] : counts)
    flat.insert(flat.end(), {matched, of_left, of_right});
  return to_numpy(std::move(flat));
}

nb::list maxsim_matches(const Columns& columns, std::int64_t left, std::int64_t right,
                        const BoundLexicon& lexicon, unsigned orders, bool dependencies) {
  const std::int64_t pair[2] = {left, right};
  check_pairs(columns, pair, dependencies);
  std::vector<MatchCounts> counts(orders + 1);
  std::vector<Match> matches;
  MaxSim(lexicon.lexicon)
      .match(columns, left, right, orders, dependencies, counts.data(), &matches);
  nb::list out;
  for (const Match& match : matches)
    out.append(nb::make_tuple(match.order, static_cast<int>(match.phase), match.left, match.right,
                              match.weight));
  return out;
}

}  // namespace

void bind_metrics(nb::module_& m) {
  using namespace nb::literals;
  m.def("maxsim_counts", &maxsim_counts, "columns"_a, "left"_a, "right"_a, "lexicon"_a, "orders"_a,
        "dependencies"_a, "threads"_a,
        "For each pair and order: matched, items on the left, items on the right.");
  m.def("maxsim_matches", &maxsim_matches, "columns"_a, "left"_a, "right"_a, "lexicon"_a,
        "orders"_a, "dependencies"_a,
        "What was matched: order (0: triple), phase, left and right position, weight.");
}

}  // namespace otherwords
