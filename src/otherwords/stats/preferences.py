"""Pairs of texts of which judges prefer one, and the tau of WMT's better/worse judgements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from otherwords.errors import UsageError
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import settle
from otherwords.stats.resampling import Counts
from otherwords.stats.segments import Places, mean_known, stacked

Ties = Literal["wrong", "neutral", "ignored"]
_BLOCK = 64  # draws at a time, to limit memory


@dataclass(frozen=True)
class Preferences:
    """Pairs of rows: one that judges found better, and one that they found worse.

    `units` are the resampling units of the better rows, `others` those of the worse rows: the same
    unless systems are resampled. `groups` numbers each pair's group; tau is averaged over groups.
    """

    better: Places
    worse: Places
    units: Places
    others: Places
    groups: Places

    @property
    def is_drawn_whole(self) -> bool:
        """Whether both rows of each pair are resampled together."""
        return np.array_equal(self.units, self.others)

    def among(self, scores: Array) -> Preferences:
        """The pairs where both rows have a score."""
        known = np.isfinite(scores[self.better]) & np.isfinite(scores[self.worse])
        fields = (self.better, self.worse, self.units, self.others, self.groups)
        return Preferences(*(column[known] for column in fields))


def preferences(
    people: Array, items: Sequence[Places], units: Places, groups: Places, margin: float = 0.0
) -> Preferences:
    """All pairs of rows of one item whose human scores differ by at least `margin` (25 of 100
    points in WMT's daRR).

    >>> found = preferences(np.array([1.0, 3.0]), [np.array([0, 1])], np.zeros(2, int),
    ...                     np.zeros(2, int))
    >>> found.better.tolist(), found.worse.tolist()
    ([1], [0])
    """
    better, worse = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.intp)]
    for _, places in stacked(items):
        first_of_pair, second_of_pair = np.triu_indices(places.shape[1], 1)
        left, right = places[:, first_of_pair].ravel(), places[:, second_of_pair].ravel()
        gap = people[left] - people[right]
        with np.errstate(invalid="ignore"):
            up, down = (gap >= margin) & (gap > 0), (-gap >= margin) & (gap < 0)
        better += [left[up], right[down]]
        worse += [right[up], left[down]]
    first, second = np.concatenate(better), np.concatenate(worse)
    order = np.lexsort((second, first))
    first, second = first[order], second[order]
    return Preferences(first, second, units[first], units[second], groups[first])


def better_worse(
    scores: Array, pairs: Preferences, times: Counts, *, ties: Ties = "wrong"
) -> Array:
    """The tau of better/worse judgements in each resample of units: the share of pairs that the
    metric orders as the human scores do, minus the share of the others.

    Pairs that the metric ties count as `wrong` (WMT 2012, and daRR since 2017), are `neutral`,
    adding only to the denominator (WMT 2014), or `ignored` (WMT 2013); see Macháček & Bojar 2014.

    >>> pairs = Preferences(*np.array([[0, 1, 2], [1, 2, 3], [0] * 3, [0] * 3, [0] * 3]))
    >>> once = np.ones((1, 1), dtype=np.uint16)
    >>> better_worse(np.array([4.0, 3, 3, 1]), pairs, once).round(3)  # (2 - 1) / 3
    array([0.333])
    """
    scored = pairs.among(scores)
    order = np.sign(settle(scores)[scored.better] - settle(scores)[scored.worse])
    return np.asarray(tau_of(order[None], scored, times, ties)[0])


def tau_of(order: Array, pairs: Preferences, times: Counts, ties: Ties) -> Array:
    """Tau [tables, draws] of tables that hold +1 (as the judges), -1 or 0 (tied) for each pair."""
    if ties not in ("wrong", "neutral", "ignored"):
        raise UsageError(f"ties must be wrong, neutral or ignored, not {ties!r}")
    won = np.where(order == 0, -1, order) if ties == "wrong" else order
    counted = order != 0 if ties == "ignored" else np.ones_like(order, dtype=bool)
    by_group = []
    for group in np.unique(pairs.groups):
        members = np.flatnonzero(pairs.groups == group)
        sums, base = (
            _sum_resamples(side[:, members], pairs, members, times) for side in (won, counted)
        )
        by_group.append(np.where(base > 0, sums / np.maximum(base, 1), np.nan))
    if not by_group:
        return np.full((len(order), len(times)), np.nan)
    return mean_known(np.array(by_group))


def _sum_resamples(values: Array, pairs: Preferences, members: Places, times: Counts) -> Array:
    """Sums over the pairs in each resample [tables, draws]."""
    units, others = pairs.units[members], pairs.others[members]
    if pairs.is_drawn_whole:
        size = times.shape[1]
        by_unit = [np.bincount(units, weights=row, minlength=size) for row in values]
        return np.asarray(np.array(by_unit) @ times.T.astype(np.float64))
    blocks = []
    for start in range(0, len(times), _BLOCK):
        block = times[start : start + _BLOCK].astype(np.float64)
        blocks.append(values.astype(np.float64) @ (block[:, units] * block[:, others]).T)
    return np.hstack(blocks)
