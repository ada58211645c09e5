"""Agreement with human scores over segments within groups, and over pairs of systems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import (
    FEWEST,
    SLACK,
    Pairs,
    accuracy_each,
    calibrate,
    kendall_each,
    pairs_resampled,
    pearson_each,
    pearson_resampled,
    rows_resampled,
    settle,
    spearman_each,
    spearman_resampled,
    tau_b,
    with_ties,
    with_ties_each,
)
from otherwords.stats.distributions import normal_cdf
from otherwords.stats.resampling import Counts
from otherwords.stats.significance import swaps

Places = NDArray[np.intp]
_ROUNDING = 1e-9


@dataclass(frozen=True)
class SegmentScores:
    """A metric's scores and human scores, NaN where missing, with groups of their rows.

    Coefficients are computed within each group and averaged. A group with fewer than three points
    or a constant side is left out. `units[row]` is the row's resampling unit. A row may be in
    several groups.
    """

    scores: Array
    people: Array
    units: Places
    groups: Sequence[Places]

    @cached_property
    def known(self) -> Sequence[Places]:
        """The rows of each group with both scores."""
        there = np.isfinite(self.scores) & np.isfinite(self.people)
        return [rows[there[rows]] for rows in self.groups]

    @property
    def size(self) -> int:
        return len(np.unique(np.concatenate(self.known))) if self.known else 0

    @cached_property
    def settled(self) -> tuple[Array, Array]:
        """Both sides scaled to at most 1, without the digits that depend on the machine."""
        return settle(self.scores), settle(self.people)

    @cached_property
    def epsilon(self) -> float:
        """The difference up to which the metric's scores are tied (Deutsch et al. 2023), as a
        share of the largest score. It maximises the mean accuracy of all groups.
        """
        x, y = self.settled
        rows = np.concatenate([*self.known, np.zeros(0, dtype=np.intp)])
        return calibrate(
            x[rows], y[rows], np.array([len(group) for group in self.known], dtype=np.intp)
        )

    @property
    def threshold(self) -> float:
        """The same threshold on the metric's own scale."""
        largest = np.nanmax(np.abs(self.scores), initial=0)
        return float(f"{(self.epsilon - SLACK) * largest:.10g}") if self.epsilon > SLACK else 0.0

    def by_group(self, name: str, *, threads: int = 1) -> Array:
        """The coefficient of each group, NaN where it is not defined."""
        x, y = self.settled if name == "accuracy" else (self.scores, self.people)
        coefficients = np.full(len(self.known), np.nan)
        for numbers, places in stacked(self.known):
            coefficients[numbers] = self._each(name, x[places], y[places], threads)
        return coefficients

    def drawn(self, names: Sequence[str], times: Counts, *, threads: int = 1) -> dict[str, Array]:
        """The mean of the groups' coefficients in each resample of units, for each coefficient."""
        if self._is_drawn_whole:
            return {
                name: self._weighted_mean(self.by_group(name, threads=threads), times)
                for name in names
            }
        groups = [self._resample_group(names, rows, times, threads) for rows in self.known]
        empty = np.full((1, len(times)), np.nan)
        return {
            name: mean_known(np.array([group[name] for group in groups] or empty)) for name in names
        }

    @cached_property
    def _is_drawn_whole(self) -> bool:
        """Whether each group is one unit, so that its coefficient is the same in all resamples."""
        return all(len(np.unique(self.units[rows])) <= 1 for rows in self.known)

    def _weighted_mean(self, values: Array, times: Counts) -> Array:
        there = np.isfinite(values)
        units = [
            self.units[rows[0]] for rows, known in zip(self.known, there, strict=True) if known
        ]
        weights = times[:, units].astype(np.float64)
        total = weights.sum(axis=1)
        sums = weights @ values[there]
        return np.asarray(np.where(total > 0, sums / np.maximum(total, 1), np.nan))

    def _each(self, name: str, x: Array, y: Array, threads: int) -> Array:
        if name == "accuracy":
            return with_ties_each(x, y, self.epsilon, threads=threads)
        return correlation_each(name, x, y, threads=threads)

    def _resample_group(
        self, names: Sequence[str], rows: Places, times: Counts, threads: int
    ) -> dict[str, Array]:
        x, y, units = self.scores[rows], self.people[rows], self.units[rows]
        coefficients = {}
        if "pearson" in names:
            coefficients["pearson"] = pearson_resampled(x, y, units, times)
        if "spearman" in names:
            coefficients["spearman"] = spearman_resampled(x, y, units, times, threads=threads)
        counts: dict[float, Pairs] = {}  # without calibrated ties, both share one count
        for name in ("kendall", "accuracy"):
            if name in names:
                epsilon = self.epsilon if name == "accuracy" else 0.0
                if epsilon not in counts:
                    x = self.settled[0][rows]
                    counts[epsilon] = pairs_resampled(
                        x, y, units, times, epsilon=epsilon, threads=threads
                    )
                coefficients[name] = (with_ties if name == "accuracy" else tau_b)(counts[epsilon])
        if "kendall" in names:
            coefficients["kendall"][rows_resampled(units, times) < FEWEST] = np.nan
        return coefficients


