// What Python sees of paraphrase tables.
#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "hash.hpp"
#include "models/bound_paraphrase_table.hpp"

namespace otherwords {
namespace {

std::uint64_t key_of(nb::handle phrase) {
  std::string normal;
  normalise_phrase(utf8(phrase), normal);
  return hash64(normal);
}

nb::tuple normalised_keys(const nb::list& phrases) {
  std::vector<std::string_view> texts;
  texts.reserve(phrases.size());
  for (nb::handle phrase : phrases) texts.push_back(utf8(phrase));
  std::vector<std::uint64_t> keys(texts.size());
  std::vector<std::uint32_t> words(texts.size());
  {
    nb::gil_scoped_release release;
    std::string normal;
    for (std::size_t i = 0; i < texts.size(); ++i) {
      words[i] = static_cast<std::uint32_t>(normalise_phrase(texts[i], normal));
      keys[i] = hash64(normal);
    }
  }
  return nb::make_tuple(to_numpy(std::move(keys)), to_numpy(std::move(words)));
}

nb::object lookup_phrases(const BoundParaphraseTable& self, const Column<std::uint64_t>& keys) {
  std::vector<std::size_t> found(keys.shape(0));
  {
    nb::gil_scoped_release release;
    self.table.find_all(view(keys), found);
  }
  return to_numpy(std::vector<std::int64_t>(found.begin(), found.end()));
}

nb::list targets(const BoundParaphraseTable& self, nb::str phrase) {
  const auto found = self.table.targets(self.table.find(key_of(phrase)));
  nb::list out;
  for (std::size_t i = 0; i < found.size; ++i)
    out.append(nb::make_tuple(found.numbers[i], probability_of(found.codes[i])));
  return out;
}

}  // namespace

void bind_paraphrase_table(nb::module_& m) {
  using namespace nb::literals;
  m.def("phrase_keys", &normalised_keys, "phrases"_a,
        "Of each phrase, in lower case and with single spaces: its hash and number of words.");
  nb::class_<BoundParaphraseTable>(m, "ParaphraseTable")
      .def(nb::init<const nb::dict&>(), "arrays"_a)
      .def("__len__", [](const BoundParaphraseTable& self) { return self.table.size(); })
      .def_prop_ro("pairs", [](const BoundParaphraseTable& self) { return self.table.pairs(); })
      .def_prop_ro("longest", [](const BoundParaphraseTable& self) { return self.table.longest(); })
      .def("lookup", &lookup_phrases, "keys"_a, "The number of the phrase of each key, or -1.")
      .def("targets", &targets, "phrase"_a, "Numbers of its paraphrases, with probabilities.")
      .def("probability", [](const BoundParaphraseTable& self, nb::str a, nb::str b) {
        return self.table.probability(self.table.find(key_of(a)), self.table.find(key_of(b)));
      }, "a"_a, "b"_a, "p(b|a); 0 if the table does not have the pair.");
}

}  // namespace otherwords
