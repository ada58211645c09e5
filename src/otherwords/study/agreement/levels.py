"""Coefficients of one metric on a judged set and its resamples, over segments and over systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from otherwords.metrics.base import Array, Metric
from otherwords.scoring.seen import UNFAMILIAR, Familiarity
from otherwords.stats.draws import Counts
from otherwords.stats.estimates import Sampled
from otherwords.stats.preferences import Preferences, Ties, better_worse
from otherwords.stats.segments import Places, SegmentScores, correlation_each, mean_known
from otherwords.stats.soft import soft_accuracy_drawn, soft_pairs
from otherwords.study.agreement.sums import JudgedRows, SystemSums, system_sums

__all__ = ["JudgedArrays", "ScoredRows", "segment_level", "system_level"]

BETTER_WORSE = "better-worse"
SOFT = "soft-accuracy"


@dataclass(frozen=True)
class JudgedArrays:
    """A judged set, ready for any metric.

    `groups` are rows within which segments are correlated, `parts` those within which systems
    are; `items` are the rows of one segment; `system_human` are human scores of systems that
    have none of segments.
    """

    judged: JudgedRows
    people: Array
    groups: Sequence[Places]
    parts: Sequence[Places]
    items: Sequence[Places]
    pairs: Preferences
    ties: Ties = "wrong"
    system_human: Mapping[str, float] | None = None
    trials: int = 1000
    seed: int = 0
    trials_max: int = 1000  # of a permutation test


@dataclass(frozen=True)
class ScoredRows:
    """A metric with the statistics of each row, and whether it has any of it.

    `segments` are the scores of the rows, higher being better, NaN where there is none.
    `familiarity` says whether it was trained on them.
    """

    label: str
    metric: Metric
    statistics: Array = field(repr=False)
    known: NDArray[np.bool_] = field(repr=False)
    segments: Array = field(repr=False)
    familiarity: Familiarity = UNFAMILIAR

    def among(self, rows: NDArray[np.bool_]) -> ScoredRows:
        """The same with these rows alone."""
        segments = np.where(rows, self.segments, np.nan)
        return replace(self, known=self.known & rows, segments=segments)

    @property
    def sign(self) -> float:
        """-1 for a metric whose lower scores are better."""
        return 1.0 if self.metric.traits.higher_is_better else -1.0


def segment_level(
    scored: ScoredRows,
    arrays: JudgedArrays,
    names: Sequence[str],
    blocks: Iterable[Counts],
    *,
    threads: int = 1,
) -> tuple[dict[str, Sampled], float]:
    """Each coefficient over segments, and the threshold of ties on the metric's scale."""
    scores = np.where(scored.known, scored.segments, np.nan)
    both = SegmentScores(scores, arrays.people, arrays.judged.units, arrays.groups)
    within = [name for name in names if name != BETTER_WORSE]
    drawn: dict[str, list[Array]] = {name: [] for name in names}
    for times in blocks:
        for name, draws in both.drawn(within, times, threads=threads).items():
            drawn[name].append(draws)
        if BETTER_WORSE in names:
            drawn[BETTER_WORSE].append(better_worse(scores, arrays.pairs, times, ties=arrays.ties))
    found = {}
    for name in within:
        values = both.by_group(name, threads=threads)
        left_out = int(np.isnan(values).sum())
        found[name] = Sampled(
            float(mean_known(values)) if len(values) else np.nan,
            both.size,
            _joined(drawn[name]),
            len(values) - left_out,
            left_out,
        )
    if BETTER_WORSE in names:
        every = np.ones((1, arrays.judged.size), dtype=np.uint16)
        value = float(better_worse(scores, arrays.pairs, every, ties=arrays.ties)[0])
        among = arrays.pairs.among(scores)
        groups = len(np.unique(among.groups))
        found[BETTER_WORSE] = Sampled(
            value, len(among.better), _joined(drawn[BETTER_WORSE]), groups
        )
    return found, both.threshold if "accuracy" in names and both.size else 0.0


def system_level(
    scored: ScoredRows, arrays: JudgedArrays, names: Sequence[str], blocks: Iterable[Counts]
) -> dict[str, Sampled]:
    """Each coefficient over systems, within each part of the set, averaged."""
    sums = [sums_of(scored, arrays, part) for part in arrays.parts]
    every = np.ones((1, arrays.judged.size), dtype=np.uint16)
    whole = [_coefficients(one, names, scored.sign, every) for one in sums]
    drawn = [_drawn(one, names, scored.sign, arrays, blocks) for one in sums]
    found = {}
    for name in names:
        if name == SOFT:
            found[name] = _soft(scored, arrays, blocks)
            continue
        values = np.array([one[name][0] for one in whole])
        left_out = int(np.isnan(values).sum())
        draws = mean_known(np.array([one[name] for one in drawn]))
        found[name] = Sampled(
            float(mean_known(values)),
            sum(one.systems for one in sums),
            draws,
            len(values) - left_out,
            left_out,
        )
    return found


