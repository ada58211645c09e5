"""Coefficients of metrics on a judged set and its resamples, and the differences of two metrics.

Differences get intervals from the same resamples, Williams' test and permutation tests. A bootstrap
of n resamples has no two-sided p below 2 / (n + 1), and a correction for many pairs of metrics
multiplies it. Where the first resamples cannot decide, more are drawn for the test; intervals still
use the requested number.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from otherwords.metrics.base import MeanMetric
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson_each
from otherwords.stats.intervals import Resampling, Sampled, percentiles, round_value
from otherwords.stats.preferences import better_worse, tau_of
from otherwords.stats.resampling import Counts, Resamples, resample
from otherwords.stats.segments import (
    Places,
    SegmentScores,
    correlation_each,
    mean_known,
    soft_accuracy_resampled,
    soft_pairs,
    stacked,
)
from otherwords.stats.significance import (
    CLEAR,
    Resampled,
    bootstrap_test,
    holm,
    permutation_test,
    trials_for,
    williams,
)
from otherwords.study.agreement.arrays import (
    JudgedArrays,
    ScoredRows,
    SystemSums,
    once,
    system_sums,
)
from otherwords.tables.table import LEVEL

BETTER_WORSE = "better-worse"
SOFT = "soft-accuracy"
_WIDE = 64  # a group with more points is large

Blocks = Iterable[Counts]
Coefficient = tuple[str, str]  # level and name


def sample(
    scored: ScoredRows,
    arrays: JudgedArrays,
    names: Mapping[str, Sequence[str]],
    blocks: Blocks,
    *,
    threads: int = 1,
) -> tuple[dict[Coefficient, Sampled], float]:
    """Compute the named coefficients of each level, on the set and on resamples of its units, and
    the tie threshold.
    """
    sampled: dict[Coefficient, Sampled] = {}
    threshold = 0.0
    for level, wanted in names.items():
        if level == "segment":
            by_name, threshold = _segment_level(scored, arrays, wanted, blocks, threads)
        else:
            by_name = _system_level(scored, arrays, wanted, blocks)
        sampled |= {(level, name): values for name, values in by_name.items()}
    return sampled, threshold


def _segment_level(
    scored: ScoredRows, arrays: JudgedArrays, names: Sequence[str], blocks: Blocks, threads: int
) -> tuple[dict[str, Sampled], float]:
    """Compute each coefficient over segments, and the tie threshold (0 without accuracy)."""
    scores = np.where(scored.known, scored.segments, np.nan)
    both = SegmentScores(scores, arrays.people, arrays.judged.units, arrays.groups)
    within = [name for name in names if name != BETTER_WORSE]
    draws: dict[str, list[Array]] = {name: [] for name in names}
    for times in blocks:
        for name, values in both.drawn(within, times, threads=threads).items():
            draws[name].append(values)
        if BETTER_WORSE in names:
            draws[BETTER_WORSE].append(better_worse(scores, arrays.pairs, times, ties=arrays.ties))
    result = {
        name: _average(both.by_group(name, threads=threads), both.size, _join(draws[name]))
        for name in within
    }
    if BETTER_WORSE in names:
        value = better_worse(scores, arrays.pairs, once(arrays.judged.size), ties=arrays.ties)[0]
        among = arrays.pairs.among(scores)
        groups = len(np.unique(among.groups))
        tau = Sampled(float(value), len(among.better), _join(draws[BETTER_WORSE]), groups)
        result[BETTER_WORSE] = tau
    return result, both.threshold if "accuracy" in names and both.size else 0.0


def _system_level(
    scored: ScoredRows, arrays: JudgedArrays, names: Sequence[str], blocks: Blocks
) -> dict[str, Sampled]:
    """Compute each coefficient over systems, averaged over the parts of the set."""
    sums = [sums_of(scored, arrays, part) for part in arrays.parts]
    plain = [name for name in names if name != SOFT]
    every = once(arrays.judged.size)
    whole = [_over_systems(part_sums, plain, scored.sign, every) for part_sums in sums]
    drawn = [_draw_systems(part_sums, plain, scored.sign, arrays, blocks) for part_sums in sums]
    size = sum(part_sums.systems for part_sums in sums)
    result = {}
    for name in names:
        if name == SOFT:
            result[name] = _soft_accuracy(scored, arrays, blocks)
        else:
            values = np.array([by_name[name][0] for by_name in whole])
            draws = mean_known(np.array([by_name[name] for by_name in drawn]))
            result[name] = _average(values, size, draws)
    return result


def sums_of(scored: ScoredRows, arrays: JudgedArrays, part: Places) -> SystemSums:
    """Sum statistics and human scores over one part of the rows."""
    known = np.zeros(len(arrays.people), dtype=bool)
    known[part] = scored.known[part]
    sides = arrays.judged, arrays.people, scored.metric, scored.statistics
    return system_sums(*sides, known, fixed=arrays.system_human)


def _over_systems(
    sums: SystemSums, names: Sequence[str], sign: float, times: Counts
) -> dict[str, Array]:
    x, y = sign * sums.scores(times), sums.people(times)
    return {name: correlation_each(name, x, y) for name in names}


def _draw_systems(
    sums: SystemSums, names: Sequence[str], sign: float, arrays: JudgedArrays, blocks: Blocks
) -> dict[str, Array]:
    draws: dict[str, list[Array]] = {name: [] for name in names}
    for times in blocks:
        x, y = sign * sums.scores(times), sums.people(times)
        if arrays.resample_systems:
            drawn = _draw_places(times, sums.known)
            x, y = (np.take_along_axis(side, drawn, 1) for side in (x, y))
        for name in names:
            draws[name].append(correlation_each(name, x, y))
    return {name: _join(of_name) for name, of_name in draws.items()}


def _draw_places(times: Counts, places: Places) -> Places:
    """Draw as many of these places as there are, for each resample; the same for every metric."""
    seed = zlib.crc32(times.tobytes())
    return places[np.array(list(resample(len(places), len(times), seed)), dtype=np.intp)]


def _soft_accuracy(scored: ScoredRows, arrays: JudgedArrays, blocks: Blocks) -> Sampled:
    """Compute soft pairwise accuracy from segment scores, averaged over the parts."""
    values, drawn, systems = [], [], 0
    for part in arrays.parts:
        mine = np.zeros(len(arrays.people), dtype=bool)
        mine[part] = True
        scores = np.where(mine & scored.known, scored.segments, np.nan)
        x, y = (_by_system(side, arrays) for side in (scores, arrays.people))
        pairs = soft_pairs(x, y, trials=arrays.trials, seed=arrays.seed)
        values.append(float(mean_known(pairs.ravel())))
        systems += int((np.isfinite(x) & np.isfinite(y)).any(axis=1).sum())
        drawn.append(_join([_draw_soft(x, y, arrays, times) for times in blocks]))
    return _average(np.array(values), systems, mean_known(np.array(drawn)))


def _draw_soft(x: Array, y: Array, arrays: JudgedArrays, times: Counts) -> Array:
    units = np.array([arrays.judged.units[rows[0]] for rows in arrays.items], dtype=np.intp)
    systems = np.ones((len(times), len(x)))
    if arrays.resample_systems:
        drawn = _draw_places(times, np.flatnonzero((np.isfinite(x) & np.isfinite(y)).any(axis=1)))
        systems = np.array([np.bincount(places, minlength=len(x)) for places in drawn])
    return soft_accuracy_resampled(x, y, times[:, units].astype(np.float64), systems)


def _by_system(values: Array, arrays: JudgedArrays) -> Array:
    """Arrange scores as [systems, segments]; several rows of a system and segment are averaged."""
    number = np.empty(len(values), dtype=np.intp)
    for segment, rows in enumerate(arrays.items):
        number[rows] = segment
    table = np.full((len(arrays.judged.systems), len(arrays.items)), np.nan)
    for system, rows in enumerate(arrays.judged.systems.values()):
        mine = rows[np.isfinite(values[rows])]
        sums = np.bincount(number[mine], weights=values[mine], minlength=len(arrays.items))
        times = np.bincount(number[mine], minlength=len(arrays.items))
        table[system] = np.where(times > 0, sums / np.maximum(times, 1), np.nan)
    return table


def _average(values: Array, size: int, draws: Array) -> Sampled:
    """Average coefficients; groups without a value are left out and counted."""
    left_out = int(np.isnan(values).sum())
    mean = float(mean_known(values)) if len(values) else np.nan
    return Sampled(mean, size, draws, len(values) - left_out, left_out)


def _join(blocks: Sequence[Array]) -> Array:
    return np.concatenate(blocks) if blocks else np.zeros(0)


@dataclass(frozen=True)
class Difference:
    """How much better `one` agrees with human scores than `other`, with significance tests.

    Both are computed on the rows that both metrics have scored. `p` has the two-sided p-value of
    each test that applies (`williams`, `perm-both`, `perm-systems`, `bootstrap`); `adjusted` has
    the same corrected for all compared pairs of metrics (Holm). `low` and `high` bound the interval
    of the difference. `tests` has the resampling tests with their trials.
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


