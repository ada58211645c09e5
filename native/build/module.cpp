// What building resources needs on top of scoring.
#include <nanobind/nanobind.h>

namespace otherwords {
void bind_bitext(nanobind::module_& m);
void bind_phrases(nanobind::module_& m);
void bind_grammar(nanobind::module_& m);
void bind_lm_building(nanobind::module_& m);
void bind_generation(nanobind::module_& m);
void bind_training(nanobind::module_& m);
}

NB_MODULE(_build, m) {
  // Taggers and packed language models, which functions here take, are types of this module.
  nanobind::module_::import_("otherwords._native");
  m.doc() = "The kernels of building resources.";
  otherwords::bind_bitext(m);
  otherwords::bind_phrases(m);
  otherwords::bind_grammar(m);
  otherwords::bind_lm_building(m);
  otherwords::bind_generation(m);
  otherwords::bind_training(m);
}