def sums_of(scored: ScoredRows, arrays: JudgedArrays, part: Places) -> SystemSums:
    """The sums of a part of the rows."""
    known = np.zeros(len(arrays.people), dtype=bool)
    known[part] = scored.known[part]
    return system_sums(
        arrays.judged,
        arrays.people,
        scored.metric,
        scored.statistics,
        known,
        fixed=arrays.system_human,
    )


def _coefficients(
    sums: SystemSums, names: Sequence[str], sign: float, times: Counts
) -> dict[str, Array]:
    x, y = sign * sums.scores(times), sums.people(times)
    return {name: correlation_each(name, x, y) for name in names if name != SOFT}


def _drawn(
    sums: SystemSums,
    names: Sequence[str],
    sign: float,
    arrays: JudgedArrays,
    blocks: Iterable[Counts],
) -> dict[str, Array]:
    found: dict[str, list[Array]] = {name: [] for name in names if name != SOFT}
    every = np.ones((1, arrays.judged.size), dtype=np.uint16)
    for times in blocks:
        if arrays.judged.unit == "systems":
            drawn = taken(times)
            x, y = (side[0][drawn] for side in (sign * sums.scores(every), sums.people(every)))
            block = {name: correlation_each(name, x, y) for name in found}
        else:
            block = _coefficients(sums, names, sign, times)
        for name, draws in block.items():
            found[name].append(draws)
    return {name: _joined(draws) for name, draws in found.items()}


def taken(times: Counts) -> Places:
    """The units of each resample, each as often as it is in it.

    >>> taken(np.array([[2, 0, 1]], dtype=np.uint16)).tolist()
    [[0, 0, 2]]
    """
    return np.array([np.repeat(np.arange(times.shape[1]), one) for one in times], dtype=np.intp)


def _soft(scored: ScoredRows, arrays: JudgedArrays, blocks: Iterable[Counts]) -> Sampled:
    """Soft pairwise accuracy, from the segments of systems, within each part."""
    values, drawn, systems = [], [], 0
    for part in arrays.parts:
        mine = np.zeros(len(arrays.people), dtype=bool)
        mine[part] = True
        scores = np.where(mine & scored.known, scored.segments, np.nan)
        x, y = (_table(side, arrays) for side in (scores, arrays.people))
        pairs = soft_pairs(x, y, trials=arrays.trials, seed=arrays.seed)
        values.append(_mean_of(pairs))
        systems += int((np.isfinite(x) & np.isfinite(y)).any(axis=1).sum())
        drawn.append(_joined([_soft_drawn(x, y, pairs, arrays, times) for times in blocks]))
    left_out = int(np.isnan(values).sum())
    return Sampled(
        float(mean_known(np.array(values))),
        systems,
        mean_known(np.array(drawn)),
        len(values) - left_out,
        left_out,
    )


def _soft_drawn(x: Array, y: Array, pairs: Array, arrays: JudgedArrays, times: Counts) -> Array:
    if arrays.judged.unit == "systems":
        return np.array([_mean_of(pairs[np.ix_(one, one)]) for one in taken(times)])
    units = np.array([arrays.judged.units[rows[0]] for rows in arrays.items], dtype=np.intp)
    return soft_accuracy_drawn(x, y, times[:, units].astype(np.float64))


def _mean_of(pairs: Array) -> float:
    return float(mean_known(pairs.ravel()))


def _table(values: Array, arrays: JudgedArrays) -> Array:
    """Scores [systems, segments], the mean where a system has several rows of a segment."""
    number = np.empty(len(values), dtype=np.intp)
    for segment, rows in enumerate(arrays.items):
        number[rows] = segment
    found = np.full((len(arrays.judged.systems), len(arrays.items)), np.nan)
    for system, rows in enumerate(arrays.judged.systems.values()):
        mine = rows[np.isfinite(values[rows])]
        sums = np.bincount(number[mine], weights=values[mine], minlength=len(arrays.items))
        times = np.bincount(number[mine], minlength=len(arrays.items))
        found[system] = np.where(times > 0, sums / np.maximum(times, 1), np.nan)
    return found


def _joined(blocks: Sequence[Array]) -> Array:
    return np.concatenate(blocks) if blocks else np.zeros(0)
