"""Does one metric agree with human scores better than another, or is it chance?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from otherwords.io.arguments import check_whole
from otherwords.stats.arrays import Array
from otherwords.stats.distributions import t_cdf

__all__ = [
    "CLEAR",
    "Resampled",
    "bootstrap_p",
    "bootstrap_test",
    "holm",
    "permutation_p",
    "permutation_test",
    "swaps",
    "williams",
]

Exchange = Callable[[Array, Array, NDArray[np.bool_]], Array]

CLEAR = 20  # chance differences as extreme as the true one: more trials would not change much
_BITS = 64
_CELLS = 2**20  # of a block of trials
_ROUNDING = 1e-9  # sums in another order


def williams(r12: float, r13: float, r23: float, size: int) -> float | None:
    """Two-sided p of Williams' test (1959) that r12 and r13 differ, two correlations with the same
    variable over `size` points, r23 being that of the other two; `None` where it has no value.

    >>> round(williams(0.4, 0.5, 0.1, 103), 2)
    0.37
    """
    if size <= 3:
        return None
    rest = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    mean = (r12 + r13) / 2
    base = 2 * max(rest, 0) * (size - 1) / (size - 3) + mean**2 * (1 - r23) ** 3
    if base <= _ROUNDING:
        return 1.0 if abs(r12 - r13) <= _ROUNDING else None
    t = (r12 - r13) * math.sqrt((size - 1) * (1 + r23) / base)
    return 2 * t_cdf(size - 3, -abs(t))


_Name = TypeVar("_Name")


def holm(p: Mapping[_Name, float]) -> dict[_Name, float]:
    """P-values adjusted for their number (Holm 1979): the chance of any false finding among all
    of them stays below the level that each is compared with.

    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    adjusted: dict[_Name, float] = {}
    largest = 0.0
    for rank, name in enumerate(sorted(p, key=lambda one: p[one])):
        largest = max(largest, min(1.0, (len(p) - rank) * p[name]))
        adjusted[name] = round(largest, 12)
    return {name: adjusted[name] for name in p}


def bootstrap_p(differences: Array) -> float | None:
    """Two-sided p of no difference, from the differences of paired resamples: twice the smaller
    share on either side of 0.

    >>> round(bootstrap_p(np.array([1.0, 2, 3, 1, -1, 2, 1, 3, 2])), 2)
    0.4
    """
    found = bootstrap_test(differences)
    return None if found is None else found.p


def bootstrap_test(differences: Array) -> Resampled | None:
    """The same with the number of resamples that have a value."""
    known = differences[np.isfinite(differences)]
    if len(known) < 2:
        return None
    fewer = min(np.count_nonzero(known <= 0), np.count_nonzero(known >= 0))
    p = float(min(1.0, 2 * (fewer + 1) / (len(known) + 1)))
    return Resampled(p, len(known), bool(fewer == 0))


@dataclass(frozen=True)
class Resampled:
    """The p of a resampling test, and by how many trials; one with `is_floor` is below that."""

    p: float
    trials: int
    is_floor: bool = False


def permutation_p(
    one: Array,
    other: Array,
    coefficient: Callable[[Array], Array],
    *,
    trials: int = 1000,
    seed: int = 0,
    exchanged: Exchange | None = None,
) -> float | None:
    """Two-sided p of PERM-BOTH (Deutsch, Dror & Roth 2021): both metrics' scores of a point are
    exchanged with a chance of one half, each point separately.

    `coefficient` takes scores [trials, points] to coefficients [trials]. Scores are standardised
    first, so that they may be exchanged. p = (1 + trials at least as extreme) / (1 + trials).
    `exchanged` is a faster way to the differences, from both scores and what changes places.
    """
    how: Any = {"trials": trials, "seed": seed, "exchanged": exchanged}
    found = permutation_test(one, other, coefficient, **how)
    return None if found is None else found.p


def permutation_test(
    one: Array,
    other: Array,
    coefficient: Callable[[Array], Array],
    *,
    trials: int = 1000,
    trials_max: int | None = None,
    seed: int = 0,
    exchanged: Exchange | None = None,
) -> Resampled | None:
    """The same with up to `trials_max` trials, while fewer than `CLEAR` of them were as extreme
    (Besag & Clifford 1991).
    """
    left, right = _standardised(one), _standardised(other)
    truth = float((coefficient(left[None]) - coefficient(right[None]))[0])
    if not math.isfinite(truth):
        return None
    most = max(trials, trials_max or trials)
    extreme = done = 0
    for swapped in swaps(most, len(left), seed, at=trials):
        if exchanged is not None:
            chance = exchanged(left, right, swapped)
        else:
            x, y = np.where(swapped, right, left), np.where(swapped, left, right)
            chance = coefficient(x) - coefficient(y)
        large = np.abs(np.nan_to_num(chance)) >= abs(truth) - _ROUNDING
        extreme += int(np.count_nonzero(large))
        done += len(swapped)
        if done >= trials and extreme >= CLEAR:
            break
    return Resampled((extreme + 1) / (done + 1), done, extreme == 0)


def swaps(
    trials: int, size: int, seed: int, *, at: int | None = None
) -> Iterator[NDArray[np.bool_]]:
    """Blocks of trials [trials, size] of fair coins, the same on every machine; a block ends
    after `at` trials.
    """
    check_whole("trials", trials, 1, 10**7)
    generator = np.random.PCG64(check_whole("seed", seed, 0, 2**63))
    words = -(-size // _BITS)
    step = max(1, _CELLS // max(size, 1))
    start, first = 0, trials if at is None else min(at, trials)
    while start < trials:
        rows = min(step, (first if start < first else trials) - start)
        if start >= first:
            rows = min(rows, first)
        raw = generator.random_raw(rows * words).astype("<u8").view(np.uint8)
        yield np.unpackbits(raw.reshape(rows, -1), axis=1)[:, :size].astype(bool)
        start += rows


def _standardised(values: Array) -> Array:
    spread = values.std()
    return np.asarray((values - values.mean()) / (spread if spread > 0 else 1))


def pairs_of(labels: Sequence[str], compare: str) -> list[tuple[str, str]]:
    """Each metric with the baseline, or all pairs of metrics.

    >>> pairs_of(["a", "b", "c"], "b")
    [('a', 'b'), ('c', 'b')]
    """
    if compare == "all":
        return [(one, other) for i, one in enumerate(labels) for other in labels[i + 1 :]]
    return [(one, compare) for one in labels if one != compare]
