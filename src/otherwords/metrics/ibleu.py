"""iBLEU (Sun & Zhou 2012): close to the references, far from the source."""

from __future__ import annotations

from typing import Any

import numpy as np

from otherwords.io.arguments import check_number
from otherwords.metrics.base import Metric, Traits
from otherwords.metrics.bleu import Bleu, extract
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import register
from otherwords.stats.arrays import Array


@register
class IBleu(Metric):
    """`alpha` BLEU(candidate, references) - (1 - `alpha`) BLEU(candidate, source).

    Sun & Zhou find 0.7 to 0.9 good; 0.8 is the default. Both are sacreBLEU's BLEU.
    """

    name = "ibleu"
    cost = "medium"
    use = "Paraphrases with references: BLEU minus similarity to the source."
    traits = Traits(low=-100.0, high=100.0, needs_source=True)
    columns = tuple(f"{side} {name}" for side in ("references", "source") for name in Bleu.columns)

    def __init__(
        self, *, alpha: float = 0.8, case: bool = False, tokenizer: str = "13a", **common: Any
    ) -> None:
        super().__init__(alpha=alpha, case=case, tokenizer=tokenizer, **common)
        self.alpha = check_number("alpha", alpha, 0, 1)
        self._bleu = Bleu(case=case, tokenizer=tokenizer)

    def signature_parts(self) -> dict[str, str]:
        return {"alpha": f"{self.alpha:g}", **self._bleu.signature_parts()}

    def compute(self, segments: Segments, threads: int) -> Array:
        sources = [(source,) for source in segments.sources if source is not None]
        scorer = self._bleu.scorer(corpus=True)
        return np.hstack(
            [
                extract(scorer, segments.hypotheses, segments.targets),
                extract(scorer, segments.hypotheses, sources),
            ]
        )

    def from_sums(self, sums: Array) -> float:
        references, source = np.split(sums, 2)
        score = self._bleu.from_sums
        return self.alpha * score(references) - (1 - self.alpha) * score(source)

    def segment_scores(self, statistics: Array) -> Array:
        references, source = np.split(statistics, 2, axis=1)
        score = self._bleu.segment_scores
        return self.alpha * score(references) - (1 - self.alpha) * score(source)
