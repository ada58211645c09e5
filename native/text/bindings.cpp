// What otherwords.text sees of the native core.
#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "hash.hpp"

namespace nb = nanobind;

namespace otherwords {

static nb::object hash_words(const nb::list& words) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(nb::len(words));
  for (nb::handle word : words) hashes.push_back(hash64(utf8(word)));
  return to_numpy(std::move(hashes));
}

void bind_text(nb::module_& m) {
  m.def("hash_words", &hash_words, nb::arg("words"), "The 64-bit hash of each word.");
}

}  // namespace otherwords
