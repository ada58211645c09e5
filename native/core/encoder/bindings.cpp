// What otherwords.models.encoder sees of the native core.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "encoder/averaging.hpp"
#include "encoder/text_encoder.hpp"
#include "hash.hpp"
#include "signals.hpp"

namespace otherwords {
namespace {

template <typename T>
std::span<const T> named(const nb::dict& arrays, const std::string& name) {
  return column<T>(arrays, name.c_str());
}

CharacterArrays character_arrays(const nb::dict& arrays) {
  const auto modes = column<std::uint8_t>(arrays, "characters/modes");
  if (modes.size() != 2) throw std::invalid_argument("the encoder's settings do not fit");
  return {column<std::uint32_t>(arrays, "characters/starts"),
          column<std::uint8_t>(arrays, "characters/classes"),
          column<std::uint32_t>(arrays, "characters/fold_keys"),
          column<std::uint16_t>(arrays, "characters/fold_bounds"),
          column<std::uint32_t>(arrays, "characters/fold_values"),
          modes[0] != 0,
          modes[1] != 0};
}

LinearArrays linear_arrays(const nb::dict& arrays, const std::string& name) {
  return {named<std::int8_t>(arrays, name + "/panels"), named<float>(arrays, name + "/scales"),
          named<float>(arrays, name + "/bias")};
}

NormArrays norm_arrays(const nb::dict& arrays, const std::string& name) {
  return {named<float>(arrays, name + "/weight"), named<float>(arrays, name + "/bias")};
}

EmbeddingArrays embedding_arrays(const nb::dict& arrays, const std::string& name) {
  return {named<std::uint8_t>(arrays, name + "/codes"), named<float>(arrays, name + "/scales"),
          named<float>(arrays, name + "/columns")};
}

// The settings of a stack, in the order of build/encoders.py.
struct StackSettings {
  std::uint32_t layers, heads, longest, pooling, to_unit, head_layers;

  explicit StackSettings(std::span<const std::uint32_t> numbers) {
    if (numbers.size() != 6 || numbers[0] > 1000 || numbers[4] > 1 || numbers[5] > 16)
      throw std::invalid_argument("the encoder's settings do not fit");
    layers = numbers[0], heads = numbers[1], longest = numbers[2];
    pooling = numbers[3], to_unit = numbers[4], head_layers = numbers[5];
  }
};

Transformer transformer_of(const nb::dict& arrays, const std::string& stack,
                           const StackSettings& settings, const Kernels& kernels) {
  TransformerArrays out;
  out.words = embedding_arrays(arrays, "words");
  out.positions = embedding_arrays(arrays, "positions");
  out.types = named<float>(arrays, stack + "types");
  out.norm = norm_arrays(arrays, stack + "norm");
  for (std::uint32_t i = 0; i < settings.layers; ++i) {
    const std::string layer = stack + "layers/" + std::to_string(i) + "/";
    out.layers.push_back({linear_arrays(arrays, layer + "qkv"), linear_arrays(arrays, layer + "out"),
                          linear_arrays(arrays, layer + "up"), linear_arrays(arrays, layer + "down"),
                          norm_arrays(arrays, layer + "attention_norm"),
                          norm_arrays(arrays, layer + "norm")});
  }
  for (std::uint32_t i = 0; i < settings.head_layers; ++i)
    out.head.push_back(linear_arrays(arrays, stack + "head/" + std::to_string(i)));
  out.heads = settings.heads;
  out.pooling = static_cast<Pooling>(settings.pooling);
  const auto epsilon = named<float>(arrays, stack + "epsilon");
  if (epsilon.size() != 1) throw std::invalid_argument("the encoder's settings do not fit");
  out.epsilon = epsilon[0];
  return Transformer(out, kernels);
}

const Kernels& kernels_named(const std::string& name) {
  const Kernels* kernels = find_kernels(name);
  if (!kernels) throw std::invalid_argument("this processor has no instructions '" + name + "'");
  return *kernels;
}

// Keeps the model's arrays alive as long as the encoder looks at them.
struct BoundEncoder {
  nb::dict arrays;
  TextEncoder encoder;

  BoundEncoder(const nb::dict& given, const std::string& stack, const std::string& instructions)
      : arrays(given), encoder(open(given, "stacks/" + stack + "/", instructions)) {}

