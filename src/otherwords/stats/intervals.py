"""Bootstrap intervals of scores and of coefficients (Efron & Tibshirani 1993; Koehn 2004)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import InputError
from otherwords.io.arguments import check_number, check_whole
from otherwords.stats.arrays import Array, FromSums, corpus_score, numbered
from otherwords.stats.distributions import t_quantile
from otherwords.stats.resampling import Counts, Resamples, resample

FEW = 10  # segments or documents below which intervals are rough
STRETCH = 1 << 14  # rows summed at a time
_BLOCK = 1 << 10  # resamples scored at a time
_SHARED = 1 << 21  # cells of resamples that are kept, 2 bytes each
Kind = Literal["percentile", "paper"]
_DIGITS = 12  # decimals kept; further digits differ between machines
_BY = {"segments": "segment", "documents": "doc"}


@dataclass(frozen=True)
class Interval:
    """Bootstrap interval of a corpus score."""

    low: float
    high: float
    confidence: float
    resamples: int


def interval(
    from_sums: FromSums,
    statistics: Array,
    *,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    docs: Sequence[str] | None = None,
    within: tuple[float, float] = (-math.inf, math.inf),
) -> Interval:
    """The bootstrap interval (`widened`) of the corpus score that `from_sums` computes.

    `within` has the lowest and the highest possible score.

    At least two segments, or two documents with `docs`, are needed.

    >>> rows = np.array([[1.0, 1], [0, 1], [1, 1], [1, 1]])  # correct, segments
    >>> found = interval(lambda sums: sums[:, 0] / sums[:, 1], rows, resamples=200)
    >>> found.low <= 0.75 <= found.high, found.confidence
    (True, 0.95)
    """
    confidence = check_number("confidence", confidence, 0.5, 0.9999)
    resamples = check_whole("resamples", resamples, 1, 10**7)
    rows = sum_documents(statistics, docs)
    if len(rows) < 2:
        raise InputError("an interval needs at least two segments, or two documents with docs")
    scores = bootstrap(from_sums, rows, resamples=resamples, seed=seed)
    value = corpus_score(from_sums, rows)
    low, high = widened(scores, value, len(rows), confidence)
    return Interval(max(low, within[0]), min(high, within[1]), confidence, resamples)


def widened(draws: Array, value: float, units: int, confidence: float) -> tuple[float, float]:
    """The percentile interval of a score, with ends moved away from the score by the ratio of
    Student's quantile to the normal one and by sqrt(n / (n - 1)).

    Resamples of n units vary less than new samples do, and percentiles are too narrow for few
    units (Hesterberg 2015, "What teachers should know about the bootstrap"). The ratio is 9.2 for
    two units, 1.2 for 10, 1.02 for 100.

    >>> widened(np.arange(101.0), 50.0, 1000, 0.5)  # the percentiles: 25 and 75
    (24.97..., 75.02...)
    """
    from statistics import NormalDist  # a slow import

    low, high = percentiles(draws, confidence)
    place = (1 + confidence) / 2
    ratio = t_quantile(units - 1, place) / NormalDist().inv_cdf(place)
    ratio *= math.sqrt(units / (units - 1))
    return value + ratio * (low - value), value + ratio * (high - value)


def percentiles(draws: Array, confidence: float) -> tuple[float, float]:
    """The central part of a bootstrap distribution that covers the confidence.

    >>> percentiles(np.arange(101.0), 0.5)
    (25.0, 75.0)
    """
    tail = (1 - confidence) / 2
    low, high = np.quantile(draws, [tail, 1 - tail])
    return float(low), float(high)


def wilson(hits: int, size: int, confidence: float) -> tuple[float, float]:
    """Wilson's interval (1927) of a share; unlike resamples, it has a width at 0 and at 1.

    >>> low, high = wilson(8, 10, 0.95)
    >>> round(low, 4), round(high, 4)
    (0.4902, 0.9433)
    """
    from statistics import NormalDist  # a slow import

    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    middle = (hits + z2 / 2) / (size + z2)
    reach = math.sqrt(z2 * (hits * (size - hits) / size + z2 / 4)) / (size + z2)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def interval_of_mean(draws: Array, confidence: float) -> tuple[float, float]:
    """Student's t interval of the mean of the resamples, as in ParaEval (§4.1).

    It covers the mean over infinitely many resamples of this sample. It narrows with every
    resample, and does not generalise to other samples.

    >>> low, high = interval_of_mean(np.array([1.0, 2.0, 3.0]), 0.95)
    >>> round(low, 3), round(high, 3)  # 2 -+ 4.3027 / sqrt(3)
    (-0.484, 4.484)
    """
    mean = float(draws.mean())
    error = float(draws.std(ddof=1)) / math.sqrt(len(draws))
    reach = t_quantile(len(draws) - 1, (1 + confidence) / 2) * error
    return mean - reach, mean + reach


def bootstrap(
    from_sums: FromSums,
    statistics: Array,
    *,
    resamples: int = 1000,
    seed: int = 0,
    docs: Sequence[str] | None = None,
) -> Array:
    """Corpus scores of resampled corpora. The same seed and number of segments give the same
    resamples for every system and metric, so scores can be compared resample by resample.

    >>> rows = np.array([[1.0, 1], [0, 1], [1, 1], [1, 1]])
    >>> bootstrap(lambda sums: sums[:, 0] / sums[:, 1], rows, resamples=3).shape
    (3,)
    """
    rows = sum_documents(statistics, docs)
    return np.concatenate(list(map(from_sums, _resampled_sums(rows, resamples, seed))))


def _resampled_sums(rows: Array, resamples: int, seed: int) -> Iterator[Array]:
    """Blocks of the column sums of resamples."""
    if not (rows % 1).any() and len(rows) * np.abs(rows).max(initial=0) < 2**53:
        # Sums of whole numbers are exact in any order.
        for times in _resamples(len(rows), resamples, seed):
            yield times.astype(np.float64) @ rows
        return
    draws = resample(len(rows), resamples, seed)
    while sums := [sum_of_rows(rows, draw) for draw in islice(draws, _BLOCK)]:
        yield np.array(sums)


@lru_cache(maxsize=8)
def _resamples(size: int, resamples: int, seed: int) -> Sequence[Counts] | Resamples:
    """The same resamples for all systems and metrics; many are computed anew for each."""
    drawn = Resamples(size, resamples, seed)
    return list(drawn) if size * resamples <= _SHARED else drawn


def sum_of_rows(rows: Array, drawn: NDArray[np.int64]) -> Array:
    """The sum of the sampled rows, in order, block by block: a copy of all of them would not fit
    into the processor's cache.

    >>> sum_of_rows(np.array([[1.0], [2.0]]), np.array([0, 1, 1])).tolist()
    [5.0]
    """
    if rows.shape[1] == 1:  # NumPy sums a single column in another order
        return np.asarray(rows[drawn].sum(axis=0))
    total = rows[drawn[:STRETCH]].sum(axis=0)
    for start in range(STRETCH, len(drawn), STRETCH):
        total = np.vstack([total, rows[drawn[start : start + STRETCH]]]).sum(axis=0)
    return np.asarray(total)


def sum_documents(statistics: Array, docs: Sequence[str] | None) -> Array:
    """Sum the rows of each document, in order of first appearance; no change without `docs`.

    >>> sum_documents(np.array([[1.0], [2.0], [4.0]]), ["a", "b", "a"]).tolist()
    [[5.0], [2.0]]
    """
    if docs is None:
        return statistics
    if len(docs) != len(statistics):
        raise InputError(f"{len(statistics)} segments but {len(docs)} document ids")
    which = numbered(docs)
    sums = np.zeros((len(set(docs)), statistics.shape[1]))
    np.add.at(sums, which, statistics)
    return sums


@dataclass(frozen=True)
class Resampling:
    """The settings of intervals. `percentile` takes the central part of the resamples'
    coefficients, with human scores resampled as well. `paper` keeps the human scores of the whole
    set and gives Student's t interval of the mean coefficient (ParaEval §4.1).
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
        by = _BY[unit]
        return f"bs:{self.resamples}|{self.kind}|conf:{self.confidence:g}|seed:{self.seed}|by:{by}"


