"""Soft pairwise accuracy over systems (Thompson, Mathur, Deutsch & Khayrallah 2024)."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from otherwords.stats.arrays import Array
from otherwords.stats.differences import swaps
from otherwords.stats.distributions import normal_cdf

__all__ = ["soft_accuracy", "soft_accuracy_drawn", "soft_pairs"]

_ROUNDING = 1e-9


def soft_accuracy(scores: Array, people: Array, *, trials: int = 1000, seed: int = 0) -> float:
    """How close the p-values of a metric's comparisons of systems are to those of human scores.

    Both are [systems, segments], NaN where there is no score. For each pair of systems, p is that
    of the one-sided paired permutation test on the segments that both systems have on both sides;
    the result is the mean over pairs of 1 - |human p - p of the metric|. Permutations equal to the
    observed value count half, so that p does not depend on the order of the systems. NaN for fewer
    than two systems with segments in common, or a side that never differs.

    >>> soft_accuracy(np.array([[1.0, 2, 3], [0, 1, 2]]), np.array([[5.0, 6, 7], [4, 4, 4]]))
    1.0
    """
    known = soft_pairs(scores, people, trials=trials, seed=seed)
    known = known[np.isfinite(known)]
    return float(known.mean()) if len(known) else float("nan")


def soft_pairs(scores: Array, people: Array, *, trials: int = 1000, seed: int = 0) -> Array:
    """The same for each pair of systems [systems, systems], NaN where there is none."""
    pairs, x, y = _differences(scores, people)
    found = np.full((len(scores), len(scores)), np.nan)
    if x.any() and y.any():
        signs = _signs(trials, scores.shape[1], seed)
        one, other = np.array(pairs).T
        found[one, other] = 1 - np.abs(_p_values(x, signs) - _p_values(y, signs))
        found[other, one] = found[one, other]
    return found


def soft_accuracy_drawn(scores: Array, people: Array, times: Array) -> Array:
    """The same for resamples of the segments, [draws, segments] being how often each was sampled.

    A test within each resample would take long; the permutations of a sum are nearly normal, and p
    is that of the normal distribution with their variance.
    """
    _, x, y = _differences(scores, people)
    if not (x.any() and y.any()):
        return np.full(len(times), np.nan)
    p = [normal_cdf(-_standardised(side, times)) for side in (x, y)]
    return np.asarray(1 - np.abs(p[0] - p[1]).mean(axis=1))


def _differences(scores: Array, people: Array) -> tuple[list[tuple[int, int]], Array, Array]:
    """Pairs of systems with segments in common, and their differences [segments, pairs] on both
    sides, 0 where one is missing.
    """
    there = np.isfinite(scores) & np.isfinite(people)
    every = combinations(range(len(scores)), 2)
    pairs = [(one, other) for one, other in every if (there[one] & there[other]).any()]
    found = []
    for side in (scores, people):
        columns = [
            np.where(there[one] & there[other], side[one] - side[other], 0) for one, other in pairs
        ]
        found.append(np.array(columns).reshape(len(pairs), scores.shape[1]).T)
    return pairs, found[0], found[1]


def _p_values(differences: Array, signs: Array) -> Array:
    chance, truth = signs @ differences, differences.sum(axis=0)
    near = _ROUNDING * np.abs(differences).sum(axis=0)
    better, as_good = chance > truth + near, np.abs(chance - truth) <= near
    return np.asarray(better.mean(axis=0) + as_good.mean(axis=0) / 2)


def _standardised(differences: Array, times: Array) -> Array:
    """The sum of each resample over the deviation of its permutations; 0 if it has none."""
    spread = np.sqrt(times @ differences**2)
    return np.asarray((times @ differences) / np.where(spread > 0, spread, 1))


def _signs(trials: int, size: int, seed: int) -> Array:
    """Rows of +1 and -1."""
    return np.vstack([block * 2.0 - 1.0 for block in swaps(trials, size, seed)])
