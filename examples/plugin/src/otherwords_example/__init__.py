"""An example of a metric for otherwords that another package brings."""

from __future__ import annotations

from typing import Any

import numpy as np

from otherwords.metrics.base import MeanMetric, Traits, text_of
from otherwords.metrics.inputs import Segments

__all__ = ["LengthRatio"]


class LengthRatio(MeanMetric):
    """Length of the shorter text over that of the longer one, by the closest reference."""

    name = "length-ratio"
    traits = Traits(low=0.0, high=1.0, symmetric=True)
    columns = ("score", "segments")

    def __init__(self, *, words: bool = False, **common: Any) -> None:
        super().__init__(words=words, **common)  # so that copies and signatures have the option
        self.words = words

    def signature_parts(self) -> dict[str, str]:
        """The options that scores depend on."""
        return {"unit": "words" if self.words else "characters"}

    def compute(self, segments: Segments, threads: int) -> np.ndarray:
        """The score of each segment, and 1: the corpus score is the mean."""
        scores = [
            max(self._ratio(text_of(hypothesis), text_of(target)) for target in targets)
            for hypothesis, targets in zip(segments.hypotheses, segments.targets, strict=True)
        ]
        return np.column_stack([scores, np.ones(len(scores))])

    def _ratio(self, one: str, other: str) -> float:
        lengths = [len(text.split() if self.words else text) for text in (one, other)]
        return min(lengths) / max(lengths) if max(lengths) else 1.0
