// What scoring needs: one binding function for each group of kernels.
#include <nanobind/nanobind.h>

namespace otherwords {
void bind_text(nanobind::module_& m);
void bind_tagger(nanobind::module_& m);
void bind_parser(nanobind::module_& m);
void bind_models(nanobind::module_& m);
void bind_paraphrase_table(nanobind::module_& m);
void bind_lm(nanobind::module_& m);
void bind_stats(nanobind::module_& m);
void bind_encoder(nanobind::module_& m);
void bind_metrics(nanobind::module_& m);
void bind_fluency(nanobind::module_& m);
void bind_pem(nanobind::module_& m);
void bind_paraeval(nanobind::module_& m);
void bind_facts(nanobind::module_& m);
}

NB_MODULE(_native, m) {
  // Models are opened once and kept until the process ends; that is no leak.
  nanobind::set_leak_warnings(false);
  m.doc() = "The kernels of scoring.";
  otherwords::bind_text(m);
  otherwords::bind_tagger(m);
  otherwords::bind_parser(m);
  otherwords::bind_models(m);
  otherwords::bind_paraphrase_table(m);
  otherwords::bind_lm(m);
  otherwords::bind_stats(m);
  otherwords::bind_encoder(m);
  otherwords::bind_metrics(m);
  otherwords::bind_fluency(m);
  otherwords::bind_pem(m);
  otherwords::bind_paraeval(m);
  otherwords::bind_facts(m);
}
