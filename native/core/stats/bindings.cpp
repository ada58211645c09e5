// What Python sees of statistics.
#include "arrays.hpp"
#include "stats/coefficients.hpp"

namespace otherwords {
namespace {

constexpr std::size_t draws_per_block = 8;

using Draws = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Table = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Ranks = Column<std::uint32_t>;

constexpr std::size_t kinds = 5;  // of pairs

void put(const meta::PairCounts& counts, std::int64_t* into) {
  into[0] = counts.concordant;
  into[1] = counts.discordant;
  into[2] = counts.tied_x;
  into[3] = counts.tied_y;
  into[4] = counts.tied_both;
}

nb::object pair_counts(const Column<double>& x, const Ranks& y, const Ranks& units,
                       const Draws& times, double epsilon, unsigned threads) {
  const meta::PairRows rows(view(x), view(y), view(units), epsilon);
  const std::size_t width = times.shape(1);
  if (rows.units() > width) throw std::invalid_argument("a row names a unit that is not there");
  std::vector<std::int64_t> found(times.shape(0) * kinds);
  parallel_without_gil(times.shape(0), threads, draws_per_block,
                  [&](std::size_t begin, std::size_t end) {
                    meta::PairRoom room;
                    for (std::size_t draw = begin; draw < end; ++draw)
                      put(rows.count({times.data() + draw * width, width}, room),
                          &found[draw * kinds]);
                  });
  return to_numpy(std::move(found));
}

nb::object pair_counts_each(const Table& x, const Table& y, double epsilon, unsigned threads) {
  if (x.shape(0) != y.shape(0) || x.shape(1) != y.shape(1))
    throw std::invalid_argument("both sides must have the same shape");
  const std::size_t width = x.shape(1);
  std::vector<std::int64_t> found(x.shape(0) * kinds);
  parallel_without_gil(x.shape(0), threads, draws_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t row = begin; row < end; ++row)
      put(meta::count_pairs({x.data() + row * width, width}, {y.data() + row * width, width},
                            epsilon),
          &found[row * kinds]);
  });
  return to_numpy(std::move(found));
}

nb::object spearman(const Ranks& x, const Ranks& y, const Ranks& units, const Draws& times,
                    unsigned threads) {
  const std::size_t size = x.shape(0), width = times.shape(1);
  if (y.shape(0) != size || units.shape(0) != size)
    throw std::invalid_argument("both ranks and a unit are needed for every row");
  for (std::size_t i = 0; i < size; ++i) {
    if (x.data()[i] >= size || y.data()[i] >= size)
      throw std::invalid_argument("a rank is higher than the number of rows");
    if (units.data()[i] >= width)
      throw std::invalid_argument("a row names a unit that is not there");
  }
  std::vector<double> found(times.shape(0));
  parallel_without_gil(
      found.size(), threads, draws_per_block, [&](std::size_t begin, std::size_t end) {
        meta::RankRoom room;
        for (std::size_t draw = begin; draw < end; ++draw)
          found[draw] = meta::spearman(view(x), view(y), view(units),
                                       {times.data() + draw * width, width}, room);
      });
  return to_numpy(std::move(found));
}

double tie_threshold(const Column<double>& x, const Column<double>& y, const Ranks& sizes,
                     std::size_t limit) {
  const nb::gil_scoped_release release;
  return meta::tie_threshold(view(x), view(y), view(sizes), limit);
}

}  // namespace

void bind_stats(nb::module_& m) {
  using namespace nb::literals;
  m.def("pair_counts", &pair_counts, "x"_a, "y"_a, "units"_a, "times"_a, "epsilon"_a, "threads"_a,
        "Pairs of rows for each draw of units: concordant, discordant, tied in x, in y, in both.");
  m.def("pair_counts_each", &pair_counts_each, "x"_a, "y"_a, "epsilon"_a, "threads"_a,
        "The same of the points in each row of two tables, NaN being none.");
  m.def("spearman_rho", &spearman, "x"_a, "y"_a, "units"_a, "times"_a, "threads"_a,
        "Rho of two columns of dense ranks for each draw of units; NaN if a side is constant.");
  m.def("tie_threshold", &tie_threshold, "x"_a, "y"_a, "sizes"_a, "limit"_a,
        "The difference of x up to which two scores are best called tied.");
}

}  // namespace otherwords
