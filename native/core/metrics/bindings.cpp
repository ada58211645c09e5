// What Python sees of metrics.
#include "arrays.hpp"
#include "metrics/maxsim.hpp"
#include "metrics/ngrams.hpp"
#include "metrics/word_order.hpp"
#include "side.hpp"
#include "text/bindings.hpp"

namespace otherwords {
namespace {

constexpr std::size_t maxsim_block = 32;

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
  parallel_without_gil(lefts.size(), threads, maxsim_block,
                  [&](std::size_t begin, std::size_t end) {
                    MaxSim maxsim(lexicon.lexicon);
                    for (std::size_t pair = begin; pair < end; ++pair)
                      maxsim.match(columns, lefts[pair], rights[pair], orders, dependencies,
                                   &counts[pair * rows]);
                  });
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

void check_pairs(const Side& texts, std::size_t words, std::span<const std::int64_t> lefts,
                 std::span<const std::int64_t> rights) {
  texts.check(words);
  if (lefts.size() != rights.size()) throw std::invalid_argument("pairs with one side missing");
  for (const auto& side : {lefts, rights})
    for (const std::int64_t text : side)
      if (text < 0 || static_cast<std::size_t>(text) >= texts.size())
        throw std::invalid_argument("a pair names a text that is not there");
}

nb::object word_order(const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
                      std::size_t words, const Column<std::int64_t>& left,
                      const Column<std::int64_t>& right, unsigned threads) {
  const Side texts{view(tokens), view(bounds)};
  const auto lefts = view(left), rights = view(right);
  check_pairs(texts, words, lefts, rights);
  std::vector<double> out(lefts.size() * 5);
  parallel_without_gil(
      lefts.size(), threads, maxsim_block, [&](std::size_t begin, std::size_t end) {
        WordOrder order;
        for (std::size_t pair = begin; pair < end; ++pair) {
          const auto found = order.compare(texts.sentence(static_cast<std::size_t>(lefts[pair])),
                                           texts.sentence(static_cast<std::size_t>(rights[pair])));
          const double row[] = {found.breaks, found.kendall, found.shift, found.chunks,
                                found.common};
          std::copy(std::begin(row), std::end(row), &out[pair * 5]);
        }
      });
  return to_numpy(std::move(out));
}

nb::object common_ngrams(const Column<std::uint32_t>& codes, const Column<std::int64_t>& bounds,
                         std::size_t words, const Column<std::int64_t>& left,
                         const Column<std::int64_t>& right, std::size_t longest,
                         unsigned threads) {
  const Side texts{view(codes), view(bounds)};
  const auto lefts = view(left), rights = view(right);
  check_pairs(texts, words, lefts, rights);
  std::vector<std::uint32_t> places(codes.shape(0));
  const auto places_of = [&](std::size_t text) {
    return std::span(places).subspan(static_cast<std::size_t>(texts.bounds[text]),
                                     texts.sentence(text).size());
  };
  parallel_without_gil(texts.size(), threads, maxsim_block,
                       [&](std::size_t begin, std::size_t end) {
                         for (std::size_t text = begin; text < end; ++text)
                           sort_places(texts.sentence(text), places_of(text), longest);
                       });
  const auto sorted = [&](std::int64_t text) {
    const auto place = static_cast<std::size_t>(text);
    return SortedText{texts.sentence(place), places_of(place)};
  };
  std::vector<double> out(lefts.size() * longest);
  parallel_without_gil(
      lefts.size(), threads, maxsim_block, [&](std::size_t begin, std::size_t end) {
        for (std::size_t pair = begin; pair < end; ++pair)
          for (std::size_t length = 1; length <= longest; ++length)
            out[pair * longest + length - 1] = static_cast<double>(
                count_common(sorted(lefts[pair]), sorted(rights[pair]), length));
      });
  return to_numpy(std::move(out));
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
  m.def("word_order", &word_order, "tokens"_a, "bounds"_a, "words"_a, "left"_a, "right"_a,
        "threads"_a,
        "For each pair: breaks, Kendall's share, mean shift, chunks, longest common subsequence.");
  m.def("common_ngrams", &common_ngrams, "codes"_a, "bounds"_a, "words"_a, "left"_a, "right"_a,
        "longest"_a, "threads"_a,
        "For each pair and length up to the longest: the n-grams that both texts have.");
}

}  // namespace otherwords
