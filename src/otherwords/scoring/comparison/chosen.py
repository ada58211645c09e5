"""The segments on which two systems differ most by a metric, each with the reasons."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Array, Explanation, Metric
from otherwords.scoring.comparison.pairs import TwoSystems, upward
from otherwords.scoring.stream import explain_row

__all__ = ["Example", "examples"]


@dataclass(frozen=True)
class Example:
    """A segment, the outputs of both systems, and why they have their scores.

    `difference` is how much better the first system is, for either direction of the metric.
    """

    item: str
    rows: tuple[Row, Row]
    scores: tuple[float, float]
    difference: float
    explanations: tuple[Explanation, Explanation]


def examples(
    pair: TwoSystems, metric: Metric, statistics: tuple[Array, Array], *, shown: int = 5
) -> tuple[list[Example], list[Example]]:
    """The segments where the first system is better by most, and those where the second is.

    `statistics` are those of the metric for the two systems.
    """
    left, right = map(metric.segment_scores, statistics)
    gaps = upward(metric, left) - upward(metric, right)
    gaps = np.where(np.isfinite(gaps), gaps, 0.0)
    order = np.argsort(-gaps, kind="stable")
    best = [int(place) for place in order[:shown] if gaps[place] > 0]
    worst = [int(place) for place in np.argsort(gaps, kind="stable")[:shown] if gaps[place] < 0]

    def example(place: int) -> Example:
        rows = pair.left[place], pair.right[place]
        one, other = (explain_row(metric, row, any_language=True) for row in rows)
        scores = float(left[place]), float(right[place])
        return Example(pair.item(place), rows, scores, float(gaps[place]), (one, other))

    return [example(place) for place in best], [example(place) for place in worst]
