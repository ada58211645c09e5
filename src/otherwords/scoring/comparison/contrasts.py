"""A score of two systems on the same segments: the difference, its interval, and chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from otherwords.metrics.base import Array, Metric
from otherwords.stats.intervals import Resampling, bootstrap, percentiles
from otherwords.stats.significance import compare_family, holm
from otherwords.tables.table import LEVEL

__all__ = ["Contrast", "contrast_metric", "contrast_scores", "corrected"]


@dataclass(frozen=True)
class Contrast:
    """Two systems under one score, over `size` segments.

    `intervals` are those of each system, `low` and `high` that of the difference, first minus
    second; there are none for a single segment or document. `p` is of approximate randomization
    (Riezler & Maxwell 2005), two-sided, which holds for few segments too; `adjusted` is `p`
    corrected for the family of tests that it belongs to (Holm 1979). Both are missing for a metric
    that was trained on these segments. `trials` is their number; with `is_floor` there were too
    few, and `p` is only an upper bound.
    """

    name: str
    size: int
    scores: tuple[float, float]
    difference: float
    p: float | None
    adjusted: float | None
    intervals: tuple[tuple[float, float], tuple[float, float]] | None = None
    low: float | None = None
    high: float | None = None
    trials: int | None = None
    is_floor: bool = False


def contrast_scores(
    name: str,
    size: int,
    scores: tuple[float, float],
    p: float | None,
    draws: tuple[Array, Array] | None,
    confidence: float,
) -> Contrast:
    """The contrast of two scores; `draws` are both scores of the same resamples."""
    contrast = Contrast(name, size, scores, scores[0] - scores[1], p, p)
    if draws is None:
        return contrast
    low, high = percentiles(draws[0] - draws[1], confidence)
    around = percentiles(draws[0], confidence), percentiles(draws[1], confidence)
    return replace(contrast, intervals=around, low=low, high=high)


def contrast_metric(
    name: str,
    metric: Metric,
    left: Array,
    right: Array,
    resampling: Resampling,
    docs: Sequence[str] | None = None,
    *,
    tested: bool = True,
    comparisons: int = 1,
    trials_max: int = 100_000,
) -> Contrast:
    """The contrast of two systems' corpus scores, from the statistics of the same segments.

    `comparisons` is the number of tests that p will be corrected for: it decides how many trials,
    up to `trials_max`, are needed.
    """
    times, seed = resampling.resamples, resampling.seed
    test = None
    if tested:
        test = compare_family(
            metric.from_sums,
            {"left": left, "right": right},
            test="randomization",
            trials=times,
            trials_max=trials_max,
            level=LEVEL,
            seed=seed,
            docs=docs,
            comparisons=comparisons,
        ).tests["left", "right"]
    draws = None
    if len(left if docs is None else set(docs)) > 1:
        draws = (
            bootstrap(metric.from_sums, left, resamples=times, seed=seed, docs=docs),
            bootstrap(metric.from_sums, right, resamples=times, seed=seed, docs=docs),
        )
    scores = metric.aggregate(left), metric.aggregate(right)
    p = None if test is None else test.p
    found = contrast_scores(name, len(left), scores, p, draws, resampling.confidence)
    return found if test is None else replace(found, trials=test.trials, is_floor=test.is_floor)


def corrected(contrasts: Sequence[Contrast]) -> list[Contrast]:
    """The contrasts with their p-values corrected for each other."""
    adjusted = holm({place: one.p for place, one in enumerate(contrasts) if one.p is not None})
    return [replace(one, adjusted=adjusted.get(place)) for place, one in enumerate(contrasts)]


def ratio(part: Array, whole: Array) -> Array:
    """Parts of wholes, 0 where there is nothing."""
    return np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