Sides = tuple[Mapping[Coefficient, Sampled], Mapping[Coefficient, Sampled]]


def segment_differences(
    one: ScoredRows,
    other: ScoredRows,
    arrays: JudgedArrays,
    sides: Sides,
    resampling: Resampling | None,
    *,
    threads: int = 1,
) -> list[Difference]:
    """Compute the differences of all coefficients over segments, on the rows that both metrics have
    scored; `sides` has the coefficients of both on these rows.
    """
    differences = []
    for level, name in sides[0]:
        if level != "segment":
            continue
        difference = _difference(level, name, one, other, sides, resampling)
        if difference.value is not None and name != "accuracy":
            # Accuracy calibrates ties again for mixed scores, which have no scale.
            rows = _shared(one, other, arrays, judged=name != BETTER_WORSE)
            x, y = one.segments[rows], other.segments[rows]
            p = {}
            if name == "pearson" and len(arrays.groups) == 1:
                p = _williams(x, y, arrays.people[rows])
            coefficient = _within(name, arrays, rows, threads)
            difference = _add_tests(difference, p, _permute("perm-both", x, y, coefficient, arrays))
        differences.append(difference)
    return differences


def system_differences(
    one: ScoredRows,
    other: ScoredRows,
    arrays: JudgedArrays,
    sides: Sides,
    resampling: Resampling | None,
) -> list[Difference]:
    """Compute the differences of all coefficients over systems, as `segment_differences` does."""
    every = once(arrays.judged.size)
    parts = []
    for part in arrays.parts:
        sums = [sums_of(scored, arrays, part) for scored in (one, other)]
        x, y = (s.sign * a.scores(every)[0] for s, a in zip((one, other), sums, strict=True))
        z = sums[0].people(every)[0]
        parts.append((x, y, z, np.isfinite(x) & np.isfinite(y) & np.isfinite(z)))
    points = [np.concatenate([side[n][side[3]] for side in parts]) for n in range(3)]
    known = [there for *_, there in parts]
    sizes = [int(there.sum()) for there in known]
    groups = np.split(np.arange(sum(sizes)), np.cumsum(sizes)[:-1])
    differences = []
    for level, name in sides[0]:
        if level != "system":
            continue
        difference = _difference(level, name, one, other, sides, resampling)
        if difference.value is not None and name != SOFT:
            p = _williams(*points) if name == "pearson" and len(groups) == 1 else {}
            over = _Over(name, points[2], groups)
            means = all(isinstance(scored.metric, MeanMetric) for scored in (one, other))
            if means and not arrays.resample_systems:
                rows = _shared(one, other, arrays, judged=arrays.system_human is None)
                x, y = one.segments[rows], other.segments[rows]
                of_means = _over_means(over, arrays, rows, known)
                tests = _permute("perm-both", x, y, of_means, arrays)
            else:
                tests = _permute("perm-systems", points[0], points[1], over, arrays)
            difference = _add_tests(difference, p, tests)
        differences.append(difference)
    return differences


