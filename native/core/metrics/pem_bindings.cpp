// What Python sees of PEM.
#include "arrays.hpp"
#include "metrics/pivot_bags.hpp"
#include "metrics/rbf.hpp"
#include "models/bindings.hpp"
#include "side.hpp"

namespace otherwords {
namespace {

constexpr std::size_t pem_block = 32;

// Sentences as numbers of words, and pairs of them.
struct Pairs {
  Pairs(const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
        const nb::list& vocabulary, const Column<std::int64_t>& left,
        const Column<std::int64_t>& right)
      : side{view(tokens), view(bounds)}, lefts(view(left)), rights(view(right)) {
    for (nb::handle word : vocabulary) words.push_back(utf8(word));
    side.check(words.size());
    if (lefts.size() != rights.size()) throw std::invalid_argument("pairs with one side missing");
    for (const auto& column : {lefts, rights})
      for (const std::int64_t sentence : column)
        if (sentence < 0 || static_cast<std::size_t>(sentence) >= side.size())
          throw std::invalid_argument("a pair names a sentence that is not there");
  }

  Side side;
  std::span<const std::int64_t> lefts, rights;
  std::vector<std::string_view> words;
};

// The bag of the sentence that was asked for last: neighbouring pairs often share one.
struct LastBag {
  std::int64_t sentence = -1;
  Bag bag;

  template <typename Make>
  const Bag& of(std::int64_t wanted, Make& make) {
    if (wanted != sentence) make(wanted, bag);
    sentence = wanted;
    return bag;
  }
};

// Of each pair and order: weight in common, on the left, on the right; and whether the table
// knows a phrase of either sentence. `maker()` gives what makes the bag of a sentence.
struct Overlap {
  std::vector<double> sums;
  std::vector<std::uint8_t> known;
};

template <typename Maker>
Overlap compare_pairs(const Pairs& pairs, std::size_t orders, unsigned threads,
                      const Maker& maker) {
  Overlap out{std::vector<double>(pairs.lefts.size() * orders * 3),
              std::vector<std::uint8_t>(pairs.lefts.size())};
  parallel_blocks(pairs.lefts.size(), threads, pem_block,
                  [&](std::size_t begin, std::size_t end) {
                    auto make = maker();
                    LastBag last_left, last_right;
                    for (std::size_t i = begin; i < end; ++i) {
                      const Bag& left = last_left.of(pairs.lefts[i], make);
                      const Bag& right = last_right.of(pairs.rights[i], make);
                      Bag::compare(left, right, orders, &out.sums[i * orders * 3]);
                      out.known[i] = left.known || right.known;
                    }
                  });
  return out;
}

nb::tuple pivot_overlap(const BoundPivotTable& table, double total, const BagOptions& options,
                         const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
                         const nb::list& vocabulary, const Column<std::int64_t>& left,
                         const Column<std::int64_t>& right, unsigned threads) {
  const Pairs pairs(tokens, bounds, vocabulary, left, right);
  Overlap found = without_gil([&] {
    return compare_pairs(pairs, options.orders, threads, [&] {
      return [&, bags = PivotBags(table.table, total, options),
              words = std::vector<std::string_view>()](std::int64_t sentence, Bag& bag) mutable {
        words.clear();
        for (const std::uint32_t token : pairs.side.sentence(static_cast<std::size_t>(sentence)))
          words.push_back(pairs.words[token]);
        bags.make(words, bag);
      };
    });
  });
  return numpy_tuple(std::move(found.sums), std::move(found.known));
}

nb::object word_overlap(const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
                        const nb::list& vocabulary, const Column<std::int64_t>& left,
                        const Column<std::int64_t>& right, std::size_t orders, unsigned threads) {
  if (orders < 1 || orders > Bag::max_orders) throw std::invalid_argument("1 to 8 orders");
  const Pairs pairs(tokens, bounds, vocabulary, left, right);
  Overlap found = without_gil([&] {
    return compare_pairs(pairs, orders, threads, [&] {
      return [&, words = std::vector<std::uint64_t>()](std::int64_t sentence, Bag& bag) mutable {
        const auto ids = pairs.side.sentence(static_cast<std::size_t>(sentence));
        words.assign(ids.begin(), ids.end());
        make_word_bag(words, orders, bag);
      };
    });
  });
  return to_numpy(std::move(found.sums));
}

nb::list segments(const BoundPivotTable& table, double total, const BagOptions& options,
                  const nb::list& words) {
  nb::list out;
  PivotBags bags(table.table, total, options);
  for (const Segment& part : bags.segment(utf8_list(words)))
    out.append(nb::make_tuple(part.begin, part.end));
  return out;
}

std::vector<std::pair<std::string, double>> bag_of(const BoundPivotTable& table, double total,
                                                   const BagOptions& options,
                                                   const nb::list& words) {
  return PivotBags(table.table, total, options).list(utf8_list(words));
}

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::object predict(const Matrix& support, const Column<double>& coefficients, double gamma,
                   double bias, const Matrix& points, unsigned threads) {
  const std::size_t width = support.shape(1), size = support.shape(0);
  if (points.shape(1) != width || coefficients.shape(0) != size)
    throw std::invalid_argument("support vectors, coefficients and points do not fit");
  std::vector<double> out(points.shape(0));
  {
    nb::gil_scoped_release release;
    const RadialBasis regression({support.data(), size * width}, view(coefficients), width, gamma,
                                 bias);
    parallel_blocks(out.size(), threads, pem_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t p = begin; p < end; ++p) out[p] = regression(points.data() + p * width);
    });
  }
  return to_numpy(std::move(out));
}

BagOptions bag_options(std::size_t longest, std::size_t orders, double edge_threshold,
                       double gram_threshold, bool renormalise) {
  if (longest < 1 || longest > PivotTable::longest_phrase)
    throw std::invalid_argument("phrases have 1 to 16 words");
  if (orders < 1 || orders > Bag::max_orders) throw std::invalid_argument("1 to 8 orders");
  return {longest, orders, edge_threshold, gram_threshold, renormalise};
}

}  // namespace

void bind_pem(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<BagOptions>(m, "BagOptions")
      .def("__init__",
           [](BagOptions* self, std::size_t longest, std::size_t orders, double edge_threshold,
              double gram_threshold, bool renormalise) {
             new (self) BagOptions(
                 bag_options(longest, orders, edge_threshold, gram_threshold, renormalise));
           },
           "longest"_a, "orders"_a, "edge_threshold"_a, "gram_threshold"_a, "renormalise"_a);
  m.def("pivot_overlap", &pivot_overlap, "table"_a, "total"_a, "options"_a, "tokens"_a, "bounds"_a,
        "vocabulary"_a, "left"_a, "right"_a, "threads"_a,
        "For each pair and order: weight of pivot n-grams in common, on the left, on the right; "
        "for each pair whether the table knows any of its phrases.");
  m.def("word_overlap", &word_overlap, "tokens"_a, "bounds"_a, "vocabulary"_a, "left"_a, "right"_a,
        "orders"_a, "threads"_a, "The same of the sentences' own n-grams.");
  m.def("predict_rbf", &predict, "support"_a, "coefficients"_a, "gamma"_a, "bias"_a, "points"_a,
        "threads"_a, "Support vector regression with a radial basis function, for each point.");
  m.def("pivot_segments", &segments, "table"_a, "total"_a, "options"_a, "words"_a,
        "The phrases of the best segmentation: begin and end.");
  m.def("pivot_bag", &bag_of, "table"_a, "total"_a, "options"_a, "words"_a,
        "The pivot n-grams of a sentence and their weights.");
}

}  // namespace otherwords
