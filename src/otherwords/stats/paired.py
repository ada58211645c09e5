"""Is system A better than system B, or is it the luck of the test set?

Both tests are of the corpus score, on the same segments, two-sided, and as sacreBLEU has
them: p = (1 + number of trials at least as extreme) / (1 + trials). Up to ten segments, where the
bootstrap would find what so few cannot show, p is no smaller than `least_p`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_whole
from otherwords.stats.arrays import Array, FromSums, column_sums
from otherwords.stats.draws import resample
from otherwords.stats.intervals import sum_documents

__all__ = ["Comparison", "Test", "compare", "extreme", "least_p", "p_value", "swapped_segments"]

Test = Literal["bootstrap", "randomization"]


@dataclass(frozen=True)
class Comparison:
    """The difference of two systems' corpus scores, and its p-value."""

    difference: float
    p: float
    test: str
    trials: int


def compare(
    from_sums: FromSums,
    system: Array,
    baseline: Array,
    *,
    test: Test = "bootstrap",
    trials: int = 1000,
    seed: int = 0,
    docs: Sequence[str] | None = None,
) -> Comparison:
    """Paired test of `system` against `baseline`, rows of both being the same segments.

    >>> good, poor = np.array([[1.0, 1]] * 12), np.array([[0.0, 1]] * 12)
    >>> found = compare(lambda sums: float(sums[0] / sums[1]), good, poor, test="randomization")
    >>> found.difference, found.p < 0.01
    (1.0, True)
    """
    if system.shape != baseline.shape:
        raise InputError(f"{len(system)} segments of one system, {len(baseline)} of the other")
    check_whole("trials", trials, 1, 10**7)
    left, right = sum_documents(system, docs), sum_documents(baseline, docs)
    difference = from_sums(column_sums(left)) - from_sums(column_sums(right))
    if test == "bootstrap":
        chance = _bootstrap_differences(from_sums, left, right, trials, seed)
        chance = chance - chance.mean()
    elif test == "randomization":
        chance = _randomized_differences(from_sums, left, right, trials, seed)
    else:
        raise UsageError(f"unknown test '{test}'; choose bootstrap or randomization")
    p = max(p_value(chance, difference), least_p(len(left)))
    return Comparison(difference, p, test, trials)


def least_p(units: int) -> float:
    """The smallest p that so many segments, or documents, can give: by chance alone all of them
    favour the same system in 2 of 2^n cases.

    >>> least_p(1), least_p(2), least_p(6)
    (1.0, 0.5, 0.03125)
    """
    return float(2.0 ** (1 - min(units, 64)))


def p_value(chance: Array, difference: float) -> float:
    """The two-sided p-value: how often chance alone gives a difference at least as large.

    >>> p_value(np.array([-2.0, 0.0, 1.0]), 1.5)
    0.5
    """
    return (extreme(chance, difference) + 1) / (len(chance) + 1)


def extreme(chance: Array, difference: float) -> int:
    """How many chance differences are at least as large, either way."""
    # A tolerance for sums taken in another order: exchanged systems must not miss a tie.
    return int(np.count_nonzero(np.abs(chance) >= abs(difference) * (1 - 1e-12) - 1e-12))


def _bootstrap_differences(
    from_sums: FromSums, left: Array, right: Array, trials: int, seed: int
) -> Array:
    """Paired bootstrap (Koehn 2004): both systems on the same resampled segments."""
    return np.array(
        [
            from_sums(left[draw].sum(axis=0)) - from_sums(right[draw].sum(axis=0))
            for draw in resample(len(left), trials, seed)
        ]
    )


def _randomized_differences(
    from_sums: FromSums, left: Array, right: Array, trials: int, seed: int
) -> Array:
    """Approximate randomization (Riezler & Maxwell 2005): swap the systems' segments."""
    total = left.sum(axis=0), right.sum(axis=0)
    gap = right - left
    differences = []
    for swapped in swapped_segments(len(left), trials, seed):
        moved = gap[swapped].sum(axis=0)
        differences.append(from_sums(total[0] + moved) - from_sums(total[1] - moved))
    return np.array(differences)


def swapped_segments(size: int, trials: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """Which of the segments change owner in each trial: fair coins, the same on every machine."""
    generator = np.random.PCG64(check_whole("seed", seed, 0, 2**63))
    for _ in range(trials):
        yield (generator.random_raw(size) >> np.uint64(63)).astype(bool)
