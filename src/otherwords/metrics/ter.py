"""TER by sacreBLEU, on our contract."""

from __future__ import annotations

import warnings
from typing import Any

from otherwords.errors import SlowWarning
from otherwords.metrics.base import Traits, text_of
from otherwords.metrics.bleu import SacreMetric
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import register
from otherwords.stats.arrays import Array

LONG = 300  # tokens from which on TER takes seconds


@register
class Ter(SacreMetric):
    """TER (Snover et al. 2006): edits per reference word; lower is better."""

    name = "ter"
    cost = "slow"
    longest = 5000
    use = "Edits to the nearest reference; compare with published TER."
    traits = Traits(low=0.0, high=float("inf"), higher_is_better=False)
    columns = ("edits", "reference words")

    def __init__(self, *, case: bool = False, **common: Any) -> None:
        super().__init__(case=case, **common)

    def compute(self, segments: Segments, threads: int) -> Array:
        longest = [
            max(len(text_of(text).split()) for text in (hypothesis, *several))
            for hypothesis, several in zip(segments.hypotheses, segments.targets, strict=True)
        ]
        if many := sum(length > LONG for length in longest):
            warnings.warn(
                f"ter: segments of more than {LONG} tokens: {many:,} (the longest has "
                f"{max(longest):,}); each may take seconds to minutes, as its time grows with the "
                "cube of the length",
                SlowWarning,
                stacklevel=3,
            )
        return super().compute(segments, threads)

    def scorer(self, *, corpus: bool) -> Any:
        from sacrebleu.metrics.ter import TER

        return TER(case_sensitive=self.case)
