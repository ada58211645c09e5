"""Coefficients of agreement, each for many draws of the same points at once.

Arrays are [draws, points]; NaN marks a point that a side lacks, and it is left out on both. The
result is [draws], NaN where a coefficient has no value: fewer than three points, or a side that
never changes. Scores that differ by rounding alone are tied.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from otherwords._native import kendall_tau_b
from otherwords.metrics.base import Array

__all__ = [
    "FEWEST",
    "Counts",
    "accuracy_each",
    "kendall_drawn",
    "midranks",
    "pearson_drawn",
    "pearson_each",
    "spearman_each",
]

Counts = NDArray[np.uint16]  # [draws, units]: how often each unit was drawn

FEWEST = 3  # two points always lie on a line
_DIGITS = 12  # what is left of a float64 after a long sum
_TINY = 10.0**-_DIGITS


def pearson_each(x: Array, y: Array) -> Array:
    """Pearson's correlation.

    >>> pearson_each(np.array([[1.0, 2.0, 3.0]]), np.array([[2.0, 4.0, np.nan]]))
    array([nan])
    """
    x, y = _paired(_scaled(x), _scaled(y))
    size = np.isfinite(x).sum(axis=1)
    left, right = _deviations(x, size), _deviations(y, size)
    with np.errstate(divide="ignore", invalid="ignore"):
        r = (left * right).sum(axis=1) / np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
    return np.where(size >= FEWEST, np.clip(r, -1, 1), np.nan)


def spearman_each(x: Array, y: Array) -> Array:
    """Spearman's rank correlation (ParaEval §4.1): Pearson's of the ranks, ties at their mean.

    >>> spearman_each(np.array([[0.1, 0.2, 0.3, 0.9]]), np.array([[1.0, 3.0, 2.0, 4.0]]))
    array([0.8])
    """
    x, y = _paired(_settled(x), _settled(y))
    return pearson_each(midranks(x), midranks(y))


def accuracy_each(x: Array, y: Array) -> Array:
    """The share of pairs that x orders as y does (Kocmi et al. 2021, for systems).

    Pairs that people (y) tie have no order to agree with and do not count; a pair that only the
    metric (x) ties is not a right answer.

    >>> accuracy_each(np.array([[1.0, 2.0, 3.0]]), np.array([[1.0, 3.0, 2.0]])).round(3)
    array([0.667])
    """
    x, y = _paired(_settled(x), _settled(y))
    right, pairs = np.zeros(len(x)), np.zeros(len(x))
    for point in range(x.shape[1] - 1):
        by_x = np.sign(x[:, point, None] - x[:, point + 1 :])
        by_y = np.sign(y[:, point, None] - y[:, point + 1 :])
        ordered = np.isfinite(by_y) & (by_y != 0)
        right += (ordered & (by_x == by_y)).sum(axis=1)
        pairs += ordered.sum(axis=1)
    counts = (np.isfinite(x).sum(axis=1) >= FEWEST) & (pairs > 0)
    return np.where(counts, right / np.maximum(pairs, 1), np.nan)


def midranks(values: Array) -> Array:
    """Ranks from 0 within each draw, ties at their mean; NaN stays.

    >>> midranks(np.array([[7.0, 5.0, np.nan, 7.0]]))
    array([[1.5, 0. , nan, 1.5]])
    """
    order = np.argsort(values, axis=1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=1)
    steps = ordered[:, 1:] != ordered[:, :-1]
    edge = np.ones((len(values), 1), dtype=bool)
    place = np.arange(values.shape[1])
    starts, ends = np.hstack([edge, steps]), np.hstack([steps, edge])
    first = np.maximum.accumulate(np.where(starts, place, 0), axis=1)
    last = np.where(ends, place, values.shape[1])[:, ::-1]
    last = np.minimum.accumulate(last, axis=1)[:, ::-1]
    ranks = np.empty_like(values)
    np.put_along_axis(ranks, order, (first + last) / 2, axis=1)
    return np.where(np.isfinite(values), ranks, np.nan)


def pearson_drawn(x: Array, y: Array, units: NDArray[np.intp], times: Counts) -> Array:
    """Pearson's correlation of rows, both sides known, for each draw of their units.

    A draw weighs rows, so that sums of products by unit are all it takes.
    """
    if len(x) == 0:
        return np.full(len(times), np.nan)
    x, y = _standardised(x), _standardised(y)
    products = np.column_stack([np.ones_like(x), x, y, x * x, y * y, x * y])
    sums = np.zeros((times.shape[1], products.shape[1]))
    np.add.at(sums, units, products)
    n, sx, sy, sxx, syy, sxy = (times.astype(np.float64) @ sums).T
    with np.errstate(divide="ignore", invalid="ignore"):
        varies = (sxx / n - (sx / n) ** 2, syy / n - (sy / n) ** 2)
        r = (sxy / n - sx / n * sy / n) / np.sqrt(varies[0] * varies[1])
    known = (n >= FEWEST) & (varies[0] > _TINY) & (varies[1] > _TINY)
    return np.where(known, np.clip(r, -1, 1), np.nan)


def kendall_drawn(
    x: Array, y: Array, units: NDArray[np.intp], times: Counts, *, threads: int = 1
) -> Array:
    """Kendall's tau-b of rows, both sides known, for each draw of their units.

    Copies of a row are tied with each other, on both sides.
    """
    if len(x) == 0:
        return np.full(len(times), np.nan)
    ranks = (np.unique(_settled(side), return_inverse=True)[1] for side in (x, y))
    dense = [side.astype(np.uint32).ravel() for side in ranks]
    tau = kendall_tau_b(dense[0], dense[1], units.astype(np.uint32), times, threads)
    rows = times @ np.bincount(units, minlength=times.shape[1])
    return np.where(rows >= FEWEST, tau, np.nan)


def _paired(x: Array, y: Array) -> tuple[Array, Array]:
    known = np.isfinite(x) & np.isfinite(y)
    return np.where(known, x, np.nan), np.where(known, y, np.nan)


def _scaled(values: Array) -> Array:
    """Values over the largest of their draw, so that no square vanishes or overflows."""
    largest = np.max(np.abs(values), axis=-1, keepdims=True, initial=0, where=np.isfinite(values))
    return np.asarray(values / np.where(largest > 0, largest, 1))


def _settled(values: Array) -> Array:
    """Scaled values without the digits that a long sum leaves to chance."""
    return np.round(_scaled(values), _DIGITS)


def _deviations(values: Array, size: NDArray[np.intp]) -> Array:
    """Deviations of scaled values from their mean, the largest being 1; 0 if missing."""
    total = np.nansum(values, axis=1, keepdims=True)
    centred = np.nan_to_num(values - total / np.maximum(size, 1)[:, None])
    largest = np.abs(centred).max(axis=1, keepdims=True, initial=0)
    return np.asarray(np.where(largest > _TINY, centred / np.maximum(largest, _TINY), 0))


def _standardised(values: Array) -> Array:
    """Deviations from the mean with a standard deviation of 1; 0 if the values do not change."""
    every = np.full(1, len(values))
    centred = _deviations(_scaled(values)[None], every)[0]
    spread = np.sqrt((centred**2).mean())
    return np.asarray(centred / spread if spread > 0 else centred)