  static TextEncoder open(const nb::dict& given, const std::string& stack,
                          const std::string& instructions) {
    const StackSettings settings(named<std::uint32_t>(given, stack + "settings"));
    const auto special = column<std::uint32_t>(given, "pieces/special");
    const auto longest = column<std::uint32_t>(given, "pieces/longest");
    if (longest.size() != 1 || special.size() != 3)
      throw std::invalid_argument("the encoder's settings do not fit");
    return TextEncoder(
        WordPieces(character_arrays(given), column<std::uint64_t>(given, "pieces/listed"),
                   longest[0]),
        transformer_of(given, stack, settings, kernels_named(instructions)),
        {settings.longest, special[0], special[1], special[2], settings.to_unit != 0});
  }
};

std::vector<std::string_view> text_views(const nb::list& texts) {
  std::vector<std::string_view> out;
  out.reserve(nb::len(texts));
  for (nb::handle text : texts) out.push_back(utf8(text));
  return out;
}

nb::object encode(const BoundEncoder& self, const nb::list& texts, unsigned threads) {
  const std::vector<std::string_view> given = text_views(texts);
  std::vector<float> out;
  {
    nb::gil_scoped_release release;
    out = self.encoder.encode(given, threads, SignalCheck());
  }
  return to_numpy(std::move(out));
}

nb::tuple states(const BoundEncoder& self, const nb::list& texts, bool ends, unsigned threads) {
  const std::vector<std::string_view> given = text_views(texts);
  std::pair<std::vector<float>, std::vector<std::int64_t>> out;
  {
    nb::gil_scoped_release release;
    out = self.encoder.states(given, ends, threads, SignalCheck());
  }
  return nb::make_tuple(to_numpy(std::move(out.first)), to_numpy(std::move(out.second)));
}

void check_places(std::size_t texts, std::span<const std::int64_t> left,
                  std::span<const std::int64_t> right) {
  const auto is_there = [&](std::int64_t place) {
    return place >= 0 && static_cast<std::size_t>(place) < texts;
  };
  if (left.size() != right.size() || !std::ranges::all_of(left, is_there) ||
      !std::ranges::all_of(right, is_there))
    throw std::invalid_argument("a pair of texts that are not there");
}

nb::tuple compare(const BoundEncoder& self, const nb::list& texts, Column<std::int64_t> left,
                  Column<std::int64_t> right, unsigned threads) {
  const std::vector<std::string_view> given = text_views(texts);
  const auto a = view(left), b = view(right);
  check_places(given.size(), a, b);
  std::vector<float> out;
  std::vector<std::int64_t> left_out;
  {
    nb::gil_scoped_release release;
    out = self.encoder.compare(given, a, b, threads, SignalCheck(), left_out);
  }
  return nb::make_tuple(to_numpy(std::move(out)), to_numpy(std::move(left_out)));
}

nb::object encoder_cosines(const BoundEncoder& self, const nb::list& texts,
                           Column<std::int64_t> left, Column<std::int64_t> right,
                           unsigned threads) {
  const std::vector<std::string_view> given = text_views(texts);
  const auto a = view(left), b = view(right);
  check_places(given.size(), a, b);
  std::vector<double> out;
  {
    nb::gil_scoped_release release;
    out = self.encoder.cosines(given, a, b, threads, SignalCheck());
  }
  return to_numpy(std::move(out));
}

nb::object encoder_match(const BoundEncoder& self, const nb::list& texts,
                         Column<std::int64_t> left, Column<std::int64_t> right,
                         Column<float> weights, unsigned threads) {
  const std::vector<std::string_view> given = text_views(texts);
  const auto a = view(left), b = view(right);
  const auto by_row = view(weights);
  check_places(given.size(), a, b);
  if (!by_row.empty() && by_row.size() != self.encoder.transformer().words())
    throw std::invalid_argument("weights do not fit the word pieces");
  std::vector<double> out;
  {
    nb::gil_scoped_release release;
    out = self.encoder.match(given, a, b, by_row, threads, SignalCheck());
  }
  return to_numpy(std::move(out));
}

// Partners and cosines of the pieces of `one`, then of `other`.
nb::tuple encoder_links(const BoundEncoder& self, nb::str one, nb::str other) {
  auto [left, right] = self.encoder.links(utf8(one), utf8(other));
  return nb::make_tuple(to_numpy(std::move(left.partners)), to_numpy(std::move(left.cosines)),
                        to_numpy(std::move(right.partners)), to_numpy(std::move(right.cosines)));
}

nb::object encoder_count(const BoundEncoder& self, const nb::list& texts, unsigned threads) {
  const std::vector<std::string_view> given = text_views(texts);
  std::vector<std::uint32_t> out;
  {
    nb::gil_scoped_release release;
    out = self.encoder.count(given, threads);
  }
  return to_numpy(std::move(out));
}

// One linear layer, as tests compare it with another implementation: rows of `inputs` numbers in, rows of
// as many numbers as there are biases out.
nb::object apply_linear(Column<float> rows, Column<std::int8_t> panels, Column<float> scales,
                        Column<float> bias, std::size_t inputs, bool gelu,
                        const std::string& instructions) {
  const auto given = view(rows);
  if (inputs == 0 || given.size() % inputs) throw std::invalid_argument("rows of another length");
  const Kernels& kernels = kernels_named(instructions);
  const LinearLayer layer({view(panels), view(scales), view(bias)}, inputs);
  const std::size_t count = given.size() / inputs, stride = round_up(inputs);
  std::vector<float> padded(count * stride), out(count * layer.linear.stride()), result;
  for (std::size_t row = 0; row < count; ++row)
    std::copy_n(&given[row * inputs], inputs, &padded[row * stride]);
  LinearLayer::Scratch scratch;
  layer.apply(kernels, padded.data(), count, out.data(), scratch);
  if (gelu) kernels.gelu(out.data(), count, layer.linear.stride());
  for (std::size_t row = 0; row < count; ++row)
    result.insert(result.end(), &out[row * layer.linear.stride()],
                  &out[row * layer.linear.stride()] + layer.linear.outputs);
  return to_numpy(std::move(result));
}

// Of one text: the pieces as text and the characters they cover.
nb::tuple encoder_pieces(const BoundEncoder& self, nb::str text) {
  WordPieces::Scratch scratch;
  std::vector<Piece> found;
  self.encoder.pieces().split(utf8(text), found, scratch);
  nb::list names;
  std::vector<std::int64_t> begins, ends;
  for (const Piece& piece : found) {
    std::string name = scratch.folded.substr(piece.first, piece.last - piece.first);
    if (piece.row < 0)
      name = "[UNK]";
    else if (hash64(name) != piece.hash)
      name = "##" + name;
    names.append(nb::str(name.data(), name.size()));
    begins.push_back(piece.begin);
    ends.push_back(piece.end);
  }
  return nb::make_tuple(names, to_numpy(std::move(begins)), to_numpy(std::move(ends)));
}

std::uint32_t setting(const nb::dict& arrays, const char* name) {
  const auto found = column<std::uint32_t>(arrays, name);
  if (found.size() != 1) throw std::invalid_argument("the encoder's settings do not fit");
  return found[0];
}

struct BoundAveraging {
  nb::dict arrays;  // the encoder looks at them
  AveragingEncoder encoder;

