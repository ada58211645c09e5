"""Pairs of metrics on the same rows: differences of coefficients, with intervals and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from otherwords.metrics.base import Array, MeanMetric
from otherwords.stats.coefficients import pearson_each
from otherwords.stats.intervals import Resampling, Sampled, percentiles, round_value
from otherwords.stats.preferences import tau_of
from otherwords.stats.resampling import Counts, Resamples
from otherwords.stats.segments import Places, SegmentScores, correlation_each, mean_known, stacked
from otherwords.stats.significance import (
    CLEAR,
    Resampled,
    bootstrap_test,
    holm,
    permutation_test,
    trials_for,
    williams,
)
from otherwords.study.agreement.coefficients import (
    BETTER_WORSE,
    SOFT,
    JudgedArrays,
    ScoredRows,
    sums_of,
)
from otherwords.tables.table import LEVEL

__all__ = [
    "Difference",
    "adjusted",
    "resolved",
    "segment_difference",
    "system_difference",
]

_WIDE = 64  # points of a group


@dataclass(frozen=True)
class Difference:
    """How much better `one` agrees with human scores than `other`, and whether that may be chance.

    Both are taken over the rows that both have. `p` has the two-sided p-value of each test that
    could be made (`williams`, `perm-both`, `perm-systems`, `bootstrap`), `adjusted` the same
    corrected for all the pairs of metrics that were compared (Holm). `low` and `high` are the
    interval of the difference. `tests` are the resampling tests with their trials.
    """

    level: str
    coefficient: str
    one: str
    other: str
    value: float | None
    low: float | None = None
    high: float | None = None
    p: Mapping[str, float] = field(default_factory=dict)
    adjusted: Mapping[str, float] = field(default_factory=dict)
    tests: Mapping[str, Resampled] = field(default_factory=dict)
    draws: Array | None = field(default=None, repr=False, compare=False)


def segment_difference(
    one: ScoredRows,
    other: ScoredRows,
    arrays: JudgedArrays,
    sampled: tuple[Mapping[str, Sampled], Mapping[str, Sampled]],
    resampling: Resampling | None,
    *,
    threads: int = 1,
) -> list[Difference]:
    """All coefficients over segments; both metrics were sampled on the rows that both have."""
    found = []
    for name in sampled[0]:
        difference = _plain("segment", name, one, other, sampled, resampling)
        p, tests = dict(difference.p), dict(difference.tests)
        if difference.value is not None and name != "accuracy":
            # Accuracy calibrates ties again for mixed scores, which have no scale.
            rows = _shared(one, other, arrays, judged=name != BETTER_WORSE)
            if name == "pearson" and len(arrays.groups) == 1:
                p |= _williams(one.segments[rows], other.segments[rows], arrays.people[rows])
            tests |= _permuted(
                "perm-both",
                one.segments[rows],
                other.segments[rows],
                _within(name, arrays, rows, threads),
                arrays,
            )
        found.append(replace(difference, p=p | _p_of(tests), tests=tests))
    return found


def system_difference(
    one: ScoredRows,
    other: ScoredRows,
    arrays: JudgedArrays,
    sampled: tuple[Mapping[str, Sampled], Mapping[str, Sampled]],
    resampling: Resampling | None,
) -> list[Difference]:
    """All coefficients over systems."""
    every = np.ones((1, arrays.judged.size), dtype=np.uint16)
    parts = []
    for part in arrays.parts:
        sums = [sums_of(scored, arrays, part) for scored in (one, other)]
        x, y = (s.sign * a.scores(every)[0] for s, a in zip((one, other), sums, strict=True))
        z = sums[0].people(every)[0]
        there = np.isfinite(x) & np.isfinite(y) & np.isfinite(z)
        parts.append((x, y, z, there))
    points = [np.concatenate([side[n][side[3]] for side in parts]) for n in range(3)]
    ends = np.cumsum([int(there.sum()) for *_, there in parts])
    groups = [
        np.arange(end - there.sum(), end) for end, (*_, there) in zip(ends, parts, strict=True)
    ]
    found = []
    for name in sampled[0]:
        difference = _plain("system", name, one, other, sampled, resampling)
        p, tests = dict(difference.p), dict(difference.tests)
        if difference.value is not None and name != SOFT:
            if name == "pearson" and len(groups) == 1:
                p |= _williams(*points)
            if _is_mean(one) and _is_mean(other):
                test = _cells(name, arrays, points[2], [there for *_, there in parts], groups)
                rows = _shared(one, other, arrays, judged=arrays.system_human is None)
                tests |= _permuted(
                    "perm-both", one.segments[rows], other.segments[rows], test(rows), arrays
                )
            else:
                tests |= _permuted(
                    "perm-systems", points[0], points[1], _Over(name, points[2], groups), arrays
                )
        found.append(replace(difference, p=p | _p_of(tests), tests=tests))
    return found


def _p_of(tests: Mapping[str, Resampled]) -> dict[str, float]:
    return {name: one.p for name, one in tests.items()}


def adjusted(differences: Sequence[Difference]) -> list[Difference]:
    """The same with p-values adjusted within each level, coefficient and test."""
    families: dict[tuple[str, str, str], dict[str, float]] = {}
    for number, one in enumerate(differences):
        for test, p in one.p.items():
            families.setdefault((one.level, one.coefficient, test), {})[str(number)] = p
    corrected = {family: holm(members) for family, members in families.items()}
    return [
        replace(
            one,
            adjusted={
                test: corrected[one.level, one.coefficient, test][str(number)] for test in one.p
            },
        )
        for number, one in enumerate(differences)
    ]


def _plain(
    level: str,
    name: str,
    one: ScoredRows,
    other: ScoredRows,
    sampled: tuple[Mapping[str, Sampled], Mapping[str, Sampled]],
    resampling: Resampling | None,
) -> Difference:
    """The difference and its interval, and a p-value from the same resamples."""
    first, second = sampled[0][name], sampled[1][name]
    value = first.value - second.value
    if not np.isfinite(value):
        return Difference(level, name, one.label, other.label, None)
    found = Difference(level, name, one.label, other.label, round_value(value))
    draws = first.draws - second.draws
    known = draws[np.isfinite(draws)]
    if resampling is None or len(known) < 2:
        return found
    low, high = percentiles(known, resampling.confidence)
    test = bootstrap_test(known)
    tests = {} if test is None else {"bootstrap": test}
    return replace(
        found,
        low=round_value(low),
        high=round_value(high),
        p=_p_of(tests),
        tests=tests,
        draws=draws,
    )


def _shared(one: ScoredRows, other: ScoredRows, arrays: JudgedArrays, *, judged: bool) -> Places:
    """The rows that both metrics have, with a human score if the rows must be judged."""
    there = np.isfinite(one.segments) & np.isfinite(other.segments)
    return np.flatnonzero(there & np.isfinite(arrays.people) if judged else there)


def _williams(x: Array, y: Array, z: Array) -> dict[str, float]:
    r12, r13, r23 = (float(pearson_each(a[None], b[None])[0]) for a, b in ((x, z), (y, z), (x, y)))
    if not np.isfinite([r12, r13, r23]).all():
        return {}
    p = williams(r12, r13, r23, len(x))
    return {} if p is None else {"williams": p}


def _permuted(
    test: str,
    x: Array,
    y: Array,
    coefficient: Callable[[Array], Array],
    arrays: JudgedArrays,
) -> dict[str, Resampled]:
    fast = coefficient.exchanged if isinstance(coefficient, _Over) and coefficient.is_wide else None
    found = permutation_test(
        x,
        y,
        coefficient,
        trials=arrays.trials,
        trials_max=arrays.trials_max,
        seed=arrays.seed,
        exchanged=fast,
    )
    return {} if found is None else {test: found}


def _within(
    name: str, arrays: JudgedArrays, rows: Places, threads: int
) -> Callable[[Array], Array]:
    """The coefficient of tables of scores of these rows, in the mean over groups."""
    place = np.full(len(arrays.people), -1, dtype=np.intp)
    place[rows] = np.arange(len(rows))
    if name == BETTER_WORSE:
        there = np.full(len(arrays.people), np.nan)
        there[rows] = 0
        pairs = arrays.pairs.among(there)
        every = np.ones((1, arrays.judged.size), dtype=np.uint16)
        first, second = place[pairs.better], place[pairs.worse]

        def tau(tables: Array) -> Array:
            order = np.sign(np.round(tables[:, first] - tables[:, second], 12))
            return tau_of(order, pairs, every, arrays.ties)[:, 0]

        return tau
    groups = [place[group][place[group] >= 0] for group in arrays.groups]
    return _Over(name, arrays.people[rows], groups, threads)


@dataclass(frozen=True)
class _Over:
    """The coefficient of tables [trials, points] with human scores, averaged over groups."""

    name: str
    people: Array
    groups: Sequence[Places]
    threads: int = 1

    def __call__(self, tables: Array) -> Array:
        found = []
        for _, places in stacked(self.groups):
            x = tables[:, places].reshape(-1, places.shape[1])
            y = np.tile(self.people[places], (len(tables), 1))
            values = correlation_each(self.name, x, y, threads=self.threads)
            found.append(values.reshape(len(tables), -1).T)
        return mean_known(np.vstack(found)) if found else np.full(len(tables), np.nan)

    @property
    def is_wide(self) -> bool:
        """Whether groups are large, so that sorting them again for each trial would take long."""
        widest = max((len(group) for group in self.groups), default=0)
        return widest > _WIDE and self.name != "accuracy"

    def exchanged(self, left: Array, right: Array, swapped: NDArray[np.bool_]) -> Array:
        """Differences of coefficients when scores have changed places.

        Both scores of each point are rows of one set, of which a trial takes one: what was
        sorted once stays sorted.
        """
        sides: list[list[Array]] = [[], []]
        for group in self.groups:
            both = SegmentScores(
                np.concatenate([left[group], right[group]]),
                np.tile(self.people[group], 2),
                np.arange(2 * len(group)),
                [np.arange(2 * len(group))],
            )
            mine = swapped[:, group]
            for side, chosen in zip(sides, ((~mine, mine), (mine, ~mine)), strict=True):
                times = np.hstack(chosen).astype(np.uint16)
                side.append(both.drawn([self.name], times, threads=self.threads)[self.name])
        return mean_known(np.array(sides[0])) - mean_known(np.array(sides[1]))


def _cells(
    name: str,
    arrays: JudgedArrays,
    people: Array,
    there: Sequence[Array],
    groups: Sequence[Places],
) -> Callable[[Places], Callable[[Array], Array]]:
    """The coefficient over systems whose scores are the means of their rows' scores."""
    over = _Over(name, people, groups)

    def of_rows(rows: Places) -> Callable[[Array], Array]:
        place = np.full(len(arrays.people), -1, dtype=np.intp)
        place[rows] = np.arange(len(rows))
        members = []
        for part, known in zip(arrays.parts, there, strict=True):
            inside = np.zeros(len(arrays.people), dtype=bool)
            inside[part] = True
            for number, system in enumerate(arrays.judged.systems.values()):
                if known[number]:
                    mine = place[system[inside[system]]]
                    members.append(mine[mine >= 0])

        def coefficient(tables: Array) -> Array:
            return over(np.column_stack([tables[:, mine].mean(axis=1) for mine in members]))

        return coefficient

    return of_rows


def _is_mean(scored: ScoredRows) -> bool:
    """Whether a system's score is the mean of those of its segments."""
    return isinstance(scored.metric, MeanMetric)


Names = Mapping[str, Sequence[str]]
Sample = Callable[[ScoredRows, Names, Resamples | Sequence[Counts]], dict[str, dict[str, Sampled]]]


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
    blocks = Resamples(size, needed, resampling.seed, skip=resampling.resamples).kept()
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
