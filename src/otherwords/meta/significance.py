"""Is system A better than system B, or is it the luck of the test set?

Both tests are of the corpus score, on the same segments, two-sided, and as sacreBLEU has
them: p = (1 + number of trials at least as extreme) / (1 + trials).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from otherwords.arguments import check_whole
from otherwords.errors import InputError, UsageError
from otherwords.meta.bootstrap import resample, sum_documents
from otherwords.metrics.base import Array, Metric

__all__ = ["Comparison", "Test", "compare", "holm", "p_value", "swaps"]

Test = Literal["bootstrap", "randomization"]


@dataclass(frozen=True)
class Comparison:
    """The difference of two systems' corpus scores and how likely chance alone makes it."""

    difference: float
    p: float
    test: str
    trials: int


def compare(
    metric: Metric,
    system: Array,
    baseline: Array,
    *,
    test: Test = "bootstrap",
    trials: int = 1000,
    seed: int = 0,
    docs: Sequence[str] | None = None,
) -> Comparison:
    """Paired test of `system` against `baseline`, rows of both being the same segments."""
    if system.shape != baseline.shape:
        raise InputError(f"{len(system)} segments of one system, {len(baseline)} of the other")
    check_whole("trials", trials, 1, 10**7)
    left, right = sum_documents(system, docs), sum_documents(baseline, docs)
    difference = metric.aggregate(left) - metric.aggregate(right)
    if test == "bootstrap":
        chance = _bootstrap_differences(metric, left, right, trials, seed)
        chance = chance - chance.mean()
    elif test == "randomization":
        chance = _randomized_differences(metric, left, right, trials, seed)
    else:
        raise UsageError(f"unknown test '{test}'; choose bootstrap or randomization")
    return Comparison(difference, p_value(chance, difference), test, trials)


def p_value(chance: Array, difference: float) -> float:
    """How often chance alone makes a difference at least as large, either way.

    >>> p_value(np.array([-2.0, 0.0, 1.0]), 1.5)
    0.5
    """
    # A tolerance for sums taken in another order: exchanged systems must not miss a tie.
    extreme = np.count_nonzero(np.abs(chance) >= abs(difference) * (1 - 1e-12) - 1e-12)
    return (int(extreme) + 1) / (len(chance) + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values, each corrected for all of them (Holm 1979): below 0.05 after that, a finding
    is one of a set with at most a chance of 5 % that any of it is false.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, p_values[place] * (len(p_values) - rank)))
        adjusted[place] = largest
    return adjusted


def _bootstrap_differences(
    metric: Metric, left: Array, right: Array, trials: int, seed: int
) -> Array:
    """Paired bootstrap (Koehn 2004): both systems on the same resampled segments."""
    return np.array(
        [
            metric.from_sums(left[draw].sum(axis=0)) - metric.from_sums(right[draw].sum(axis=0))
            for draw in resample(len(left), trials, seed)
        ]
    )


def _randomized_differences(
    metric: Metric, left: Array, right: Array, trials: int, seed: int
) -> Array:
    """Approximate randomization (Riezler & Maxwell 2005): swap the systems' segments."""
    total = left.sum(axis=0), right.sum(axis=0)
    gap = right - left
    differences = []
    for swapped in swaps(len(left), trials, seed):
        moved = gap[swapped].sum(axis=0)
        differences.append(metric.from_sums(total[0] + moved) - metric.from_sums(total[1] - moved))
    return np.array(differences)


def swaps(size: int, trials: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """For each trial, which segments change sides; the same on every machine.

    >>> [swapped.tolist() for swapped in swaps(3, 2, seed=0)]
    [[True, False, False], [False, True, True]]
    """
    generator = np.random.PCG64(check_whole("seed", seed, 0, 2**63))
    for _ in range(trials):
        yield (generator.random_raw(size) >> np.uint64(63)).astype(bool)
