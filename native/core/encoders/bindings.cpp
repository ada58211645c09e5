// What Python sees of encoders.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "encoders/soft_match.hpp"
#include "encoders/static_table.hpp"
#include "encoders/bindings.hpp"
#include "hash.hpp"
#include "parallel.hpp"

namespace otherwords {
namespace {

constexpr std::size_t block = 64;  // texts that a thread takes at once

std::vector<std::string_view> views(const nb::list& texts) {
  std::vector<std::string_view> out;
  out.reserve(nb::len(texts));
  for (nb::handle text : texts) out.push_back(utf8(text));
  return out;
}

std::vector<std::vector<Piece>> split_all(const StaticTable& table,
                                          const std::vector<std::string_view>& texts,
                                          unsigned threads) {
  std::vector<std::vector<Piece>> out(texts.size());
  parallel_blocks(texts.size(), threads, block, [&](std::size_t begin, std::size_t end) {
    WordPieces::Scratch scratch;
    for (std::size_t i = begin; i < end; ++i) table.pieces().split(texts[i], out[i], scratch);
  });
  return out;
}

std::vector<float> pooled(const StaticTable& table, const std::vector<std::string_view>& texts,
                          unsigned threads) {
  const std::size_t d = table.dimensions();
  std::vector<float> out(texts.size() * d);
  parallel_blocks(texts.size(), threads, block, [&](std::size_t begin, std::size_t end) {
    WordPieces::Scratch scratch;
    std::vector<Piece> pieces;
    for (std::size_t i = begin; i < end; ++i) {
      table.pieces().split(texts[i], pieces, scratch);
      table.pool(pieces, out.data() + i * d);
    }
  });
  return out;
}

nb::object sentence_vectors(const BoundTable& self, const nb::list& texts, unsigned threads) {
  const std::vector<std::string_view> given = views(texts);
  std::vector<float> out;
  {
    nb::gil_scoped_release release;
    out = pooled(self.table, given, threads);
  }
  return to_numpy(std::move(out));
}

void check_pairs(std::size_t texts, std::span<const std::int64_t> left,
                 std::span<const std::int64_t> right) {
  if (left.size() != right.size()) throw std::invalid_argument("columns of different lengths");
  const auto inside = [&](std::int64_t place) {
    return place >= 0 && static_cast<std::size_t>(place) < texts;
  };
  if (!std::ranges::all_of(left, inside) || !std::ranges::all_of(right, inside))
    throw std::invalid_argument("a pair of texts that are not there");
}

// Of each pair; exactly 1 for the same text, also for two texts without a piece.
nb::object cosines(const BoundTable& self, const nb::list& texts, Column<std::int64_t> left,
                   Column<std::int64_t> right, unsigned threads) {
  const std::vector<std::string_view> given = views(texts);
  const auto a = view(left), b = view(right);
  check_pairs(given.size(), a, b);
  std::vector<double> out(a.size());
  {
    nb::gil_scoped_release release;
    const std::size_t d = self.table.dimensions();
    const std::vector<float> rows = pooled(self.table, given, threads);
    const auto row = [&](std::int64_t i) { return rows.data() + static_cast<std::size_t>(i) * d; };
    for (std::size_t i = 0; i < a.size(); ++i)
      out[i] = std::equal(row(a[i]), row(a[i]) + d, row(b[i]))
                   ? 1.0
                   : self.table.cosine(row(a[i]), row(b[i]));
  }
  return to_numpy(std::move(out));
}

// For the pieces of all texts, one after the other: their vectors; and where each text's start.
nb::tuple token_vectors(const BoundTable& self, const nb::list& texts, float mix,
                        unsigned threads) {
  const std::vector<std::string_view> given = views(texts);
  const std::size_t d = self.table.dimensions();
  std::vector<std::int64_t> bounds{0};
  std::vector<float> out;
  {
    nb::gil_scoped_release release;
    const auto pieces = split_all(self.table, given, threads);
    for (const auto& some : pieces)
      bounds.push_back(bounds.back() + static_cast<std::int64_t>(some.size()));
    out.resize(static_cast<std::size_t>(bounds.back()) * d);
    parallel_blocks(given.size(), threads, block, [&](std::size_t begin, std::size_t end) {
      std::vector<float> rows;
      for (std::size_t i = begin; i < end; ++i) {
        self.table.mixed(pieces[i], mix, rows);
        std::copy(rows.begin(), rows.end(), out.data() + static_cast<std::size_t>(bounds[i]) * d);
      }
    });
  }
  return nb::make_tuple(to_numpy(std::move(out)), to_numpy(std::move(bounds)));
}

// Of one text: the pieces as text, the characters they cover, the rows of their vectors, weights
// in a sentence, rarity.
nb::tuple pieces(const BoundTable& self, nb::str text) {
  WordPieces::Scratch scratch;
  std::vector<Piece> found;
  self.table.pieces().split(utf8(text), found, scratch);
  nb::list names;
  std::vector<std::int64_t> begins, ends;
  std::vector<std::int32_t> rows;
  std::vector<float> weights, rarity;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Piece& piece = found[i];
    // A piece that starts where the one before it ended, in one word, continues it; words of the
    // folded text have no sign between them, so the hash decides.
    const std::string name = scratch.folded.substr(piece.first, piece.last - piece.first);
    if (piece.row == Piece::unknown)
      names.append(nb::str("[UNK]"));
    else if (hash64(name) == piece.hash)
      names.append(nb::str(name.data(), name.size()));
    else
      names.append(nb::str(("##" + name).c_str()));
    begins.push_back(piece.begin);
    ends.push_back(piece.end);
    rows.push_back(piece.row);
    weights.push_back(self.table.weight_of(piece));
    rarity.push_back(self.table.rarity_of(piece));
  }
  return nb::make_tuple(names, to_numpy(std::move(begins)), to_numpy(std::move(ends)),
                        to_numpy(std::move(rows)), to_numpy(std::move(weights)),
                        to_numpy(std::move(rarity)));
}

// Mean cosine of the pieces with their partners, weighted by rarity if asked; negative ones are 0.
double mean_cosine(const StaticTable& table, const std::vector<Piece>& pieces,
                   const PieceLinks& links, bool weighted) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const double weight = weighted ? table.rarity_of(pieces[i]) : 1.0;
    sum += weight * std::max(0.0f, links.cosines[i]);
    total += weight;
  }
  return total > 0 ? sum / total : 0;
}

