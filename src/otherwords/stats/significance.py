"""Significance tests: is one system, or one metric, better than another, or is it chance?

Tests of systems compare corpus scores on the same segments, two-sided, as sacreBLEU does:
p = (1 + trials at least as extreme) / (1 + trials). p is never below `least_p`. Approximate
randomization keeps its level for any number of segments; the bootstrap finds too many differences
below `FEW` of them (`python -m bench.significance small`).

A resampling test of n trials cannot give a p below 1 / (n + 1), and a correction for m tests
multiplies it. A family of tests therefore adds trials for the pairs that are still undecided
(Besag & Clifford 1991). A pair with `CLEAR` chance differences as extreme as the true one is
decided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations, islice
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_number, check_whole
from otherwords.stats.arrays import Array, FromSums, corpus_score
from otherwords.stats.distributions import t_cdf
from otherwords.stats.intervals import sum_documents
from otherwords.stats.resampling import resample

Test = Literal["bootstrap", "randomization"]
Correction = Literal["holm", "bh", "none"]
CORRECTIONS = {"holm": "Holm", "bh": "Benjamini-Hochberg", "none": "none"}
Exchange = Callable[[Array, Array, NDArray[np.bool_]], Array]
FEW = 100  # segments or documents below which the paired bootstrap should not be used
CLEAR = 20  # chance differences as extreme as the true one that decide a test
_BITS = 64
_SWAPS = 2**20  # cells of a block of trials
_ROUNDING = 1e-9  # tolerance for sums in another order
SystemPair = tuple[str, str]
_CELLS, _TRIALS = 2**22, 500  # the largest block
_BEYOND = 4  # the smallest p must be this many times below the level


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
    test: Test = "randomization",
    trials: int = 1000,
    seed: int = 0,
    docs: Sequence[str] | None = None,
) -> Comparison:
    """Paired test of `system` against `baseline`; row i of both is the same segment.

    >>> good, poor = np.array([[1.0, 1]] * 12), np.array([[0.0, 1]] * 12)
    >>> found = compare(lambda sums: sums[:, 0] / sums[:, 1], good, poor)
    >>> found.difference, found.p < 0.01
    (1.0, True)
    """
    if system.shape != baseline.shape:
        raise InputError(f"{len(system)} segments of one system, {len(baseline)} of the other")
    check_whole("trials", trials, 1, 10**7)
    rows, pair = {"system": system, "baseline": baseline}, ("system", "baseline")
    found = _test_pairs(from_sums, rows, [pair], docs, test, (trials, trials), seed)[pair]
    return Comparison(found.difference, found.p, test, trials)


def least_p(units: int) -> float:
    """The smallest p that n segments or documents can give: by chance, all of them favour the same
    system in 2 of 2^n cases.

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
    """The number of chance differences at least as large, in either direction."""
    # The tolerance covers sums in another order: exchanged systems must not miss a tie.
    return int(np.count_nonzero(np.abs(chance) >= abs(difference) * (1 - 1e-12) - 1e-12))


