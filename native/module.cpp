// The native core of otherwords: one binding function a Python package that owns kernels.
#include <nanobind/nanobind.h>

namespace otherwords {
void bind_text(nanobind::module_& m);
void bind_tagger(nanobind::module_& m);
void bind_parser(nanobind::module_& m);
void bind_bitext(nanobind::module_& m);
void bind_metrics(nanobind::module_& m);
void bind_pem(nanobind::module_& m);
void bind_paraeval(nanobind::module_& m);
void bind_models(nanobind::module_& m);
void bind_paraphrase_table(nanobind::module_& m);
void bind_phrases(nanobind::module_& m);
void bind_grammar(nanobind::module_& m);
void bind_lm(nanobind::module_& m);
void bind_fluency(nanobind::module_& m);
void bind_meta(nanobind::module_& m);
void bind_encoders(nanobind::module_& m);
void bind_generation(nanobind::module_& m);
void bind_facts(nanobind::module_& m);
}

NB_MODULE(_native, m) {
  // Models are opened once and kept until the process ends; that is no leak.
  nanobind::set_leak_warnings(false);
  m.doc() = "Native kernels of otherwords.";
  otherwords::bind_text(m);
  otherwords::bind_tagger(m);
  otherwords::bind_parser(m);
  otherwords::bind_bitext(m);
  otherwords::bind_metrics(m);
  otherwords::bind_pem(m);
  otherwords::bind_paraeval(m);
  otherwords::bind_models(m);
  otherwords::bind_paraphrase_table(m);
  otherwords::bind_phrases(m);
  otherwords::bind_grammar(m);
  otherwords::bind_lm(m);
  otherwords::bind_fluency(m);
  otherwords::bind_meta(m);
  otherwords::bind_encoders(m);
  otherwords::bind_generation(m);
  otherwords::bind_facts(m);
}
