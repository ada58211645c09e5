// The native core of otherwords: one binding function a Python package that owns kernels.
#include <nanobind/nanobind.h>

namespace otherwords {
void bind_text(nanobind::module_& m);
void bind_tagger(nanobind::module_& m);
}

NB_MODULE(_native, m) {
  m.doc() = "Native kernels of otherwords.";
  otherwords::bind_text(m);
  otherwords::bind_tagger(m);
}