def swapped_segments(size: int, trials: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """For each trial, the segments to swap: fair coins, the same on every machine."""
    generator = np.random.PCG64(check_whole("seed", seed, 0, 2**63))
    for _ in range(trials):
        yield (generator.random_raw(size) >> np.uint64(63)).astype(bool)


def williams(r12: float, r13: float, r23: float, size: int) -> float | None:
    """Two-sided p of Williams' test (1959) that r12 and r13, correlations with the same variable
    over `size` points, differ. r23 correlates the other two variables. `None` if undefined.

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
    """Holm-adjusted p-values (1979): the chance of any false positive among them stays below
    the level that each is compared with.

    >>> holm({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'b': 0.06, 'c': 0.06}
    """
    adjusted: dict[_Name, float] = {}
    largest = 0.0
    for rank, name in enumerate(sorted(p, key=lambda key: p[key])):
        largest = max(largest, min(1.0, (len(p) - rank) * p[name]))
        adjusted[name] = round(largest, 12)
    return {name: adjusted[name] for name in p}


def benjamini_hochberg(p: Mapping[_Name, float]) -> dict[_Name, float]:
    """P-values adjusted by Benjamini & Hochberg (1995): of the differences that are found, the
    expected share of false ones stays below the level.

    >>> benjamini_hochberg({"a": 0.01, "b": 0.04, "c": 0.03})
    {'a': 0.03, 'b': 0.04, 'c': 0.04}
    """
    adjusted: dict[_Name, float] = {}
    smallest = 1.0
    for rank, name in reversed(list(enumerate(sorted(p, key=lambda key: p[key]), 1))):
        smallest = min(smallest, len(p) / rank * p[name])
        adjusted[name] = round(smallest, 12)
    return {name: adjusted[name] for name in p}


def correct_p(p: Mapping[_Name, float], correction: Correction = "holm") -> dict[_Name, float]:
    """P-values corrected for their number; as they are for "none"."""
    if correction not in CORRECTIONS:
        raise UsageError(f"correction must be {', '.join(CORRECTIONS)}, not {correction!r}")
    if correction == "none":
        return dict(p)
    return holm(p) if correction == "holm" else benjamini_hochberg(p)


def bootstrap_test(differences: Array) -> Resampled | None:
    """Test of no difference, from the differences of paired resamples: p is twice the smaller share
    on either side of 0.

    >>> round(bootstrap_test(np.array([1.0, 2, 3, 1, -1, 2, 1, 3, 2])).p, 2)
    0.4
    """
    known = differences[np.isfinite(differences)]
    if len(known) < 2:
        return None
    fewer = min(np.count_nonzero(known <= 0), np.count_nonzero(known >= 0))
    p = float(min(1.0, 2 * (fewer + 1) / (len(known) + 1)))
    return Resampled(p, len(known), bool(fewer == 0))


@dataclass(frozen=True)
class Resampled:
    """The p of a resampling test and its trials; with `is_floor`, p is only an upper bound."""

    p: float
    trials: int
    is_floor: bool = False


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
    """PERM-BOTH (Deutsch, Dror & Roth 2021): the metrics' scores of each point are swapped with
    probability one half.

    `coefficient` takes scores [trials, points] to coefficients [trials]. Scores are standardised
    first, so that they may be swapped. p = (1 + trials at least as extreme) / (1 + trials).
    There are up to `trials_max` trials while fewer than `CLEAR` of them were as extreme (Besag &
    Clifford 1991). `exchanged` computes the differences faster, from both metrics' scores and the
    swapped points.
    """
    left, right = _standardise(one), _standardise(other)
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
    least = least_p(len(left))
    p = max((extreme + 1) / (done + 1), least)
    return Resampled(p, done, extreme == 0 and p > least)


def swaps(
    trials: int, size: int, seed: int, *, at: int | None = None
) -> Iterator[NDArray[np.bool_]]:
    """Blocks of fair coins [trials, size], the same on every machine; a block ends after `at`
    trials.
    """
    check_whole("trials", trials, 1, 10**7)
    generator = np.random.PCG64(check_whole("seed", seed, 0, 2**63))
    words = -(-size // _BITS)
    step = max(1, _SWAPS // max(size, 1))
    start, first = 0, trials if at is None else min(at, trials)
    while start < trials:
        rows = min(step, (first if start < first else trials) - start)
        if start >= first:
            rows = min(rows, first)
        raw = generator.random_raw(rows * words).astype("<u8").view(np.uint8)
        yield np.unpackbits(raw.reshape(rows, -1), axis=1)[:, :size].astype(bool)
        start += rows


def _standardise(values: Array) -> Array:
    spread = values.std()
    return np.asarray((values - values.mean()) / (spread if spread > 0 else 1))


def pairs_of(labels: Sequence[str], compare: str) -> list[tuple[str, str]]:
    """Each metric with the baseline, or all pairs of metrics.

    >>> pairs_of(["a", "b", "c"], "b")
    [('a', 'b'), ('c', 'b')]
    """
    if compare == "all":
        return list(combinations(labels, 2))
    return [(label, compare) for label in labels if label != compare]


@dataclass(frozen=True)
class FamilyTest:
    """The test of two systems: the difference of their scores, p, and p corrected for all tests.

    With `is_floor` no chance difference was as extreme, and `p` is only an upper bound. `size`
    counts the segments that both systems have.
    """

    difference: float
    p: float
    adjusted: float
    trials: int
    is_floor: bool = False
    size: int = 0

    def is_unresolved(self, level: float) -> bool:
        """Whether there were too few trials to decide the test."""
        return self.is_floor and self.adjusted >= level

    def differs(self, level: float) -> bool:
        """Whether the corrected p is below the level."""
        return self.adjusted < level


@dataclass(frozen=True)
class Family:
    """All tests of some systems, by pair."""

    scores: Mapping[str, float]
    tests: Mapping[tuple[str, str], FamilyTest]
    level: float
    test: Test

    def between(self, one: str, other: str) -> FamilyTest | None:
        """The test of two systems, in either order."""
        if (one, other) in self.tests:
            return self.tests[one, other]
        test = self.tests.get((other, one))
        return None if test is None else replace(test, difference=-test.difference)


def trials_for(comparisons: int, level: float, trials: int, most: int) -> int:
    """The trials that a family needs so that its smallest corrected p is well below the level; a
    single test gets the trials asked for.

    >>> trials_for(1, 0.05, 1000, 10**6), trials_for(171, 0.05, 1000, 10**6)
    (1000, 13680)
    """
    if comparisons < 2:
        return trials
    return min(max(trials, math.ceil(_BEYOND * comparisons / level)), max(trials, most))


def compare_family(
    from_sums: FromSums,
    systems: Mapping[str, Array],
    pairs: Iterable[tuple[str, str]] | None = None,
    *,
    test: Test = "randomization",
    trials: int = 1000,
    trials_max: int = 100_000,
    level: float = 0.05,
    seed: int = 0,
    docs: Sequence[str] | None = None,
    comparisons: int = 1,
    correction: Correction = "holm",
) -> Family:
    """Test pairs of systems (default: all pairs); row i of all systems is the same segment.

    `comparisons` is the number of tests that the caller corrects for, if there are more than these.
    A row of NaN is a segment that the system lacks: each pair is tested on the segments that both
    have, and not at all if there are none.

    >>> rows = np.array([[1.0, 1], [0, 1], [1, 1], [1, 1], [0, 1], [1, 1]] * 20)
    >>> halved = rows * [0.5, 1]
    >>> family = compare_family(lambda sums: sums[:, 0] / sums[:, 1], {"a": rows, "b": halved})
    >>> round(family.tests["a", "b"].difference, 3), family.tests["a", "b"].differs(0.05)
    (0.333, True)
    """
    level = check_number("level", level, 1e-6, 0.5)
    trials = check_whole("trials", trials, 1, 10**7)
    trials_max = check_whole("trials_max", trials_max, 1, 10**7)
    wanted = list(combinations(systems, 2) if pairs is None else pairs)
    sizes = {name: len(rows) for name, rows in systems.items()}
    if len(set(sizes.values())) > 1:
        raise InputError(f"systems have different numbers of segments: {sizes}")
    known = {name: np.isfinite(rows).all(axis=1) for name, rows in systems.items()}
    scores = {
        name: corpus_score(from_sums, systems[name][known[name]])
        for name in systems
        if known[name].any()
    }
    # Pairs with the same segments in common share their resamples.
    shared: dict[bytes, list[SystemPair]] = {}
    for pair in wanted:
        both = known[pair[0]] & known[pair[1]]
        if both.any():
            shared.setdefault(both.tobytes(), []).append(pair)
    tests = max(comparisons, sum(map(len, shared.values())))
    needed = trials_for(tests, level, trials, trials_max)
    results: dict[SystemPair, FamilyTest] = {}
    for mask, group in shared.items():
        both = np.frombuffer(mask, dtype=bool)
        rows = {name: systems[name][both] for pair in group for name in pair}
        mine = None if docs is None else [doc for doc, here in zip(docs, both, strict=True) if here]
        results |= _test_pairs(from_sums, rows, group, mine, test, (trials, needed), seed)
    p = {pair: results[pair].p for pair in wanted if pair in results}
    adjusted = correct_p(p, correction)
    corrected = {pair: replace(results[pair], adjusted=p) for pair, p in adjusted.items()}
    return Family(scores, corrected, level, test)


def _test_pairs(
    from_sums: FromSums,
    systems: Mapping[str, Array],
    pairs: Sequence[SystemPair],
    docs: Sequence[str] | None,
    test: Test,
    trials: tuple[int, int],
    seed: int,
) -> dict[SystemPair, FamilyTest]:
    """Test pairs of systems with the same segments, without correcting p. `trials` are the least
    and the largest number.
    """
    if test not in ("bootstrap", "randomization"):
        raise UsageError(f"unknown test '{test}'; choose bootstrap or randomization")
    rows = {name: sum_documents(mine, docs) for name, mine in systems.items()}
    scores = {name: corpus_score(from_sums, mine) for name, mine in rows.items()}
    truth = {pair: scores[pair[0]] - scores[pair[1]] for pair in pairs}
    task = _Task(from_sums, rows, truth, *trials, seed)
    counted = _bootstrap(task) if test == "bootstrap" else _randomization(task)
    least = least_p(len(next(iter(rows.values()))))
    size = len(next(iter(systems.values())))
    results = {}
    for pair, (hits, done) in counted.items():
        p = max((hits + 1) / (done + 1), least)
        # At `least_p`, more trials would not lower p.
        is_floor = hits == 0 and p > least
        results[pair] = FamilyTest(truth[pair], p, p, done, is_floor, size)
    return results


def clusters(family: Family, *, higher_is_better: bool = True) -> list[list[str]]:
    """Groups of systems, best first. A new group begins with the first system that differs
    significantly from the best of the current group.

    >>> same = FamilyTest(0.1, 0.5, 0.5, 1000)
    >>> far = FamilyTest(0.5, 0.001, 0.003, 1000)
    >>> family = Family({"a": 0.9, "b": 0.8, "c": 0.3},
    ...                 {("a", "b"): same, ("a", "c"): far, ("b", "c"): far}, 0.05, "bootstrap")
    >>> clusters(family)
    [['a', 'b'], ['c']]
    """
    sign = -1 if higher_is_better else 1
    order = sorted(family.scores, key=lambda name: sign * family.scores[name])
    groups: list[list[str]] = []
    for name in order:
        test = None if not groups else family.between(groups[-1][0], name)
        if groups and test is not None and not test.differs(family.level):
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


Counted = dict[SystemPair, tuple[int, int]]  # extreme trials, all trials


@dataclass(frozen=True)
class _Task:
    """Pairs to test: `truth` are their differences, `rows` the statistics of the systems.

    Every pair gets `trials`, and up to `most` while it is undecided.
    """

    from_sums: FromSums
    rows: Mapping[str, Array]
    truth: Mapping[SystemPair, float]
    trials: int
    most: int
    seed: int

    @property
    def size(self) -> int:
        return len(next(iter(self.rows.values())))

    def sums(self, times: Array, pairs: Iterable[SystemPair]) -> dict[str, Array]:
        """The sums [trials, columns] of each system of the pairs, its rows taken `times`."""
        names = list(dict.fromkeys(chain.from_iterable(pairs)))
        sums = times @ np.hstack([self.rows[name] for name in names])
        return dict(zip(names, np.hsplit(sums, len(names)), strict=True))


def _bootstrap(task: _Task) -> Counted:
    """Paired bootstrap (Koehn 2004), centred; all systems on the same resamples."""
    drawn = resample(task.size, task.most, task.seed)
    scores: dict[str, list[Array]] = {name: [] for name in task.rows}
    open_pairs, counted, done, goal = list(task.truth), {}, 0, min(task.trials, task.most)
    while True:
        for step in _steps(goal - done, task.size):
            block = [np.bincount(draw, minlength=task.size) for draw in islice(drawn, step)]
            times = np.array(block, dtype=np.float64)
            for name, sums in task.sums(times, open_pairs).items():
                scores[name].append(task.from_sums(sums))
        done = goal
        for pair in open_pairs:
            left, right = (np.concatenate(scores[name]) for name in pair)
            chance = left - right
            counted[pair] = extreme(chance - chance.mean(), task.truth[pair]), done
        open_pairs = [pair for pair in open_pairs if counted[pair][0] < CLEAR]
        if done >= task.most or not open_pairs:
            return counted
        goal = min(task.most, 2 * done)


def _randomization(task: _Task) -> Counted:
    """Approximate randomization (Riezler & Maxwell 2005): segments of a pair change owner."""
    total = {name: mine.sum(axis=0) for name, mine in task.rows.items()}
    swapped = swapped_segments(task.size, task.most, task.seed)
    counted = dict.fromkeys(task.truth, (0, 0))
    open_pairs, least = list(task.truth), min(task.trials, task.most)
    # The first steps are the trials that every pair gets.
    for step in (*_steps(least, task.size), *_steps(task.most - least, task.size)):
        if not open_pairs:
            break
        block = np.array(list(islice(swapped, step)), dtype=np.float64)
        sums = task.sums(block, open_pairs)
        for pair in open_pairs:
            left, right = pair
            moved = sums[right] - sums[left]
            chance = task.from_sums(total[left] + moved) - task.from_sums(total[right] - moved)
            hits, done = counted[pair]
            counted[pair] = hits + extreme(chance, task.truth[pair]), done + step
        open_pairs = [
            pair for pair in open_pairs if counted[pair][0] < CLEAR or counted[pair][1] < least
        ]
    return counted


def _steps(trials: int, size: int) -> Iterator[int]:
    """Split trials into blocks that need little memory."""
    most = max(1, min(_TRIALS, _CELLS // max(size, 1)))
    for start in range(0, trials, most):
        yield min(most, trials - start)