  BoundAveraging(const nb::dict& given, const std::string& instructions)
      : arrays(given),
        encoder(pieces_of(given), arrays_of(given), kernels_named(instructions)) {}

  static UnigramPieces pieces_of(const nb::dict& a) {
    return UnigramPieces({column<std::uint64_t>(a, "pieces/listed"), column<float>(a, "pieces/scores"),
                          column<std::uint32_t>(a, "normaliser/units"),
                          column<std::uint8_t>(a, "normaliser/replacements"),
                          setting(a, "pieces/longest"), setting(a, "pieces/unknown")});
  }

  static AveragingArrays arrays_of(const nb::dict& a) {
    AveragingArrays out;
    out.words = {column<std::uint8_t>(a, "words/groups"),  column<std::uint16_t>(a, "words/sizes"),
                 column<std::uint8_t>(a, "words/lengths"), column<float>(a, "words/lows"),
                 column<float>(a, "words/scales"),         column<std::uint8_t>(a, "words/bits")};
    out.project = linear_arrays(a, "project");
    out.project_norm = norm_arrays(a, "project_norm");
    out.norm = norm_arrays(a, "norm");
    out.mean = linear_arrays(a, "mean");
    for (int i = 0; i < 6; ++i) {
      out.convolutions.push_back(linear_arrays(a, "convolutions/" + std::to_string(i)));
      out.dense.push_back(linear_arrays(a, "dense/" + std::to_string(i)));
    }
    const auto epsilon = column<float>(a, "epsilon");
    if (epsilon.size() != 1) throw std::invalid_argument("the encoder's settings do not fit");
    out.epsilon = epsilon[0];
    out.begin = setting(a, "pieces/begin");
    out.end = setting(a, "pieces/end");
    return out;
  }
};

nb::object averaging_encode(const BoundAveraging& self, const nb::list& texts, unsigned threads) {
  const std::vector<std::string_view> given = text_views(texts);
  std::vector<float> out;
  {
    nb::gil_scoped_release release;
    out = self.encoder.encode(given, threads, SignalCheck());
  }
  return to_numpy(std::move(out));
}

// The cosine of two of the rows that averaging_encode() returned.
nb::object averaging_cosines(Column<float> rows, std::size_t width, Column<std::int64_t> left,
                             Column<std::int64_t> right) {
  const auto numbers = view(rows);
  const auto a = view(left), b = view(right);
  if (width == 0) throw std::invalid_argument("rows of no numbers");
  check_places(numbers.size() / width, a, b);
  std::vector<double> out;
  for (std::size_t i = 0; i < a.size(); ++i)
    out.push_back(double{cosine_of(&numbers[static_cast<std::size_t>(a[i]) * width],
                                   &numbers[static_cast<std::size_t>(b[i]) * width], width)});
  return to_numpy(std::move(out));
}

nb::object averaging_pieces(const BoundAveraging& self, nb::str text) {
  UnigramPieces::Scratch scratch;
  std::vector<std::uint32_t> rows;
  self.encoder.pieces().split(utf8(text), rows, scratch);
  return to_numpy(std::move(rows));
}

}  // namespace

void bind_encoder(nb::module_& m) {
  using namespace nb::literals;
  m.def("apply_linear", &apply_linear, "rows"_a, "panels"_a, "scales"_a, "bias"_a, "inputs"_a,
        "gelu"_a, "instructions"_a);
  nb::class_<BoundEncoder>(m, "TextEncoder")
      .def(nb::init<const nb::dict&, const std::string&, const std::string&>(), "arrays"_a,
           "stack"_a, "instructions"_a)
      .def_prop_ro("width",
                   [](const BoundEncoder& self) { return self.encoder.transformer().width(); })
      .def_prop_ro("outputs",
                   [](const BoundEncoder& self) { return self.encoder.transformer().outputs(); })
      .def_prop_ro("instructions",
                   [](const BoundEncoder& self) {
                     return std::string(self.encoder.transformer().kernels().name);
                   })
      .def("pieces", &encoder_pieces, "text"_a)
      .def("encode", &encode, "texts"_a, "threads"_a)
      .def("states", &states, "texts"_a, "ends"_a, "threads"_a)
      .def("compare", &compare, "texts"_a, "left"_a, "right"_a, "threads"_a)
      .def("cosines", &encoder_cosines, "texts"_a, "left"_a, "right"_a, "threads"_a)
      .def("match", &encoder_match, "texts"_a, "left"_a, "right"_a, "weights"_a, "threads"_a)
      .def("links", &encoder_links, "one"_a, "other"_a)
      .def("count", &encoder_count, "texts"_a, "threads"_a);
  m.def("unit_cosines", &averaging_cosines, "rows"_a, "width"_a, "left"_a, "right"_a);
  nb::class_<BoundAveraging>(m, "AveragingEncoder")
      .def(nb::init<const nb::dict&, const std::string&>(), "arrays"_a, "instructions"_a)
      .def_prop_ro("outputs", [](const BoundAveraging& self) { return self.encoder.outputs(); })
      .def("pieces", &averaging_pieces, "text"_a)
      .def("encode", &averaging_encode, "texts"_a, "threads"_a);
}

}  // namespace otherwords