// Precision and recall of each pair of texts; two empty texts are the same, one alone is nothing.
nb::object match(const BoundTable& self, const nb::list& texts, Column<std::int64_t> left,
                 Column<std::int64_t> right, float mix, bool weighted, unsigned threads) {
  const std::vector<std::string_view> given = views(texts);
  const auto a = view(left), b = view(right);
  check_pairs(given.size(), a, b);
  std::vector<double> out(2 * a.size());
  {
    nb::gil_scoped_release release;
    const auto all = split_all(self.table, given, threads);
    parallel_blocks(a.size(), threads, block, [&](std::size_t begin, std::size_t end) {
      PieceLinks of_one, of_other;
      for (std::size_t i = begin; i < end; ++i) {
        const auto& one = all[static_cast<std::size_t>(a[i])];
        const auto& other = all[static_cast<std::size_t>(b[i])];
        if (one.empty() && other.empty()) {
          out[2 * i] = out[2 * i + 1] = 1;
          continue;
        }
        self.table.match(one, other, mix, of_one, of_other);
        out[2 * i] = mean_cosine(self.table, one, of_one, weighted);
        out[2 * i + 1] = mean_cosine(self.table, other, of_other, weighted);
      }
    });
  }
  return to_numpy(std::move(out));
}

// For each pair and mix the summaries of left and right, then the cosine of the texts' vectors.
nb::object soft_features(const BoundTable& self, const nb::list& texts, Column<std::int64_t> left,
                         Column<std::int64_t> right, const std::vector<float>& mixes,
                         unsigned threads) {
  const std::vector<std::string_view> given = views(texts);
  const auto a = view(left), b = view(right);
  check_pairs(given.size(), a, b);
  const std::size_t d = self.table.dimensions(), summaries = 2 * mixes.size();
  const std::size_t width = summaries * SoftSummary::size + 1;
  std::vector<double> out(a.size() * width);
  {
    nb::gil_scoped_release release;
    std::vector<SignedPieces> all(given.size());
    std::vector<float> pooled(given.size() * d);
    parallel_blocks(given.size(), threads, block, [&](std::size_t begin, std::size_t end) {
      WordPieces::Scratch scratch;
      for (std::size_t i = begin; i < end; ++i) {
        all[i].split(self.table.pieces(), given[i], scratch);
        self.table.pool(all[i].pieces, pooled.data() + i * d);
      }
    });
    parallel_blocks(a.size(), threads, block, [&](std::size_t begin, std::size_t end) {
      SoftMatch matcher(self.table);
      std::vector<SoftSummary> found(summaries);
      for (std::size_t i = begin; i < end; ++i) {
        const auto one = static_cast<std::size_t>(a[i]), other = static_cast<std::size_t>(b[i]);
        matcher.compare(all[one], all[other], mixes, found.data());
        double* row = &out[i * width];
        for (const SoftSummary& side : found) row = side.copy(row);
        *row = self.table.cosine(&pooled[one * d], &pooled[other * d]);
      }
    });
  }
  return to_numpy(std::move(out));
}

// The partner of each piece of two texts, and its cosine.
nb::tuple links(const BoundTable& self, nb::str one, nb::str other, float mix) {
  WordPieces::Scratch scratch;
  std::vector<Piece> left, right;
  self.table.pieces().split(utf8(one), left, scratch);
  self.table.pieces().split(utf8(other), right, scratch);
  PieceLinks of_left, of_right;
  self.table.match(left, right, mix, of_left, of_right);
  return nb::make_tuple(to_numpy(std::move(of_left.partners)),
                        to_numpy(std::move(of_left.cosines)),
                        to_numpy(std::move(of_right.partners)),
                        to_numpy(std::move(of_right.cosines)));
}

}  // namespace

void bind_encoders(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<BoundTable>(m, "StaticTable")
      .def(nb::init<const nb::dict&>(), "arrays"_a)
      .def_prop_ro("dimensions", [](const BoundTable& self) { return self.table.dimensions(); })
      .def("pieces", &pieces, "text"_a)
      .def("sentence_vectors", &sentence_vectors, "texts"_a, "threads"_a)
      .def("cosines", &cosines, "texts"_a, "left"_a, "right"_a, "threads"_a)
      .def("token_vectors", &token_vectors, "texts"_a, "mix"_a, "threads"_a)
      .def("match", &match, "texts"_a, "left"_a, "right"_a, "mix"_a, "weighted"_a, "threads"_a)
      .def("soft_features", &soft_features, "texts"_a, "left"_a, "right"_a, "mixes"_a, "threads"_a)
      .def("links", &links, "one"_a, "other"_a, "mix"_a);
}

}  // namespace otherwords