def _difference(
    level: str,
    name: str,
    one: ScoredRows,
    other: ScoredRows,
    sides: Sides,
    resampling: Resampling | None,
) -> Difference:
    """Compute a difference with its interval and a bootstrap p-value from the same resamples."""
    first, second = (side[level, name] for side in sides)
    value = first.value - second.value
    if not np.isfinite(value):
        return Difference(level, name, one.label, other.label, None)
    plain = Difference(level, name, one.label, other.label, round_value(value))
    draws = first.draws - second.draws
    known = draws[np.isfinite(draws)]
    if resampling is None or len(known) < 2:
        return plain
    low, high = percentiles(known, resampling.confidence)
    test = bootstrap_test(known)
    plain = replace(plain, low=round_value(low), high=round_value(high), draws=draws)
    return plain if test is None else _add_tests(plain, {}, {"bootstrap": test})


def _add_tests(
    difference: Difference, p: Mapping[str, float], tests: Mapping[str, Resampled]
) -> Difference:
    """Add tests to a difference; `p` has p-values of tests without trials (Williams')."""
    values = {**difference.p, **p, **{name: test.p for name, test in tests.items()}}
    return replace(difference, p=values, tests={**difference.tests, **tests})


def adjust(differences: Sequence[Difference]) -> list[Difference]:
    """Adjust p-values within each level, coefficient and test."""
    families: dict[tuple[str, str, str], dict[str, float]] = {}
    for number, diff in enumerate(differences):
        for test, p in diff.p.items():
            families.setdefault((diff.level, diff.coefficient, test), {})[str(number)] = p
    corrected = {family: holm(members) for family, members in families.items()}
    return [
        replace(
            diff,
            adjusted={
                test: corrected[diff.level, diff.coefficient, test][str(number)] for test in diff.p
            },
        )
        for number, diff in enumerate(differences)
    ]


