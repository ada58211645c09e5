"""ParaEval's tables (Zhou, Lin & Hovy 2006, Tables 1-3, 5 and 6, §4.2) on any judged set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from otherwords.arguments import check_number, check_whole
from otherwords.meta.bootstrap import interval_of_mean, percentiles
from otherwords.meta.systems import COEFFICIENTS, JudgedRows, Sampled, correlate
from otherwords.metrics.base import Array, Metric

__all__ = ["Estimate", "Kind", "Line", "Resampling", "Variant", "estimate", "lines"]

Kind = Literal["percentile", "paper"]

_DIGITS = 12  # the last digits of a sum depend on the machine


@dataclass(frozen=True)
class Resampling:
    """How intervals are made.

    `percentile` is the middle part of the draws' coefficients, human scores drawn as well.
    `paper` keeps the human scores of the whole set, and gives the mean of the coefficients with
    Student's t interval of that mean (§4.1).
    """

    kind: Kind = "percentile"
    confidence: float = 0.95
    resamples: int = 1000
    seed: int = 0

    def __post_init__(self) -> None:
        check_number("confidence", self.confidence, 0.5, 0.9999)
        check_whole("resamples", self.resamples, 2, 10**6)
        check_whole("seed", self.seed, 0, 2**63)

    def signature(self, unit: str) -> str:
        """What the intervals depend on beside the scores."""
        by = "doc" if unit == "documents" else "segment"
        return f"bs:{self.resamples}|{self.kind}|conf:{self.confidence:g}|seed:{self.seed}|by:{by}"


@dataclass(frozen=True)
class Estimate:
    """A coefficient over `size` points, the mean of its draws, and an interval.

    `None` is what could not be had: too few points, or a side that never changes. `defined`
    counts the draws that have a value; the others are left out of mean and interval.
    """

    value: float | None
    size: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    defined: int = 0


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


def estimate(sampled: Sampled, resampling: Resampling, *, alone: bool = False) -> Estimate:
    """The coefficient with its interval; there is none if a unit is `alone` in the set."""
    if not np.isfinite(sampled.value):
        return Estimate(None, sampled.size)
    draws = sampled.draws[np.isfinite(sampled.draws)]
    value = _rounded(sampled.value)
    if alone or len(draws) < 2:
        return Estimate(value, sampled.size, defined=len(draws))
    make = percentiles if resampling.kind == "percentile" else interval_of_mean
    low, high = make(draws, resampling.confidence)
    mean = _rounded(float(draws.mean()))
    return Estimate(value, sampled.size, mean, _rounded(low), _rounded(high), len(draws))


def _rounded(value: float) -> float:
    return round(value, _DIGITS) + 0.0  # and no minus before a zero
