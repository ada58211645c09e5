"""Agreement with human scores over segments, within groups, on a set and on resamples of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from otherwords.stats.arrays import Array
from otherwords.stats.drawn import (
    FEWEST,
    SLACK,
    Pairs,
    accuracy_each,
    calibrate,
    kendall_each,
    pairs_drawn,
    pearson_drawn,
    pearson_each,
    rows_drawn,
    settled,
    spearman_drawn,
    spearman_each,
    tau_b,
    with_ties,
    with_ties_each,
)
from otherwords.stats.draws import Counts

__all__ = ["Places", "SegmentScores", "correlation_each", "mean_known", "stacked"]

Places = NDArray[np.intp]


@dataclass(frozen=True)
class SegmentScores:
    """The scores of a metric and human scores, NaN where there is none, with groups of their rows.

    Coefficients are taken within each group and averaged; a group has none if it has fewer than
    three points or a side that never changes, and is left out. `units[row]` is what the row is
    resampled with. A row may be in several groups.
    """

    scores: Array
    people: Array
    units: Places
    groups: Sequence[Places]

    @cached_property
    def known(self) -> Sequence[Places]:
        """The rows of each group that both sides know."""
        there = np.isfinite(self.scores) & np.isfinite(self.people)
        return [rows[there[rows]] for rows in self.groups]

    @property
    def size(self) -> int:
        """How many rows count."""
        return len(np.unique(np.concatenate(self.known))) if self.known else 0

    @cached_property
    def settled(self) -> tuple[Array, Array]:
        """Both sides without the digits that depend on the machine, the largest being 1."""
        return settled(self.scores), settled(self.people)

    @cached_property
    def epsilon(self) -> float:
        """The difference up to which the metric's scores are tied (Deutsch et al. 2023), as a
        share of the largest; one for all groups, the best for their mean.
        """
        x, y = self.settled
        rows = np.concatenate([*self.known, np.zeros(0, dtype=np.intp)])
        return calibrate(
            x[rows], y[rows], np.array([len(one) for one in self.known], dtype=np.intp)
        )

    @property
    def threshold(self) -> float:
        """The same on the metric's own scale."""
        largest = np.nanmax(np.abs(self.scores), initial=0)
        return float(f"{(self.epsilon - SLACK) * largest:.10g}") if self.epsilon > SLACK else 0.0

    def by_group(self, name: str, *, threads: int = 1) -> Array:
        """The coefficient of each group, NaN where it has none."""
        x, y = self.settled if name == "accuracy" else (self.scores, self.people)
        found = np.full(len(self.known), np.nan)
        for numbers, places in stacked(self.known):
            found[numbers] = self._each(name, x[places], y[places], threads)
        return found

    def drawn(self, names: Sequence[str], times: Counts, *, threads: int = 1) -> dict[str, Array]:
        """The mean of the groups' coefficients in each resample of units, for each coefficient."""
        if self._is_drawn_whole:
            return {
                name: self._weighted(self.by_group(name, threads=threads), times) for name in names
            }
        several = [self._drawn(names, rows, times, threads) for rows in self.known]
        empty = np.full((1, len(times)), np.nan)
        return {
            name: mean_known(np.array([one[name] for one in several] or empty)) for name in names
        }

    @cached_property
    def _is_drawn_whole(self) -> bool:
        """Whether each group is of one unit, so that all resamples give the same coefficient."""
        return all(len(np.unique(self.units[rows])) <= 1 for rows in self.known)

    def _weighted(self, values: Array, times: Counts) -> Array:
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

    def _drawn(
        self, names: Sequence[str], rows: Places, times: Counts, threads: int
    ) -> dict[str, Array]:
        x, y, units = self.scores[rows], self.people[rows], self.units[rows]
        found = {}
        if "pearson" in names:
            found["pearson"] = pearson_drawn(x, y, units, times)
        if "spearman" in names:
            found["spearman"] = spearman_drawn(x, y, units, times, threads=threads)
        counts: dict[float, Pairs] = {}  # one count serves both if no ties are made
        for name in ("kendall", "accuracy"):
            if name in names:
                epsilon = self.epsilon if name == "accuracy" else 0.0
                if epsilon not in counts:
                    x = self.settled[0][rows]
                    counts[epsilon] = pairs_drawn(
                        x, y, units, times, epsilon=epsilon, threads=threads
                    )
                found[name] = (with_ties if name == "accuracy" else tau_b)(counts[epsilon])
        if "kendall" in names:
            found["kendall"][rows_drawn(units, times) < FEWEST] = np.nan
        return found


def correlation_each(name: str, x: Array, y: Array, *, threads: int = 1) -> Array:
    """The coefficient of that name for each row of points; accuracy is that of orders alone."""
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
    """The means over the first axis of what is not NaN; NaN where nothing is.

    >>> mean_known(np.array([[1.0, np.nan], [3.0, np.nan]]))
    array([ 2., nan])
    """
    there = np.isfinite(values)
    count = there.sum(axis=0)
    sums = np.where(there, values, 0).sum(axis=0)
    return np.asarray(np.where(count > 0, sums / np.maximum(count, 1), np.nan))
