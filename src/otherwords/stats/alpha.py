"""Krippendorff's alpha: how far judges agree beyond chance, with any gaps in their judgements."""

from __future__ import annotations

from typing import Literal

import numpy as np

from otherwords.errors import UsageError
from otherwords.stats.arrays import Array
from otherwords.stats.draws import Counts

__all__ = ["MEASURES", "Measure", "krippendorff_alpha", "krippendorff_drawn"]

Measure = Literal["nominal", "ordinal", "interval"]

MEASURES: tuple[Measure, ...] = ("nominal", "ordinal", "interval")
_TINY = 1e-12


def krippendorff_alpha(judgements: Array, measure: Measure = "interval") -> float | None:
    """Alpha of judgements [judges, rows], NaN where a judge did not judge (Krippendorff 2011).

    One less the disagreement within rows over that of any two judgements. Scores are names
    (`nominal`), ranks (`ordinal`) or numbers (`interval`). `None` if no row has two judgements, or
    if all judgements are the same, because no disagreement is expected then.

    >>> krippendorff_alpha(np.array([[1.0, 2, 3, 3], [1, 2, 3, 4]]), "nominal").__round__(3)
    0.696
    """
    once = np.ones((1, judgements.shape[1]), dtype=np.uint16)
    value = float(krippendorff_drawn(judgements, measure, once)[0])
    return value if np.isfinite(value) else None


def krippendorff_drawn(judgements: Array, measure: Measure, times: Counts) -> Array:
    """Alpha for resamples of the rows, [draws, rows]; NaN where it has no value."""
    if measure not in MEASURES:
        raise UsageError(f"measure must be one of {', '.join(MEASURES)}, not {measure!r}")
    several = np.isfinite(judgements).sum(axis=0) >= 2
    kept, weights = judgements[:, several], times[:, several].astype(np.float64)
    if kept.shape[1] == 0:
        return np.full(len(times), np.nan)
    if measure == "interval":
        return _interval(kept, weights)
    counts, values = _counts(kept)
    return np.array([_of_values(counts, values, measure, one) for one in weights])


def _interval(judgements: Array, weights: Array) -> Array:
    """Squared differences need sums alone, and no table of values."""
    largest = np.nanmax(np.abs(judgements)) or 1.0
    there = np.isfinite(judgements)
    scaled = np.where(there, judgements / largest - np.nanmean(judgements / largest), 0)
    size, sums, squares = there.sum(axis=0), scaled.sum(axis=0), (scaled**2).sum(axis=0)
    within = 2 * (size * squares - sums**2) / (size - 1)
    n, total, square, observed = (weights @ np.array([size, sums, squares, within]).T).T
    expected = 2 * (n * square - total**2)  # over n (n - 1)
    known = expected > _TINY * n**2
    return np.asarray(
        np.where(known, 1 - (n - 1) * observed / np.where(known, expected, 1), np.nan)
    )


def _counts(judgements: Array) -> tuple[Array, Array]:
    """How often each row has each value [rows, values], and the values."""
    values = np.unique(judgements[np.isfinite(judgements)])
    counts = np.array([(judgements == value).sum(axis=0) for value in values]).T
    return counts.astype(np.float64), values


def _of_values(counts: Array, values: Array, measure: Measure, weights: Array) -> float:
    sizes = counts.sum(axis=1)
    shared = (counts * (weights / (sizes - 1))[:, None]).T @ counts
    coincidences = shared - np.diag((counts * (weights / (sizes - 1))[:, None]).sum(axis=0))
    totals = coincidences.sum(axis=1)
    far = _distances(totals, measure)
    expected = totals @ far @ totals
    if expected <= 0:
        return float("nan")
    return float(1 - (totals.sum() - 1) * (coincidences * far).sum() / expected)


def _distances(totals: Array, measure: Measure) -> Array:
    """Squared differences of values: 1, or the number of judgements from one to the other."""
    if measure == "nominal":
        return 1 - np.eye(len(totals))
    reached = np.cumsum(totals) - totals / 2
    return np.asarray((reached[:, None] - reached[None]) ** 2)
