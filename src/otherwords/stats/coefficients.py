"""Coefficients of two arrays, NaN being a missing value; `None` where there is none to give."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from otherwords.errors import InputError
from otherwords.stats.arrays import Array
from otherwords.stats.drawn import (
    accuracy_each,
    kendall_each,
    pearson_each,
    settled,
    slackened,
    spearman_each,
    with_ties_each,
)
from otherwords.stats.preferences import Preferences, Ties, better_worse
from otherwords.stats.segments import SegmentScores

__all__ = [
    "better_worse_tau",
    "kendall",
    "pairwise_accuracy",
    "pearson",
    "spearman",
    "tie_calibrated_accuracy",
]


def pearson(scores: ArrayLike, people: ArrayLike) -> float | None:
    """Pearson's correlation.

    >>> pearson([1, 2, 3, float("nan")], [2, 4, 6, 1])
    1.0
    """
    return _known(pearson_each(*_sides(scores, people)))


def spearman(scores: ArrayLike, people: ArrayLike) -> float | None:
    """Spearman's rank correlation, ties at their mean rank.

    >>> spearman([0.1, 0.2, 0.3, 0.9], [1, 3, 2, 4])
    0.8
    """
    return _known(spearman_each(*_sides(scores, people)))


def kendall(scores: ArrayLike, people: ArrayLike) -> float | None:
    """Kendall's tau-b.

    >>> kendall([1, 2, 3, 4], [1, 3, 2, 2])
    0.182574185835
    """
    return _known(kendall_each(*_sides(scores, people)))


def pairwise_accuracy(scores: ArrayLike, people: ArrayLike) -> float | None:
    """The share of pairs that human scores order and the metric orders as they do (Kocmi et al.
    2021).

    >>> pairwise_accuracy([1, 2, 3], [1, 3, 2])
    0.666666666667
    """
    return _known(accuracy_each(*_sides(scores, people)))


def tie_calibrated_accuracy(
    scores: ArrayLike, people: ArrayLike, epsilon: float | None = None
) -> tuple[float | None, float]:
    """The share of pairs on which both sides agree, about an order or a tie, and the difference up
    to which scores are tied: by default the one with the highest share (Deutsch, Foster & Freitag
    2023).

    >>> tie_calibrated_accuracy([1.0, 1.1, 3.0], [1, 1, 2])[0]
    1.0
    """
    x, y = (side[0] for side in _sides(scores, people))
    both = SegmentScores(x, y, np.arange(len(x)), [np.arange(len(x))])
    if epsilon is None:
        return _known(both.by_group("accuracy")), both.threshold
    largest = float(np.nanmax(np.abs(x), initial=0)) or 1.0
    return _known(
        with_ties_each(settled(x[None]), settled(y[None]), slackened(epsilon / largest))
    ), epsilon


def better_worse_tau(better: ArrayLike, worse: ArrayLike, *, ties: Ties = "wrong") -> float | None:
    """The tau of scores of texts that judges found better than others (see `better_worse`).

    >>> better_worse_tau([4, 3, 3], [3, 3, 1])  # (2 - 1) / 3
    0.333333333333
    """
    x, y = _sides(better, worse)
    scores, size = np.concatenate([x[0], y[0]]), x.shape[1]
    nothing = np.zeros(size, dtype=np.intp)
    pairs = Preferences(np.arange(size), size + np.arange(size), nothing, nothing, nothing)
    return _known(better_worse(scores, pairs, np.ones((1, 1), dtype=np.uint16), ties=ties))


def _sides(x: ArrayLike, y: ArrayLike) -> tuple[Array, Array]:
    left, right = (np.asarray(side, dtype=np.float64) for side in (x, y))
    if left.ndim != 1 or left.shape != right.shape:
        raise InputError(f"two lists of the same length are needed, not {left.shape} {right.shape}")
    return left[None], right[None]


def _known(values: Array) -> float | None:
    value = float(values[0])
    return round(value, 12) + 0.0 if np.isfinite(value) else None
