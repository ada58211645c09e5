// What Python sees of estimating, pruning and packing language models.
#include "arrays.hpp"
#include "lm/arpa.hpp"
#include "lm/bound_model.hpp"
#include "lm/estimate.hpp"
#include "lm/table.hpp"
#include "text/encoded_text.hpp"

namespace otherwords {
namespace {

using namespace lm;

template <typename T>
void put_all(std::vector<std::pair<std::string, std::vector<T>>>&& arrays, nb::dict& out) {
  for (auto& [name, values] : arrays) out[name.c_str()] = to_numpy(std::move(values));
}

nb::dict pack_table(const NgramTable& table, const Column<std::uint64_t>& hashes, unsigned bits) {
  const auto keys = view(hashes);
  PackedArrays arrays = without_gil([&] { return pack(table, keys, bits); });
  nb::dict out;
  std::vector<std::int64_t> sizes;
  for (const Level& level : table.levels) sizes.push_back(static_cast<std::int64_t>(level.size()));
  out["sizes"] = to_numpy(std::move(sizes));
  put_all(std::move(arrays.numbers), out);
  put_all(std::move(arrays.bytes), out);
  put_all(std::move(arrays.flags), out);
  put_all(std::move(arrays.values), out);
  return out;
}

nb::tuple estimate_table(const Column<std::uint32_t>& tokens, const Column<std::int64_t>& bounds,
                         std::size_t vocabulary, unsigned order,
                         const std::vector<std::uint64_t>& prune,
                         const std::vector<double>& fallback, unsigned threads) {
  EstimateOptions options;
  options.order = order;
  options.prune = prune;
  if (fallback.size() != 3) throw std::invalid_argument("three discounts to fall back on");
  std::copy(fallback.begin(), fallback.end(), options.fallback.begin());
  options.threads = threads;
  const auto words = view(tokens);
  const auto ends = view(bounds);
  Estimate result = without_gil([&] { return estimate(words, ends, vocabulary, options); });
  nb::list discounts;
  for (const Discounts& one : result.discounts)
    discounts.append(nb::make_tuple(one.amount[1], one.amount[2], one.amount[3], one.fallback));
  return nb::make_tuple(nb::cast(std::move(result.table)), discounts);
}

// The table and its words, then the line of an error and what is wrong there.
nb::tuple read_arpa_bytes(const nb::bytes& text) {
  const std::string_view bytes(text.c_str(), text.size());
  ArpaModel model;
  try {
    nb::gil_scoped_release release;
    model = read_arpa(bytes);
  } catch (const ArpaError& error) {
    return nb::make_tuple(nb::none(), nb::list(), error.line, text_with_replacements(error.what()));
  }
  return nb::make_tuple(nb::cast(std::move(model.table)), text_list(model.words), 0, nb::str(""));
}

nb::bytes arpa_block(const NgramTable& table, const nb::list& words, std::size_t length,
                     std::size_t begin, std::size_t end) {
  const auto views = utf8_list(words);
  if (length < 1 || length > table.order() || views.size() != table.levels[0].size())
    throw std::invalid_argument("the words do not fit the model");
  end = std::min(end, table.levels[length - 1].size());
  const std::string lines = arpa_lines(table, views, length - 1, begin, end);
  return nb::bytes(lines.data(), lines.size());
}

// Adds the texts up to the first with a reserved word; its position and that word, or None.
nb::object add_texts(EncodedText& self, const nb::list& texts, bool skip) {
  const auto views = utf8_list(texts);
  std::string_view refused;
  const std::size_t i = without_gil([&] {
    for (std::size_t i = 0; i < views.size(); ++i) {
      const std::size_t before = self.tokens.size();
      self.add(views[i], [&](std::string_view word) {
        if (!is_reserved(word)) return true;
        if (!skip) refused = word;
        return false;
      });
      if (refused.empty()) continue;
      self.tokens.shrink(before);
      self.bounds.shrink(self.bounds.size() - 1);
      return i;
    }
    return views.size();
  });
  if (refused.empty()) return nb::none();
  return nb::make_tuple(i, text_of(refused));
}

NgramTable pruned(const NgramTable& table, double threshold) {
  nb::gil_scoped_release release;
  NgramTable copy = table;
  prune_by_entropy(copy, importances(table), threshold);
  return copy;
}

double threshold_of(const NgramTable& table, unsigned bits, std::size_t bytes) {
  nb::gil_scoped_release release;
  return threshold_for(table, importances(table), bits, bytes);
}

std::vector<std::size_t> sizes_of(const NgramTable& table) {
  std::vector<std::size_t> sizes;
  for (const Level& level : table.levels) sizes.push_back(level.size());
  return sizes;
}

}  // namespace

void bind_lm_building(nb::module_& m) {
  using namespace nb::literals;
  nb::class_<EncodedText>(m, "EncodedText")
      .def("__init__",
           [](EncodedText* self, std::string_view tokenizer, bool keep_case) {
             new (self) EncodedText(tokenizer_named(tokenizer), keep_case);
           },
           "tokenizer"_a, "keep_case"_a)
      .def("add", &add_texts, "texts"_a, "skip"_a)
      .def("words", [](const EncodedText& self) { return text_list(self.words); })
      .def("take",
           [](EncodedText& self) {
             return numpy_tuple(std::move(self.tokens), std::move(self.bounds));
           },
           "The tokens and the bounds of the sentences; the text is empty after it.");
  nb::class_<NgramTable>(m, "NgramTable")
      .def_prop_ro("sizes", &sizes_of)
      .def("pruned", &pruned, "threshold"_a, "Without what entropy pruning drops.")
      .def("threshold_for", &threshold_of, "bits"_a, "bytes"_a,
           "The threshold for a packed model of at most so many bytes; negative if none.")
      .def("pack", &pack_table, "hashes"_a, "bits"_a, "The arrays of the packed model.")
      .def("arpa_block", &arpa_block, "words"_a, "length"_a, "begin"_a, "end"_a);
  m.def("estimate_lm", &estimate_table, "tokens"_a, "bounds"_a, "vocabulary"_a, "order"_a,
        "prune"_a, "fallback"_a, "threads"_a,
        "A table of n-grams, and per order the discounts and whether they are the fallback.");
  m.def("read_arpa", &read_arpa_bytes, "text"_a,
        "(table, words, 0, ''), or (None, [], line, what is wrong there).");
  m.def("unpack",
        [](const BoundModel& packed) { return without_gil([&] { return unpack(packed.model); }); },
        "packed"_a, "The n-grams of a packed model.");
}

}  // namespace otherwords
