"""More resamples for differences of metrics that the first ones cannot decide.

A bootstrap of n resamples has no two-sided p below 2 / (n + 1), and a correction for many pairs of
metrics multiplies it. Intervals stay those of the resamples that were asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from otherwords.stats.differences import CLEAR, bootstrap_test
from otherwords.stats.draws import Counts, Draws
from otherwords.stats.estimates import Resampling, Sampled
from otherwords.stats.families import trials_for
from otherwords.study.agreement.comparison import Difference
from otherwords.study.agreement.levels import ScoredRows
from otherwords.tables.table import LEVEL

__all__ = ["resolved"]

Names = Mapping[str, Sequence[str]]
Sample = Callable[[ScoredRows, Names, Draws | Sequence[Counts]], dict[str, dict[str, Sampled]]]


def resolved(
    differences: Sequence[Difference],
    scored: Mapping[str, ScoredRows],
    sample: Sample,
    resampling: Resampling,
    size: int,
    resamples_max: int,
) -> list[Difference]:
    """The differences, those that are open with a bootstrap of more resamples of `size` units.

    `sample` gives the coefficients of a metric in each resample.
    """
    pairs = len({(one.one, one.other) for one in differences})
    # Twice, as the test is two-sided.
    needed = trials_for(2 * pairs if pairs > 1 else 1, LEVEL, resampling.resamples, resamples_max)
    if needed <= resampling.resamples or not any(map(_is_open, differences)):
        return list(differences)
    blocks = Draws(size, needed, resampling.seed, skip=resampling.resamples).kept()
    by_pair: dict[tuple[str, str], list[Difference]] = {}
    for one in differences:
        by_pair.setdefault((one.one, one.other), []).append(one)
    wanted: dict[str, dict[str, None]] = {}
    for one in filter(_is_open, differences):
        wanted.setdefault(one.level, {})[one.coefficient] = None
    names = {level: tuple(several) for level, several in wanted.items()}
    kept: dict[str, dict[str, dict[str, Sampled]]] = {}  # of metrics that have all rows of a pair
    found: list[Difference] = []
    for pair, several in by_pair.items():
        if not any(map(_is_open, several)):
            found += several
            continue
        both = scored[pair[0]].known & scored[pair[1]].known
        sides = []
        for label in pair:
            if not (scored[label].known == both).all():
                sides.append(sample(scored[label].among(both), names, blocks))
                continue
            if label not in kept:
                kept[label] = sample(scored[label], names, blocks)
            sides.append(kept[label])
        found += [_extended(one, sides) if _is_open(one) else one for one in several]
    return found


def _is_open(one: Difference) -> bool:
    """Whether few resamples contradict the difference, so that more could change the outcome."""
    test = one.tests.get("bootstrap")
    return test is not None and test.p * (test.trials + 1) / 2 <= CLEAR


def _extended(one: Difference, sides: Sequence[Mapping[str, Mapping[str, Sampled]]]) -> Difference:
    first, second = (side[one.level][one.coefficient].draws for side in sides)
    assert one.draws is not None
    test = bootstrap_test(np.concatenate([one.draws, first - second]))
    if test is None:
        return one
    tests = {**one.tests, "bootstrap": test}
    return replace(one, p={**one.p, "bootstrap": test.p}, tests=tests)
