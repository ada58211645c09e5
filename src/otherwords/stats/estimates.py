"""How certain a coefficient is: its value, its resamples, and their interval."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from otherwords.io.arguments import check_number, check_whole
from otherwords.stats.arrays import Array
from otherwords.stats.intervals import interval_of_mean, percentiles

__all__ = ["Estimate", "Kind", "Resampling", "Sampled", "estimate", "rounded"]

Kind = Literal["percentile", "paper"]

_DIGITS = 12  # the last digits of a sum depend on the machine
_BY = {"segments": "segment", "documents": "doc", "systems": "system"}


@dataclass(frozen=True)
class Resampling:
    """How intervals are computed. `percentile` is the middle part of the resamples' coefficients,
    human scores resampled as well. `paper` keeps the human scores of the whole set, and gives the
    mean of the coefficients with Student's t interval of that mean (ParaEval §4.1).
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
        """What the intervals depend on in addition to the scores."""
        by = _BY[unit]
        return f"bs:{self.resamples}|{self.kind}|conf:{self.confidence:g}|seed:{self.seed}|by:{by}"


@dataclass(frozen=True)
class Sampled:
    """A coefficient on the whole set and on each resample, NaN where it has no value.

    `size` counts the points that it is taken over. In a mean over groups, `left_out` counts
    those without a value.
    """

    value: float
    size: int
    draws: Array = field(repr=False, compare=False)
    groups: int = 1
    left_out: int = 0


@dataclass(frozen=True)
class Estimate:
    """A coefficient over `size` points, the mean of its resamples, and an interval.

    A missing value is `None` with a `reason`: too few points, or a constant side. `defined` counts
    the resamples that have a value; the others are left out of mean and interval. `groups` are
    those whose coefficients were averaged, `left_out` those without one.
    """

    value: float | None
    size: int
    mean: float | None = None
    low: float | None = None
    high: float | None = None
    defined: int = 0
    reason: str = ""
    groups: int = 1
    left_out: int = 0
    draws: Array | None = field(default=None, repr=False, compare=False)


def estimate(
    sampled: Sampled, resampling: Resampling | None, *, alone: bool = False, reason: str = ""
) -> Estimate:
    """The coefficient with its interval; there is none if a unit is `alone` in the set."""
    plain = Estimate(None, sampled.size, groups=sampled.groups, left_out=sampled.left_out)
    if not np.isfinite(sampled.value):
        return replace(plain, reason=reason)
    plain = replace(plain, value=rounded(sampled.value))
    if resampling is None:
        return plain
    draws = sampled.draws[np.isfinite(sampled.draws)]
    if alone or len(draws) < 2:
        return replace(plain, defined=len(draws))
    make = percentiles if resampling.kind == "percentile" else interval_of_mean
    low, high = make(draws, resampling.confidence)
    return replace(
        plain,
        mean=rounded(float(draws.mean())),
        low=rounded(low),
        high=rounded(high),
        defined=len(draws),
        draws=sampled.draws,
    )


def rounded(value: float) -> float:
    """The value without the digits that depend on the machine, and no minus before a zero."""
    return round(value, _DIGITS) + 0.0
