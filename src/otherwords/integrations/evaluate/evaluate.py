"""The module that `evaluate.load` reads. Its loader needs one imported module per line."""

import datasets
import evaluate

import otherwords

DEFAULT = "otherwords-mt"


class Otherwords(evaluate.Metric):  # type: ignore[misc]  # evaluate has no types
    """A metric of otherwords; the name of the configuration is that of the metric.

    Predictions, with `references` (a text or a list of texts for each) or `sources` as the metric
    needs them; options of the metric, `threads` and `any_language` go to `compute`.
    """

    def _info(self) -> evaluate.MetricInfo:
        traits = otherwords.metric(self.metric).traits
        text = datasets.Value("string")
        common = {"predictions": text}
        if traits.needs_source or traits.against == "source":
            common["sources"] = text
        forms = [common]
        if traits.needs_references:
            forms = [{**common, "references": form} for form in (datasets.Sequence(text), text)]
        return evaluate.MetricInfo(
            description=f"{self.metric} of otherwords",
            citation="",
            inputs_description=self.__doc__,
            features=[datasets.Features(form) for form in forms],
        )

    @property
    def metric(self) -> str:
        return DEFAULT if self.config_name == "default" else self.config_name

    def _compute(self, predictions, references=None, sources=None, **options):  # type: ignore[no-untyped-def]
        result = otherwords.score(self.metric, predictions, references, sources, **options)
        return {
            "score": result.corpus,
            "segments": result.segments.tolist(),
            "signature": result.signature,
        }
