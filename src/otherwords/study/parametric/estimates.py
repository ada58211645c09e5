"""Bootstrap intervals of ParaMetric's scores over groups, and paired tests between systems.

The gold file names the groups, so that the translations of one foreign sentence are resampled
together; each row without a group is its own group.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import UsageError
from otherwords.io.arguments import check_number, check_whole
from otherwords.stats.arrays import Array, numbered
from otherwords.stats.intervals import Interval, percentiles
from otherwords.stats.resampling import Resamples
from otherwords.stats.significance import Comparison, Test, p_value
from otherwords.study.parametric.scorer import ScoreKey, SentenceGroup, SystemCounts, values
from otherwords.tables.table import Number

_BLOCK = 2**22  # cells of an array of swaps


@dataclass(frozen=True)
class GroupResampling:
    """How groups are resampled for intervals, and how systems are tested."""

    resamples: int = 1000
    confidence: float = 0.95
    seed: int = 0
    test: Test | None = None

    def __post_init__(self) -> None:
        check_whole("resamples", self.resamples, 1, 10**7)
        check_number("confidence", self.confidence, 0.5, 0.9999)
        check_whole("seed", self.seed, 0, 2**63)
        if self.test not in (None, "bootstrap", "randomization"):
            raise UsageError(f"unknown test '{self.test}'; choose bootstrap or randomization")

    @property
    def signature(self) -> str:
        names = {None: "", "bootstrap": "|paired-bs", "randomization": "|ar"}
        tested = f"{names[self.test]}:{self.resamples}" if self.test else ""
        return f"bs:{self.resamples}|conf:{self.confidence:g}{tested}|seed:{self.seed}|by:group"


def as_number(
    value: float | None, interval: Interval | None = None, comparison: Comparison | None = None
) -> Number:
    """Make a table cell from a score, its interval and its test against the baseline.

    >>> as_number(0.5, Interval(0.4, 0.7, 0.95, 1000)).high
    0.7
    """
    fields = [asdict(part) for part in (interval, comparison) if part is not None]
    return Number(value, **{name: number for part in fields for name, number in part.items()})


def estimates(
    scored: SystemCounts,
    groups: Sequence[SentenceGroup],
    resampling: GroupResampling,
    *,
    baseline: SystemCounts | None = None,
    chosen: Sequence[int] | None = None,
) -> dict[ScoreKey, Number]:
    """Estimate all scores of a system over the groups, or over those with chosen numbers."""
    places = list(range(len(groups)) if chosen is None else chosen)
    names = [groups[place].name for place in places]
    units = numbered(number if name is None else name for number, name in enumerate(names))
    mine = sums_by_unit(scored.counts[places], units)
    draws = _draw(mine, scored.max_length, resampling)
    compared: Mapping[ScoreKey, Comparison] = {}
    if baseline is not None and resampling.test is not None:
        theirs = sums_by_unit(baseline.counts[places], units)
        compared = _compare(mine, theirs, draws, scored.max_length, resampling)
    whole = values(mine.sum(axis=0), scored.max_length)
    result = {}
    for score in scored.scores:
        value = float(whole[score])
        if np.isnan(value):
            result[score] = as_number(None)
            continue
        comparison = compared.get(score) if baseline and score in baseline.scores else None
        around = interval_of(draws[score], len(mine), resampling)
        result[score] = as_number(value, around, comparison)
    return result


def sums_by_unit(counts: Array, units: NDArray[np.intp]) -> Array:
    """Add up the counts of groups that are resampled together."""
    sums = np.zeros((int(units.max()) + 1 if len(units) else 0, counts.shape[1]))
    np.add.at(sums, units, counts)
    return sums


def _draw(sums: Array, max_length: int, how: GroupResampling) -> dict[ScoreKey, Array]:
    blocks = [
        values(block.astype(np.float64) @ sums, max_length)
        for block in Resamples(len(sums), how.resamples, how.seed)
    ]
    return {score: np.concatenate([block[score] for block in blocks]) for score in blocks[0]}


def interval_of(draws: Array, units: int, how: GroupResampling) -> Interval | None:
    """Compute a percentile interval; `None` for one unit, or if no resample has a value."""
    defined = draws[~np.isnan(draws)]
    if units < 2 or not len(defined):
        return None
    return Interval(*percentiles(defined, how.confidence), how.confidence, how.resamples)


def _compare(
    mine: Array, theirs: Array, draws: Mapping[ScoreKey, Array], length: int, how: GroupResampling
) -> dict[ScoreKey, Comparison]:
    """Run the tests of `stats.compare` for all scores at once."""
    there, here = (values(sums.sum(axis=0), length) for sums in (theirs, mine))
    left: Mapping[ScoreKey, Array]
    if how.test == "bootstrap":
        left, right = draws, _draw(theirs, length, how)
    else:
        left, right = _exchange(mine, theirs, length, how)
    comparisons = {}
    for score in here:
        difference = float(here[score] - there[score])
        chance = left[score] - right[score]
        chance = chance[~np.isnan(chance)]
        if np.isnan(difference) or not len(chance):
            continue
        if how.test == "bootstrap":
            chance = chance - chance.mean()
        p = p_value(chance, difference)
        comparisons[score] = Comparison(difference, p, str(how.test), len(chance))
    return comparisons


def _exchange(
    mine: Array, theirs: Array, length: int, how: GroupResampling
) -> tuple[dict[ScoreKey, Array], dict[ScoreKey, Array]]:
    """Score both systems after exchanging random groups between them."""
    total = mine.sum(axis=0), theirs.sum(axis=0)
    lefts, rights = [], []
    for swapped in _swaps(len(mine), how):
        moved = swapped @ (theirs - mine)
        lefts.append(values(total[0] + moved, length))
        rights.append(values(total[1] - moved, length))
    left, right = (
        {score: np.concatenate([block[score] for block in blocks]) for score in blocks[0]}
        for blocks in (lefts, rights)
    )
    return left, right


def _swaps(size: int, how: GroupResampling) -> Iterator[Array]:
    generator = np.random.PCG64(how.seed)
    left = how.resamples
    while left:
        trials = min(left, max(1, _BLOCK // max(size, 1)))
        bits = generator.random_raw(trials * size).reshape(trials, size) >> np.uint64(63)
        yield bits.astype(np.float64)
        left -= trials
