"""Many systems at once: all paired tests of a family, corrected, with enough trials to decide.

A resampling test of n trials cannot give a p below 1 / (n + 1), and a correction for m tests
multiplies it. So that a real difference between two of twenty systems can be found, trials are
added for the pairs that are not clear yet, and no pair costs more than it needs (Besag & Clifford
1991): a pair whose chance differences were as extreme as the true one `CLEAR` times is settled.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_number, check_whole
from otherwords.stats.arrays import Array, FromSums, column_sums
from otherwords.stats.differences import CLEAR, holm
from otherwords.stats.draws import resample
from otherwords.stats.intervals import sum_documents
from otherwords.stats.paired import Test, extreme, least_p, swapped_segments

__all__ = ["Family", "FamilyTest", "clusters", "compare_family", "trials_for"]

SystemPair = tuple[str, str]
_CELLS, _TRIALS = 2**22, 500  # of a block
_BEYOND = 4  # how far below the level the smallest p must be, so that a finding is not an edge case


@dataclass(frozen=True)
class FamilyTest:
    """A pair of systems: the difference of their scores, p, and p corrected for all tests.

    `is_floor` says that no chance difference was as extreme: p is only known to be below `p`.
    `size` counts the segments of both, on which alone they are compared.
    """

    difference: float
    p: float
    adjusted: float
    trials: int
    is_floor: bool = False
    size: int = 0

    def is_unresolved(self, level: float) -> bool:
        """Whether too few trials were allowed to call the difference significant or not."""
        return self.is_floor and self.adjusted >= level

    def differs(self, level: float) -> bool:
        """Whether the difference is significant at the level, corrected."""
        return self.adjusted < level


@dataclass(frozen=True)
class Family:
    """All tests of some systems; the pairs are (system, other)."""

    scores: Mapping[str, float]
    tests: Mapping[tuple[str, str], FamilyTest]
    level: float
    test: Test

    def between(self, one: str, other: str) -> FamilyTest | None:
        """The test of two systems, in either order."""
        found = self.tests.get((one, other))
        if found is None and (turned := self.tests.get((other, one))) is not None:
            found = replace(turned, difference=-turned.difference)
        return found


def trials_for(comparisons: int, level: float, trials: int, most: int) -> int:
    """How many trials a family needs so that its smallest corrected p lies well below the level;
    a single test has those that were asked for.

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
    test: Test = "bootstrap",
    trials: int = 1000,
    trials_max: int = 100_000,
    level: float = 0.05,
    seed: int = 0,
    docs: Sequence[str] | None = None,
    comparisons: int = 1,
) -> Family:
    """Test pairs of systems (all of them by default), row i of all being the same segment.

    `comparisons` is the number of tests that the caller corrects for, if it has more than these.

    A row of NaN is a segment that the system lacks: each pair is tested on the segments that both
    have, and not at all if there are none.

    >>> rows = np.array([[1.0, 1], [0, 1], [1, 1], [1, 1], [0, 1], [1, 1]] * 20)
    >>> halved = rows * [0.5, 1]
    >>> family = compare_family(lambda sums: float(sums[0] / sums[1]), {"a": rows, "b": halved})
    >>> round(family.tests["a", "b"].difference, 3), family.tests["a", "b"].differs(0.05)
    (0.333, True)
    """
    level = check_number("level", level, 1e-6, 0.5)
    trials = check_whole("trials", trials, 1, 10**7)
    trials_max = check_whole("trials_max", trials_max, 1, 10**7)
    if test not in ("bootstrap", "randomization"):
        raise UsageError(f"unknown test '{test}'; choose bootstrap or randomization")
    names = list(systems)
    wanted = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    wanted = wanted if pairs is None else list(pairs)
    sizes = {name: len(rows) for name, rows in systems.items()}
    if len(set(sizes.values())) > 1:
        raise InputError(f"systems have different numbers of segments: {sizes}")
    known = {name: np.isfinite(rows).all(axis=1) for name, rows in systems.items()}
    scores = {
        name: from_sums(column_sums(systems[name][known[name]]))
        for name in names
        if known[name].any()
    }
    # Pairs of systems with the same segments, which are most, share their resamples.
    shared: dict[bytes, list[SystemPair]] = {}
    for pair in wanted:
        both = known[pair[0]] & known[pair[1]]
        if both.any():
            shared.setdefault(both.tobytes(), []).append(pair)
    tests = max(comparisons, sum(map(len, shared.values())))
    needed = trials_for(tests, level, trials, trials_max)
    found: dict[SystemPair, FamilyTest] = {}
    for mask, several in shared.items():
        both = np.frombuffer(mask, dtype=bool)
        among = {name: systems[name][both] for pair in several for name in pair}
        kept = (
            None if docs is None else [doc for doc, there in zip(docs, both, strict=True) if there]
        )
        found |= _tested(from_sums, among, several, kept, test, (trials, needed), seed)
    adjusted = holm({pair: found[pair].p for pair in wanted if pair in found})
    return Family(
        scores,
        {pair: replace(found[pair], adjusted=p) for pair, p in adjusted.items()},
        level,
        test,
    )


