// What otherwords.meta sees of the native core.
#include <nanobind/nanobind.h>

#include <vector>

#include "arrays.hpp"
#include "meta/kendall.hpp"
#include "parallel.hpp"

namespace otherwords {
namespace {

constexpr std::size_t draws_per_block = 8;

using Draws = nb::ndarray<const std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::object kendall_tau_b(const Column<std::uint32_t>& x, const Column<std::uint32_t>& y,
                         const Column<std::uint32_t>& units, const Draws& times,
                         unsigned threads) {
  const meta::KendallRows rows(view(x), view(y), view(units));
  const std::size_t width = times.shape(1);
  if (rows.units() > width) throw std::invalid_argument("a row names a unit that is not there");
  std::vector<double> found(times.shape(0));
  {
    nb::gil_scoped_release release;
    parallel_blocks(found.size(), threads, draws_per_block,
                    [&](std::size_t begin, std::size_t end) {
                      meta::KendallRoom room;
                      for (std::size_t draw = begin; draw < end; ++draw)
                        found[draw] = rows.tau_b({times.data() + draw * width, width}, room);
                    });
  }
  return to_numpy(std::move(found));
}

}  // namespace

void bind_meta(nb::module_& m) {
  using namespace nb::literals;
  m.def("kendall_tau_b", &kendall_tau_b, "x"_a, "y"_a, "units"_a, "times"_a, "threads"_a,
        "Tau-b of two columns of dense ranks for each draw of units; NaN if a side is constant.");
}

}  // namespace otherwords
