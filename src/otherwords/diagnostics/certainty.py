"""How far ParaMetric's scores can be trusted: draws of groups, paired tests between systems.

What is drawn are groups as the gold file names them, so that the translations of one foreign
sentence stay together; rows without a name are drawn one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from otherwords.diagnostics.groups import Group
from otherwords.diagnostics.parametric import Score, Scored, values
from otherwords.errors import UsageError
from otherwords.io.arguments import check_number, check_whole
from otherwords.metrics.base import Array
from otherwords.stats.draws import Draws
from otherwords.stats.intervals import Interval, percentiles
from otherwords.stats.paired import Comparison, Test

__all__ = ["Estimate", "Resampling", "estimates", "interval_of", "sums_by_unit"]

_BLOCK = 2**22  # cells


@dataclass(frozen=True)
class Resampling:
    """How intervals are drawn and systems compared."""

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
        """What intervals and tests depend on beside the scores."""
        names = {None: "", "bootstrap": "|paired-bs", "randomization": "|ar"}
        tested = f"{names[self.test]}:{self.resamples}" if self.test else ""
        return f"bs:{self.resamples}|conf:{self.confidence:g}{tested}|seed:{self.seed}|by:group"


@dataclass(frozen=True)
class Estimate:
    """A score, none if it is undefined; its interval; its test against the baseline."""

    value: float | None
    interval: Interval | None = None
    comparison: Comparison | None = None


def estimates(
    scored: Scored,
    groups: Sequence[Group],
    resampling: Resampling,
    *,
    baseline: Scored | None = None,
    chosen: Sequence[int] | None = None,
) -> dict[Score, Estimate]:
    """All scores of a system over the groups, or over those whose numbers are chosen."""
    places = list(range(len(groups)) if chosen is None else chosen)
    units = _units([groups[place] for place in places])
    mine = sums_by_unit(scored.counts[places], units)
    draws = _drawn(mine, scored.max_length, resampling)
    compared: Mapping[Score, Comparison] = {}
    if baseline is not None and resampling.test is not None:
        theirs = sums_by_unit(baseline.counts[places], units)
        compared = _compared(mine, theirs, draws, scored.max_length, resampling)
    whole = values(mine.sum(axis=0), scored.max_length)
    found = {}
    for score in scored.scores:
        value = float(whole[score])
        if np.isnan(value):
            found[score] = Estimate(None)
            continue
        tested = compared.get(score) if baseline and score in baseline.scores else None
        found[score] = Estimate(value, interval_of(draws[score], len(mine), resampling), tested)
    return found


def _units(groups: Sequence[Group]) -> NDArray[np.intp]:
    """The number of what is drawn with each group."""
    place: dict[object, int] = {}
    names = [number if group.name is None else group.name for number, group in enumerate(groups)]
    return np.array([place.setdefault(name, len(place)) for name in names], dtype=np.intp)


def sums_by_unit(counts: Array, units: NDArray[np.intp]) -> Array:
    """The counts of groups that are drawn together, added up."""
    sums = np.zeros((int(units.max()) + 1 if len(units) else 0, counts.shape[1]))
    np.add.at(sums, units, counts)
    return sums


def _drawn(sums: Array, max_length: int, how: Resampling) -> dict[Score, Array]:
    """All scores of every draw."""
    blocks = [
        values(block.astype(np.float64) @ sums, max_length)
        for block in Draws(len(sums), how.resamples, how.seed)
    ]
    return {score: np.concatenate([block[score] for block in blocks]) for score in blocks[0]}


def interval_of(draws: Array, units: int, how: Resampling) -> Interval | None:
    """The interval of a score by its draws; none of one unit, nor where no draw has a value."""
    defined = draws[~np.isnan(draws)]
    if units < 2 or not len(defined):
        return None
    return Interval(*percentiles(defined, how.confidence), how.confidence, how.resamples)


def _compared(
    mine: Array, theirs: Array, draws: Mapping[Score, Array], length: int, how: Resampling
) -> dict[Score, Comparison]:
    """Tests as `meta.significance` has them, of all scores at once."""
    there, here = (values(sums.sum(axis=0), length) for sums in (theirs, mine))
    left: Mapping[Score, Array]
    if how.test == "bootstrap":
        left, right = draws, _drawn(theirs, length, how)
    else:
        left, right = _exchanged(mine, theirs, length, how)
    found = {}
    for score in here:
        difference = float(here[score] - there[score])
        chance = left[score] - right[score]
        chance = chance[~np.isnan(chance)]
        if np.isnan(difference) or not len(chance):
            continue
        if how.test == "bootstrap":
            chance = chance - chance.mean()
        # A tolerance for sums taken in another order: exchanged systems must not miss a tie.
        extreme = np.count_nonzero(np.abs(chance) >= abs(difference) * (1 - 1e-12) - 1e-12)
        p = (int(extreme) + 1) / (len(chance) + 1)
        found[score] = Comparison(difference, p, str(how.test), len(chance))
    return found


def _exchanged(
    mine: Array, theirs: Array, length: int, how: Resampling
) -> tuple[dict[Score, Array], dict[Score, Array]]:
    """Scores of both systems after the counts of random groups have changed owner."""
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


def _swaps(size: int, how: Resampling) -> Iterator[Array]:
    generator = np.random.PCG64(how.seed)
    left = how.resamples
    while left:
        trials = min(left, max(1, _BLOCK // max(size, 1)))
        bits = generator.random_raw(trials * size).reshape(trials, size) >> np.uint64(63)
        yield bits.astype(np.float64)
        left -= trials
