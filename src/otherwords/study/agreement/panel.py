"""The judges: how far they agree with each other, and a metric with each of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Array
from otherwords.stats.alpha import MEASURES, krippendorff_drawn
from otherwords.stats.drawn import FEWEST, pearson_drawn
from otherwords.stats.draws import Counts
from otherwords.stats.estimates import Estimate, Resampling, Sampled, estimate
from otherwords.study.agreement.judged import is_control
from otherwords.study.agreement.levels import ScoredRows
from otherwords.study.agreement.sums import JudgedRows

__all__ = ["MOST", "Panel", "judge_scores", "panel"]

MOST = 20  # judges who are looked at one by one

_VALUES = 32  # more different scores than that are numbers, and neither names nor ranks


@dataclass(frozen=True)
class Panel:
    """The agreement of judges with names, without controls. With more than twenty judges there are
    no figures for single judges. `pairs` are Pearson's correlations of two judges, `alpha`
    Krippendorff's by measure, and `metrics` Pearson's correlations of a metric, by its label, with
    a judge.
    """

    judges: Mapping[str, Array] = field(repr=False)
    pairs: Mapping[tuple[str, str], Estimate]
    alpha: Mapping[str, Estimate]
    metrics: Mapping[tuple[str, str], Estimate]
    apart: int = 0  # pairs of judges without a row in common


def judge_scores(rows: Sequence[Row], human: str) -> dict[str, Array]:
    """What each judge known by name gave each row, NaN if nothing, the mean if twice."""
    found: dict[str, Array] = {}
    times: dict[str, Array] = {}
    for place, row in enumerate(rows):
        for one in row.judges if not is_control(row) else ():
            if one.judge is not None and human in one.scores:
                sums = found.setdefault(one.judge, np.zeros(len(rows)))
                sums[place] += one.scores[human]
                times.setdefault(one.judge, np.zeros(len(rows)))[place] += 1
    return {
        judge: np.where(times[judge] > 0, found[judge] / np.maximum(times[judge], 1), np.nan)
        for judge in sorted(found)
    }


def panel(
    rows: Sequence[Row],
    human: str,
    scored: Sequence[ScoredRows],
    judged: JudgedRows,
    blocks: Iterable[Counts],
    resampling: Resampling | None,
) -> Panel | None:
    """The agreement of the judges of the rows; `None` if no judge has a name."""
    judges = judge_scores(rows, human)
    if not judges:
        return None

    def correlated(x: Array, y: Array) -> Estimate:
        return _correlated(x, y, judged, blocks, resampling)

    single = judges if len(judges) <= MOST else {}
    pairs = {
        (one, other): correlated(judges[one], judges[other])
        for one, other in combinations(single, 2)
        if (np.isfinite(judges[one]) & np.isfinite(judges[other])).any()
    }
    return Panel(
        judges,
        pairs,
        _alphas(np.array(list(judges.values())), judged, blocks, resampling),
        {
            (one.label, judge): correlated(one.segments, theirs)
            for one in scored
            for judge, theirs in single.items()
        },
        len(single) * (len(single) - 1) // 2 - len(pairs),
    )


def _correlated(
    x: Array, y: Array, judged: JudgedRows, blocks: Iterable[Counts], resampling: Resampling | None
) -> Estimate:
    rows = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    args = x[rows], y[rows], judged.units[rows]
    every = np.ones((1, judged.size), dtype=np.uint16)
    value = float(pearson_drawn(*args, every)[0])
    draws = [pearson_drawn(*args, times) for times in blocks]
    sampled = Sampled(value, len(rows), np.concatenate([*draws, np.zeros(0)]))
    reason = "constant" if len(rows) >= FEWEST else f"{len(rows)} rows"
    return estimate(sampled, resampling, alone=judged.size < 2, reason=reason)


def _alphas(
    judgements: Array, judged: JudgedRows, blocks: Iterable[Counts], resampling: Resampling | None
) -> dict[str, Estimate]:
    there = np.isfinite(judgements)
    size = int((there.sum(axis=0) >= 2).sum())
    few = len(np.unique(judgements[there])) <= _VALUES
    every = np.ones((1, judged.size), dtype=np.uint16)
    found: dict[str, Estimate] = {}
    for measure in MEASURES if few else ("interval",):
        draws = [
            krippendorff_drawn(judgements, measure, times[:, judged.units])
            for times in (every, *blocks)
        ]
        sampled = Sampled(float(draws[0][0]), size, np.concatenate([*draws[1:], np.zeros(0)]))
        reason = "constant" if size else "no row has two judgements"
        found[measure] = estimate(sampled, resampling, alone=judged.size < 2, reason=reason)
    return found