@dataclass(frozen=True)
class Sampled:
    """A coefficient on the whole set and on each resample, NaN where it is not defined.

    `size` counts its points. In a mean over groups, `left_out` counts the groups without a value.
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
    the resamples that have a value; mean and interval ignore the others. `groups` counts the groups
    whose coefficients were averaged, `left_out` the groups without one.
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
    """The coefficient with its interval; with only one unit (`alone`) there is no interval."""
    plain = Estimate(None, sampled.size, groups=sampled.groups, left_out=sampled.left_out)
    if not np.isfinite(sampled.value):
        return replace(plain, reason=reason)
    plain = replace(plain, value=round_value(sampled.value))
    if resampling is None:
        return plain
    draws = sampled.draws[np.isfinite(sampled.draws)]
    if alone or len(draws) < 2:
        return replace(plain, defined=len(draws))
    if resampling.kind == "percentile":
        low, high = percentiles(draws, resampling.confidence)
        # Resamples of a coefficient at the end of its range are all on one side of it.
        low, high = min(low, sampled.value), max(high, sampled.value)
    else:
        low, high = interval_of_mean(draws, resampling.confidence)
    return replace(
        plain,
        mean=round_value(float(draws.mean())),
        low=round_value(low),
        high=round_value(high),
        defined=len(draws),
        draws=sampled.draws,
    )


def round_value(value: float) -> float:
    """Round off the digits that depend on the machine, and turn -0 into 0."""
    return round(value, _DIGITS) + 0.0
