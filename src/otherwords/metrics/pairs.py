"""Metrics of pairs: a hypothesis with one of the texts that it is compared with."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from otherwords.metrics.base import Array, Explanation, MeanMetric
from otherwords.metrics.inputs import Segments
from otherwords.metrics.reading import as_read
from otherwords.text.sentence import Text

__all__ = ["PairMetric"]


class PairMetric(MeanMetric):
    """A metric of pairs: a hypothesis with one of the texts it is compared with.

    Of several references the one that gives the best score counts.
    """

    def compute(self, segments: Segments, threads: int) -> Array:
        """Score every pair, keep the best of each segment."""
        sizes = [len(targets) for targets in segments.targets]
        left = [
            hypothesis
            for hypothesis, size in zip(segments.hypotheses, sizes, strict=True)
            for _ in range(size)
        ]
        right = [target for targets in segments.targets for target in targets]
        rows = self.measure(left, right, threads)
        rows = rows if len(rows) == len(sizes) else rows[_best_of_each(rows[:, 0], sizes)]
        return np.column_stack([rows, np.ones(len(rows))])

    @abstractmethod
    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """One row per pair: the score, then its components."""

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        """What an explanation says of a pair in addition to its components."""
        return {}

    def explain_segment(self, segment: Segments) -> Explanation:
        """The score of one segment, with the details of the text that gave the best score."""
        [hypothesis], [targets] = segment.hypotheses, segment.targets
        scores = self.measure([hypothesis] * len(targets), targets, 1)[:, 0]
        best = targets[int(np.argmax(scores))]
        found = super().explain_segment(segment)
        return as_read(replace(found, details=self.details(hypothesis, best)))


def _best_of_each(scores: Array, sizes: Sequence[int]) -> list[int]:
    """The row of the best score of each segment, the first at ties."""
    ends = np.cumsum(sizes)
    return [
        int(end - size + np.argmax(scores[end - size : end]))
        for end, size in zip(ends.tolist(), sizes, strict=True)
    ]