def _shared(one: ScoredRows, other: ScoredRows, arrays: JudgedArrays, *, judged: bool) -> Places:
    """Return the rows that both metrics have scored; `judged` also requires a human score."""
    there = np.isfinite(one.segments) & np.isfinite(other.segments)
    return np.flatnonzero(there & np.isfinite(arrays.people) if judged else there)


def _williams(x: Array, y: Array, z: Array) -> dict[str, float]:
    r12, r13, r23 = (float(pearson_each(a[None], b[None])[0]) for a, b in ((x, z), (y, z), (x, y)))
    if not np.isfinite([r12, r13, r23]).all():
        return {}
    p = williams(r12, r13, r23, len(x))
    return {} if p is None else {"williams": p}


def _permute(
    name: str, x: Array, y: Array, coefficient: Callable[[Array], Array], arrays: JudgedArrays
) -> dict[str, Resampled]:
    fast = coefficient.exchanged if isinstance(coefficient, _Over) and coefficient.is_wide else None
    test = permutation_test(
        x,
        y,
        coefficient,
        trials=arrays.trials,
        trials_max=arrays.trials_max,
        seed=arrays.seed,
        exchanged=fast,
    )
    return {} if test is None else {name: test}


def _within(
    name: str, arrays: JudgedArrays, rows: Places, threads: int
) -> Callable[[Array], Array]:
    """Return a function from tables of these rows' scores to the coefficient, averaged by group."""
    place = _place_of(rows, arrays)
    if name != BETTER_WORSE:
        groups = [place[group][place[group] >= 0] for group in arrays.groups]
        return _Over(name, arrays.people[rows], groups, threads)
    pairs = arrays.pairs.among(np.where(place >= 0, 0.0, np.nan))
    first, second = place[pairs.better], place[pairs.worse]

    def tau(tables: Array) -> Array:
        order = np.sign(np.round(tables[:, first] - tables[:, second], 12))
        return tau_of(order, pairs, once(arrays.judged.size), arrays.ties)[:, 0]

    return tau


def _place_of(rows: Places, arrays: JudgedArrays) -> Places:
    """Return the position of each row of the set among these rows, or -1."""
    place = np.full(len(arrays.people), -1, dtype=np.intp)
    place[rows] = np.arange(len(rows))
    return place