def correlation_each(name: str, x: Array, y: Array, *, threads: int = 1) -> Array:
    """The named coefficient for each row of points; accuracy is `accuracy_each`."""
    if name == "pearson":
        return pearson_each(x, y)
    if name == "spearman":
        return spearman_each(x, y)
    if name == "accuracy":
        return accuracy_each(x, y)
    return kendall_each(x, y, threads=threads)


def stacked(groups: Sequence[Places]) -> list[tuple[Places, Places]]:
    """Groups of the same size as one array [groups, size], with their numbers.

    >>> stacked([np.array([0, 1]), np.array([2]), np.array([3, 4])])[0][1].tolist()
    [[0, 1], [3, 4]]
    """
    by_size: dict[int, list[int]] = {}
    for number, rows in enumerate(groups):
        by_size.setdefault(len(rows), []).append(number)
    return [
        (np.array(numbers, dtype=np.intp), np.array([groups[n] for n in numbers], dtype=np.intp))
        for size, numbers in by_size.items()
        if size
    ]


def mean_known(values: Array) -> Array:
    """Means over the first axis that ignore NaN; NaN where all values are NaN.

    >>> mean_known(np.array([[1.0, np.nan], [3.0, np.nan]]))
    array([ 2., nan])
    """
    there = np.isfinite(values)
    count = there.sum(axis=0)
    sums = np.where(there, values, 0).sum(axis=0)
    return np.asarray(np.where(count > 0, sums / np.maximum(count, 1), np.nan))


def soft_pairs(scores: Array, people: Array, *, trials: int = 1000, seed: int = 0) -> Array:
    """Soft accuracy of each pair of systems: how close the p-value of the metric's comparison is to
    that of human scores, 1 - |human p - metric p|; NaN where it is not defined.

    Both sides are [systems, segments], NaN where there is no score. p is from a one-sided paired
    permutation test on the segments where both systems have both scores. Permutations equal to the
    observed value count half, so that p does not depend on the order of the systems.

    >>> soft_pairs(np.array([[1.0, 2, 3], [0, 1, 2]]), np.array([[5.0, 6, 7], [4, 4, 4]]))[0]
    array([nan,  1.])
    """
    pairs, x, y = _differences(scores, people)
    accuracy = np.full((len(scores), len(scores)), np.nan)
    if x.any() and y.any():
        signs = _signs(trials, scores.shape[1], seed)
        left, right = np.array(pairs).T
        accuracy[left, right] = 1 - np.abs(_p_values(x, signs) - _p_values(y, signs))
        accuracy[right, left] = accuracy[left, right]
    return accuracy


def soft_accuracy_resampled(scores: Array, people: Array, times: Array, systems: Array) -> Array:
    """Soft accuracy of resamples; `times` [draws, segments] is how often each segment was sampled,
    `systems` [draws, systems] how often each system was.

    A permutation test in each resample would take too long. Permuted sums are nearly normal, so p
    comes from the normal distribution with their variance.
    """
    pairs, x, y = _differences(scores, people)
    if not (x.any() and y.any()):
        return np.full(len(times), np.nan)
    p = [normal_cdf(-_standardise_sums(side, times)) for side in (x, y)]
    left, right = np.array(pairs).T
    weights = systems[:, left] * systems[:, right]
    total = weights.sum(axis=1)
    gaps = (weights * np.abs(p[0] - p[1])).sum(axis=1)
    return np.asarray(np.where(total > 0, 1 - gaps / np.maximum(total, 1), np.nan))


def _differences(scores: Array, people: Array) -> tuple[list[tuple[int, int]], Array, Array]:
    """Pairs of systems with segments in common, and their differences [segments, pairs] on both
    sides, 0 where one is missing.
    """
    there = np.isfinite(scores) & np.isfinite(people)
    every = combinations(range(len(scores)), 2)
    pairs = [(left, right) for left, right in every if (there[left] & there[right]).any()]
    sides = []
    for side in (scores, people):
        columns = [
            np.where(there[left] & there[right], side[left] - side[right], 0)
            for left, right in pairs
        ]
        sides.append(np.array(columns).reshape(len(pairs), scores.shape[1]).T)
    return pairs, sides[0], sides[1]


def _p_values(differences: Array, signs: Array) -> Array:
    chance, truth = signs @ differences, differences.sum(axis=0)
    near = _ROUNDING * np.abs(differences).sum(axis=0)
    better, as_good = chance > truth + near, np.abs(chance - truth) <= near
    return np.asarray(better.mean(axis=0) + as_good.mean(axis=0) / 2)


def _standardise_sums(differences: Array, times: Array) -> Array:
    """The sum of each resample divided by the deviation of its permutations, if that is not 0."""
    spread = np.sqrt(times @ differences**2)
    return np.asarray((times @ differences) / np.where(spread > 0, spread, 1))


def _signs(trials: int, size: int, seed: int) -> Array:
    return np.vstack([block * 2.0 - 1.0 for block in swaps(trials, size, seed)])
