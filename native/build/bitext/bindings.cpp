// What Python sees of the aligner.
#include "arrays.hpp"
#include "bitext/alignment.hpp"
#include "bitext/training.hpp"
#include "bitext/translations.hpp"
#include "signals.hpp"

namespace otherwords {
namespace {

template <typename T>
using In = Column<T>;

Bitext bitext_of(const nb::tuple& left, const nb::tuple& right) {
  const auto side = [](const nb::tuple& arrays) {
    return Side{view(nb::cast<In<std::uint32_t>>(arrays[0], false)),
                view(nb::cast<In<std::int64_t>>(arrays[1], false))};
  };
  return {side(left), side(right), nb::cast<std::size_t>(left[2]), nb::cast<std::size_t>(right[2])};
}

std::vector<double> flat(const JumpWeights& weights) {
  std::vector<double> out(weights.inner.begin(), weights.inner.end());
  out.insert(out.end(), weights.first.begin(), weights.first.end());
  return out;
}

JumpWeights jump_weights(std::span<const double> values) {
  if (values.size() != 2 * jump_buckets)
    throw std::invalid_argument("alignment model: jumps of another size");
  JumpWeights out;
  std::copy_n(values.begin(), jump_buckets, out.inner.begin());
  std::copy_n(values.begin() + jump_buckets, jump_buckets, out.first.begin());
  return out;
}

// The pairs of words that stand in one sentence pair.
nb::tuple cooccurring(const nb::tuple& left, const nb::tuple& right, std::size_t max_words) {
  const Bitext bitext = bitext_of(left, right);
  bitext.check();
  SignalCheck interrupt;
  Buffer<std::uint32_t> lefts, rights;
  for (const WordRange range : word_ranges(bitext)) {
    Cooccurrence cooccurrence(bitext, range, max_words);
    for (std::uint32_t word = range.begin; word < range.end; ++word) {
      interrupt();
      for (const std::uint32_t other : cooccurrence.row(word).right) {
        lefts.push_back(word);
        rights.push_back(other);
      }
    }
  }
  return numpy_tuple(std::move(lefts), std::move(rights));
}

nb::dict train(const nb::tuple& left, const nb::tuple& right, const nb::tuple& evidence,
               unsigned model1_iterations, unsigned hmm_iterations, double null_probability,
               double alpha, double stem_weight, double prune, const nb::tuple& left_stems,
               const nb::tuple& right_stems, std::size_t max_words, unsigned threads,
               nb::object tick) {
  const Bitext bitext = bitext_of(left, right);
  const Evidence given{view(nb::cast<In<std::uint32_t>>(evidence[0], false)),
                       view(nb::cast<In<std::uint32_t>>(evidence[1], false)),
                       view(nb::cast<In<float>>(evidence[2], false))};
  if (given.left.size() != given.right.size() || given.left.size() != given.counts.size())
    throw std::invalid_argument("evidence: columns of different lengths");
  const auto stems = [](const nb::tuple& of) {
    return Stems{view(nb::cast<In<std::uint32_t>>(of[0], false)), nb::cast<std::size_t>(of[1])};
  };
  const TrainingOptions options{.model1_iterations = model1_iterations,
                                .hmm_iterations = hmm_iterations,
                                .null_probability = null_probability,
                                .alpha = alpha,
                                .stem_weight = stem_weight,
                                .left_stems = stems(left_stems),
                                .right_stems = stems(right_stems),
                                .prune = prune,
                                .max_words = max_words,
                                .threads = threads,
                                .interrupt = SignalCheck()};
  AlignmentTable table = without_gil([&] {
    return train_aligner(bitext, given, options, [&] {
      nb::gil_scoped_acquire acquire;
      tick();
    });
  });
  nb::dict out;
  out["rows"] = to_numpy(std::move(table.rows));
  out["right"] = to_numpy(std::move(table.right));
  out["to_right"] = to_numpy(std::move(table.to_right));
  out["to_left"] = to_numpy(std::move(table.to_left));
  out["left_share"] = to_numpy(std::move(table.left_share));
  out["right_share"] = to_numpy(std::move(table.right_share));
  out["right_jumps"] = to_numpy(flat(table.right_jumps));
  out["left_jumps"] = to_numpy(flat(table.left_jumps));
  return out;
}

Heuristic heuristic_named(std::string_view name) {
  if (name == "intersection") return Heuristic::intersection;
  if (name == "union") return Heuristic::union_;
  if (name == "grow-diag") return Heuristic::grow_diag;
  if (name == "grow-diag-final") return Heuristic::grow_diag_final;
  if (name == "grow-diag-final-and") return Heuristic::grow_diag_final_and;
  throw std::invalid_argument("unknown symmetrisation heuristic");
}

nb::tuple align_bitext(const nb::dict& table, const nb::tuple& left, const nb::tuple& right,
                       std::string_view heuristic, double threshold, double null_probability,
                       std::size_t max_words, unsigned threads) {
  const AlignmentView model{column<std::uint64_t>(table, "rows"),
                            column<std::uint32_t>(table, "right"),
                            column<float>(table, "to_right"),
                            column<float>(table, "to_left"),
                            column<float>(table, "left_share"),
                            column<float>(table, "right_share"),
                            jump_weights(column<double>(table, "right_jumps")),
                            jump_weights(column<double>(table, "left_jumps"))};
  const Bitext bitext = bitext_of(left, right);
  AlignmentOptions options{std::nullopt, threshold, null_probability,
                           max_words,    threads,   SignalCheck()};
  if (heuristic != "posterior") options.heuristic = heuristic_named(heuristic);
  Links links = without_gil([&] { return align(model, bitext, options); });
  return numpy_tuple(std::move(links.left), std::move(links.right), std::move(links.bounds),
                     std::move(links.posteriors));
}

LinksView links_of(const nb::tuple& links) {
  return {view(nb::cast<In<std::uint32_t>>(links[0], false)),
          view(nb::cast<In<std::uint32_t>>(links[1], false)),
          view(nb::cast<In<std::int64_t>>(links[2], false))};
}

// The lines of some sentence pairs in the notation i-j, or i-j:p with posteriors.
std::string pharaoh(const nb::tuple& of, std::optional<In<float>> posteriors, std::size_t begin,
                    std::size_t end) {
  const LinksView links = links_of(of);
  links.check();
  if (begin > end || end > links.size() ||
      (posteriors && posteriors->shape(0) != links.left.size()))
    throw std::invalid_argument("links: the posteriors or the lines do not fit the links");
  std::string out;
  char number[32];
  for (std::size_t s = begin; s < end; ++s) {
    for (auto k = static_cast<std::size_t>(links.bounds[s]);
         k < static_cast<std::size_t>(links.bounds[s + 1]); ++k) {
      if (k != static_cast<std::size_t>(links.bounds[s])) out += ' ';
      out.append(number, std::to_chars(number, number + 32, links.left[k]).ptr);
      out += '-';
      out.append(number, std::to_chars(number, number + 32, links.right[k]).ptr);
      if (posteriors) {
        out += ':';
        const double value = posteriors->data()[k];
        out.append(number, std::to_chars(number, number + 32, value, std::chars_format::fixed, 3).ptr);
      }
    }
    out += '\n';
  }
  return out;
}

nb::tuple symmetrise_links(const nb::tuple& forward, const nb::tuple& backward,
                           std::string_view heuristic) {
  const Heuristic which = heuristic_named(heuristic);
  const LinksView one = links_of(forward), other = links_of(backward);
  Links links = without_gil([&] { return symmetrise(one, other, which); });
  return numpy_tuple(std::move(links.left), std::move(links.right), std::move(links.bounds));
}

}  // namespace

void bind_bitext(nb::module_& m) {
  using namespace nb::literals;
  m.def("cooccurring", &cooccurring, "left"_a, "right"_a, "max_words"_a,
        "Left and right words of every pair that stands in one sentence pair.");
  m.def("train_aligner", &train, "left"_a, "right"_a, "evidence"_a, nb::kw_only(),
        "model1_iterations"_a, "hmm_iterations"_a, "null_probability"_a, "alpha"_a, "stem_weight"_a,
        "prune"_a, "left_stems"_a, "right_stems"_a, "max_words"_a, "threads"_a, "tick"_a,
        "The arrays of an alignment model trained on a bitext.");
  m.def("align", &align_bitext, "table"_a, "left"_a, "right"_a, nb::kw_only(), "heuristic"_a,
        "threshold"_a, "null_probability"_a, "max_words"_a, "threads"_a,
        "Links of a bitext: left and right positions, bounds of sentences, posteriors.");
  m.def("pharaoh", &pharaoh, "links"_a, "posteriors"_a.none(), "begin"_a, "end"_a,
        "Lines i-j, or i-j:p, of the sentence pairs from begin to end.");
  m.def("symmetrise", &symmetrise_links, "forward"_a, "backward"_a, "heuristic"_a,
        "The links of two directions made one alignment.");
}

}  // namespace otherwords
