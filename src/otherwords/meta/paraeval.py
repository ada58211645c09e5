"""ParaEval's tables (Zhou, Lin & Hovy 2006, Tables 1-3, 5 and 6, §4.2) on any judged set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from otherwords.meta.systems import JudgedRows, SystemSums, system_sums
from otherwords.metrics.base import Array, Metric
from otherwords.stats.draws import Counts, Draws
from otherwords.stats.estimates import Estimate, Resampling, Sampled, estimate
from otherwords.stats.segments import SegmentScores, correlation_each

__all__ = ["COEFFICIENTS", "Line", "Variant", "correlate", "lines"]

COEFFICIENTS = {"system": ("spearman", "pearson", "accuracy"), "segment": ("pearson", "kendall")}


@dataclass(frozen=True)
class Variant:
    """A metric with options and references of its own, and the statistics of each row.

    `reference` is the number of the only reference used, from 1; `known` are the rows that have it.
    """

    label: str
    metric: Metric
    statistics: Array = field(repr=False)
    reference: int | None = None
    known: NDArray[np.bool_] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class Line:
    """A variant's agreement with a human score: estimates by level and coefficient."""

    human: str
    variant: Variant
    estimates: Mapping[tuple[str, str], Estimate]


def lines(
    judged: JudgedRows,
    variants: Sequence[Variant],
    resampling: Resampling,
    *,
    threads: int = 1,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Line]:
    """Every variant with every human score. The draws are the same for all of them."""
    found = []
    for human in judged.human:
        for variant in variants:
            sampled = correlate(
                judged,
                human,
                variant.metric,
                variant.statistics,
                known=variant.known,
                resamples=resampling.resamples,
                seed=resampling.seed,
                fixed_human=resampling.kind == "paper",
                threads=threads,
            )
            alone = judged.size < 2  # every draw is the set itself
            estimates = {
                (level, name): estimate(sampled[level, name], resampling, alone=alone)
                for level, names in COEFFICIENTS.items()
                for name in names
            }
            found.append(Line(human, variant, estimates))
            progress(1)
    return found


def correlate(
    judged: JudgedRows,
    human: str,
    metric: Metric,
    statistics: Array,
    *,
    known: NDArray[np.bool_] | None = None,
    resamples: int = 1000,
    seed: int = 0,
    fixed_human: bool = False,
    threads: int = 1,
) -> dict[tuple[str, str], Sampled]:
    """All coefficients by level and name.

    `known` are the rows that have statistics (all unless given). In each draw systems are scored
    anew from the sums of their statistics, and their human scores averaged anew, unless these
    are fixed at those of the whole set, as ParaEval's were (§4.1). Accuracy takes a metric whose
    lower scores are better the right way round; correlations are as they are.
    """
    there = np.ones(len(statistics), dtype=bool) if known is None else known
    people = judged.human[human]
    sums = system_sums(judged, people, metric, statistics, there)
    drawn = sums.with_fixed() if fixed_human else sums
    scores = np.full(len(statistics), np.nan)
    scores[there] = metric.segment_scores(statistics[there])
    segments = SegmentScores(scores, people, judged.units, [np.arange(len(scores))])
    every = np.ones((1, judged.size), dtype=np.uint16)
    blocks = [
        {**_of_systems(drawn, times), **_of_segments(segments, times, threads)}
        for times in Draws(judged.size, resamples, seed)
    ]
    whole = _of_systems(sums, every)
    for name in COEFFICIENTS["segment"]:
        whole["segment", name] = segments.by_group(name, threads=threads)
    return {
        name: Sampled(
            float(whole[name][0]),
            sums.systems if name[0] == "system" else segments.size,
            np.concatenate([block[name] for block in blocks]),
        )
        for name in whole
    }


def _of_systems(sums: SystemSums, times: Counts) -> dict[tuple[str, str], Array]:
    scores, people = sums.scores(times), sums.people(times)
    upward = scores if sums.metric.traits.higher_is_better else -scores
    return {
        ("system", name): correlation_each(name, upward if name == "accuracy" else scores, people)
        for name in COEFFICIENTS["system"]
    }


def _of_segments(
    segments: SegmentScores, times: Counts, threads: int
) -> dict[tuple[str, str], Array]:
    found = segments.drawn(COEFFICIENTS["segment"], times, threads=threads)
    return {("segment", name): draws for name, draws in found.items()}
