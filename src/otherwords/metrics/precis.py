"""PRÉCIS (Ganitkevitch et al. 2011): BLEU for compressions, which may not be too long."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from otherwords.io.arguments import check_number
from otherwords.metrics.base import Metric, Traits
from otherwords.metrics.bleu import Bleu, extract
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import register
from otherwords.stats.arrays import Array


@register
class Precis(Metric):
    """BLEU times a verbosity penalty (PARADIGM §6).

    The penalty is 1 if the compression ratio, words of the candidate over words of the source,
    is at most the `target`, else exp(`severity` (target - ratio)). Without a target it is the
    ratio of the reference that BLEU's brevity penalty looks at. Both are of the whole corpus, as
    BLEU's lengths are.
    """

    name = "precis"
    cost = "medium"
    use = "Sentence compression with references."
    traits = Traits(low=0.0, high=100.0, needs_source=True)
    unset: ClassVar[Mapping[str, Any]] = {"target": "(the reference's ratio)"}
    columns = (*Bleu.columns, "source length")

    def __init__(
        self,
        *,
        target: float | None = None,
        severity: float = 5.0,
        case: bool = False,
        tokenizer: str = "13a",
        **common: Any,
    ) -> None:
        super().__init__(target=target, severity=severity, case=case, tokenizer=tokenizer, **common)
        self.target = None if target is None else check_number("target", target, 0, 100)
        self.severity = check_number("severity", severity, 0, 1000)
        self._bleu = Bleu(case=case, tokenizer=tokenizer)

    def signature_parts(self) -> dict[str, str]:
        target = "reference" if self.target is None else f"{self.target:g}"
        own = {"target": target, "severity": f"{self.severity:g}"}
        return own | self._bleu.signature_parts()

    def compute(self, segments: Segments, threads: int) -> Array:
        scorer = self._bleu.scorer(corpus=True)
        sources = [source for source in segments.sources if source is not None]
        # Many candidates may have one source, as in k-best lists: each is counted once.
        places = {source: place for place, source in enumerate(dict.fromkeys(sources))}
        known = extract(scorer, list(places), [(source,) for source in places])[:, :1]
        lengths = known[[places[source] for source in sources]]
        return np.hstack([extract(scorer, segments.hypotheses, segments.targets), lengths])

    def from_sums(self, sums: Array) -> float:
        return self._penalty(sums) * self._bleu.from_sums(sums[:-1])

    def segment_scores(self, statistics: Array) -> Array:
        penalties = np.array([self._penalty(row) for row in statistics])
        return penalties * self._bleu.segment_scores(statistics[:, :-1])

    def _penalty(self, sums: Array) -> float:
        candidate, reference, source = (float(sums[column]) for column in (0, 1, -1))
        if not source:
            return 1.0 if not candidate else 0.0  # nothing was there to be made shorter
        target = reference / source if self.target is None else self.target
        return math.exp(min(0.0, self.severity * (target - candidate / source)))
