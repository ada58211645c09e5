"""ROUGE-L (Lin 2004) through the package rouge-score, on our contract."""

from __future__ import annotations

from importlib.metadata import version
from typing import Any

import numpy as np

from otherwords.errors import optional_imports
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import MeanMetric, Traits, text_of
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import register
from otherwords.stats.arrays import Array


@register
class RougeL(MeanMetric):
    """F of precision and recall of the longest common subsequence (Lin 2004, §3.1).

    The numbers are those of rouge-score, Google's package; of several references the one with the
    highest F counts. `stem` makes it compare Porter stems.
    """

    name = "rouge-l"
    cost = "medium"
    longest = 5000
    use = "Summaries; compare with published ROUGE-L (needs the extra [rouge])."
    traits = Traits(low=0.0, high=1.0, symmetric=True, english=True)
    columns = ("score", "precision", "recall", "segments")

    def __init__(self, *, stem: bool = False, **common: Any) -> None:
        super().__init__(stem=stem, **common)
        self.stem = check_flag("stem", stem)
        with optional_imports():
            from rouge_score.rouge_scorer import RougeScorer

        self._scorer = RougeScorer(["rougeL"], use_stemmer=stem)

    def signature_parts(self) -> dict[str, str]:
        return {"stem": "yes" if self.stem else "no", "rouge-score": version("rouge-score")}

    def compute(self, segments: Segments, threads: int) -> Array:
        found = np.ones((len(segments.hypotheses), len(self.columns)))
        for row, (hypothesis, targets) in enumerate(
            zip(segments.hypotheses, segments.targets, strict=True)
        ):
            texts = [text_of(target) for target in targets]
            best = self._scorer.score_multi(texts, text_of(hypothesis))["rougeL"]
            found[row, :3] = best.fmeasure, best.precision, best.recall
        return found