@dataclass(frozen=True)
class _Over:
    """Computes the coefficient of tables [trials, points], averaged over groups."""

    name: str
    people: Array
    groups: Sequence[Places]
    threads: int = 1

    def __call__(self, tables: Array) -> Array:
        by_group = []
        for _, places in stacked(self.groups):
            x = tables[:, places].reshape(-1, places.shape[1])
            y = np.tile(self.people[places], (len(tables), 1))
            values = correlation_each(self.name, x, y, threads=self.threads)
            by_group.append(values.reshape(len(tables), -1).T)
        return mean_known(np.vstack(by_group)) if by_group else np.full(len(tables), np.nan)

    @property
    def is_wide(self) -> bool:
        """Whether groups are so large that sorting them for each trial would be slow."""
        widest = max((len(group) for group in self.groups), default=0)
        return widest > _WIDE and self.name != "accuracy"

    def exchanged(self, left: Array, right: Array, swapped: NDArray[np.bool_]) -> Array:
        """Compute differences of coefficients with the scores of some points swapped.

        Both scores of each point are rows of one set and each trial selects one of them, so
        scores are sorted only once.
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


def _over_means(
    over: _Over, arrays: JudgedArrays, rows: Places, known: Sequence[NDArray[np.bool_]]
) -> Callable[[Array], Array]:
    """Return the coefficient over systems as a function of the scores of rows."""
    place = _place_of(rows, arrays)
    members = []
    for part, there in zip(arrays.parts, known, strict=True):
        inside = np.zeros(len(arrays.people), dtype=bool)
        inside[part] = True
        for number, system in enumerate(arrays.judged.systems.values()):
            if there[number]:
                mine = place[system[inside[system]]]
                members.append(mine[mine >= 0])

    def coefficient(tables: Array) -> Array:
        return over(np.column_stack([tables[:, mine].mean(axis=1) for mine in members]))

    return coefficient


def resolve(
    differences: Sequence[Difference],
    scored: Mapping[str, ScoredRows],
    coefficients: Callable[
        [ScoredRows, Iterable[Coefficient], Blocks], Mapping[Coefficient, Sampled]
    ],
    resampling: Resampling,
    size: int,
    resamples_max: int,
) -> list[Difference]:
    """Bootstrap with more resamples of `size` units where the first ones cannot decide.

    `coefficients` computes the named coefficients of a metric in each resample.
    """
    pairs = len({(diff.one, diff.other) for diff in differences})
    # Doubled because the test is two-sided.
    needed = trials_for(2 * pairs if pairs > 1 else 1, LEVEL, resampling.resamples, resamples_max)
    undecided = [diff for diff in differences if _is_undecided(diff)]
    if needed <= resampling.resamples or not undecided:
        return list(differences)
    blocks = Resamples(size, needed, resampling.seed, skip=resampling.resamples).kept()
    wanted = list(dict.fromkeys((diff.level, diff.coefficient) for diff in undecided))
    whole: dict[str, Mapping[Coefficient, Sampled]] = {}  # metrics that lack no row of a pair
    sides: dict[tuple[str, str], list[Mapping[Coefficient, Sampled]]] = {}
    for pair in dict.fromkeys((diff.one, diff.other) for diff in undecided):
        both = scored[pair[0]].known & scored[pair[1]].known
        sides[pair] = []
        for label in pair:
            if not (scored[label].known == both).all():
                sides[pair].append(coefficients(scored[label].among(both), wanted, blocks))
                continue
            if label not in whole:
                whole[label] = coefficients(scored[label], wanted, blocks)
            sides[pair].append(whole[label])
    return [
        _extend(diff, sides[diff.one, diff.other]) if _is_undecided(diff) else diff
        for diff in differences
    ]


def _is_undecided(diff: Difference) -> bool:
    """Whether few resamples contradict the difference, so that more could change the outcome."""
    test = diff.tests.get("bootstrap")
    return test is not None and test.p * (test.trials + 1) / 2 <= CLEAR


def _extend(diff: Difference, sides: Sequence[Mapping[Coefficient, Sampled]]) -> Difference:
    first, second = (side[diff.level, diff.coefficient].draws for side in sides)
    assert diff.draws is not None
    test = bootstrap_test(np.concatenate([diff.draws, first - second]))
    return diff if test is None else _add_tests(diff, {}, {"bootstrap": test})