def _tested(
    from_sums: FromSums,
    systems: Mapping[str, Array],
    pairs: Sequence[SystemPair],
    docs: Sequence[str] | None,
    test: Test,
    trials: tuple[int, int],
    seed: int,
) -> dict[SystemPair, FamilyTest]:
    """Pairs of systems with the same segments; p is not corrected yet. Trials are the least and
    the largest number.
    """
    rows = {name: sum_documents(mine, docs) for name, mine in systems.items()}
    scores = {name: from_sums(column_sums(mine)) for name, mine in rows.items()}
    truth = {pair: scores[pair[0]] - scores[pair[1]] for pair in pairs}
    task = _Task(from_sums, rows, truth, *trials, seed)
    counted = _bootstrap(task) if test == "bootstrap" else _randomization(task)
    least = least_p(len(next(iter(rows.values()))))
    size = len(next(iter(systems.values())))
    found = {}
    for pair, (hits, made) in counted.items():
        p = max((hits + 1) / (made + 1), least)
        # More trials would not lower the p of so few units.
        is_floor = hits == 0 and p > least
        found[pair] = FamilyTest(truth[pair], p, p, made, is_floor, size)
    return found


def clusters(family: Family, *, higher_is_better: bool = True) -> list[list[str]]:
    """Systems in groups, best first: each system of a group differs from none of the group's
    best, and a new group begins with the first system that does.

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
        found = None if not groups else family.between(groups[-1][0], name)
        if groups and found is not None and not found.differs(family.level):
            groups[-1].append(name)
        else:
            groups.append([name])
    return groups


Counted = dict[SystemPair, tuple[int, int]]  # extreme trials, all trials


@dataclass(frozen=True)
class _Task:
    """Pairs to test: `truth` are their differences, `rows` the statistics of the systems.

    Every pair gets `trials`, and up to `most` as long as they do not decide it.
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


def _bootstrap(task: _Task) -> Counted:
    """Paired bootstrap (Koehn 2004), centred; all systems on the same resamples."""
    drawn = resample(task.size, task.most, task.seed)
    made: dict[str, list[float]] = {name: [] for name in task.rows}
    open_pairs, counted, done, goal = list(task.truth), {}, 0, min(task.trials, task.most)
    while True:
        here = list(dict.fromkeys(name for pair in open_pairs for name in pair))
        for step in _steps(goal - done, task.size):
            block = [np.bincount(draw, minlength=task.size) for draw in islice(drawn, step)]
            times = np.array(block, dtype=np.float64)
            for name in here:
                made[name] += [task.from_sums(sums) for sums in times @ task.rows[name]]
        done = goal
        for pair in open_pairs:
            one, other = (np.array(made[name]) for name in pair)
            chance = one - other
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
    # The first steps make the trials that every pair gets.
    for step in (*_steps(least, task.size), *_steps(task.most - least, task.size)):
        if not open_pairs:
            break
        block = np.array(list(islice(swapped, step)), dtype=np.float64)
        for pair in open_pairs:
            one, other = pair
            moved = block @ (task.rows[other] - task.rows[one])
            chance = [
                task.from_sums(total[one] + m) - task.from_sums(total[other] - m) for m in moved
            ]
            hits, done = counted[pair]
            counted[pair] = hits + extreme(np.array(chance), task.truth[pair]), done + step
        open_pairs = [
            pair for pair in open_pairs if counted[pair][0] < CLEAR or counted[pair][1] < least
        ]
    return counted


def _steps(trials: int, size: int) -> Iterator[int]:
    """Trials in blocks that need little memory."""
    most = max(1, min(_TRIALS, _CELLS // max(size, 1)))
    for start in range(0, trials, most):
        yield min(most, trials - start)
