"""Judges who fail the controls (PARADIGM §6); `docs/studio.md` has the rule and its reasons."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from otherwords.meta.judged import Scale
from otherwords.studio.judgements import Scores
from otherwords.studio.pairs import REFERENCE, Pair

__all__ = ["FEWEST", "Check", "Reliability", "reliability"]

FEWEST = 2  # controls of a kind; one may be a slip
MIDDLE = 3.0  # of the scale of 1-5

# Kind, criterion, and whether the scores must lie above the middle: what nobody can doubt.
_SIDES = (
    ("copy", "adequacy", True),
    ("copy", "meaning", True),
    ("copy", "dissimilarity", False),
    ("random", "adequacy", False),
    ("random", "meaning", False),
    ("random", "dissimilarity", True),
    ("random", "overall", False),
)
# Broken sentences must be below whole ones: kind, criterion, and which kinds are whole.
_BELOW = (
    ("deleted", "fluency", ("copy", REFERENCE)),
    ("deleted", "grammaticality", ("copy", REFERENCE)),
    ("deleted", "overall", (REFERENCE,)),
)


@dataclass(frozen=True)
class Check:
    """What a judge said of a kind of control on average, and the bound it must keep, on 1-5."""

    kind: str
    criterion: str
    controls: int
    mean: float
    bound: float
    above: bool

    @property
    def passed(self) -> bool:
        """Whether the mean is on its side of the bound; on the bound itself is not."""
        return self.mean > self.bound if self.above else self.mean < self.bound

    def __str__(self) -> str:
        side = "above" if self.above else "below"
        return f"{self.criterion} of {self.kind} {self.mean:.2f}, not {side} {self.bound:.2f}"


@dataclass(frozen=True)
class Reliability:
    """How a judge did: pairs and controls judged, and all checks that could be made."""

    judge: str
    pairs: int
    controls: int
    checks: tuple[Check, ...]

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that were not passed."""
        return tuple(check for check in self.checks if not check.passed)

    @property
    def flagged(self) -> bool:
        """Whether the judge fails any check."""
        return bool(self.failed)


def reliability(judge: str, pairs: Sequence[Pair], scores: Scores, scale: Scale) -> Reliability:
    """The checks of one judge, by the judge's scores of the pairs.

    >>> pairs = [Pair("a b", "c d", "random")] * 2
    >>> found = reliability("Ann", pairs, {0: {"adequacy": 5}, 1: {"adequacy": 4}}, Scale(1, 5))
    >>> [str(check) for check in found.failed]
    ['adequacy of random 4.50, not below 3.00']
    """
    said = _by_kind(pairs, scores, scale)
    checks = [
        Check(kind, criterion, len(mine), _mean(mine), MIDDLE, above)
        for kind, criterion, above in _SIDES
        if len(mine := said.get((kind, criterion), [])) >= FEWEST
    ]
    for kind, criterion, whole in _BELOW:
        mine = said.get((kind, criterion), [])
        others = [one for name in whole for one in said.get((name, criterion), [])]
        if len(others) < FEWEST:
            others = said.get((None, criterion), [])
        if len(mine) >= FEWEST and len(others) >= FEWEST:
            checks.append(Check(kind, criterion, len(mine), _mean(mine), _mean(others), False))
    judged = [number for number, given in scores.items() if given]
    made = sum(pairs[number].control is not None for number in judged)
    return Reliability(judge, len(judged) - made, made, tuple(checks))


def _by_kind(
    pairs: Sequence[Pair], scores: Scores, scale: Scale
) -> Mapping[tuple[str | None, str], list[float]]:
    """Scores on 1-5 by kind of control (`None` is none) and criterion."""
    said: dict[tuple[str | None, str], list[float]] = {}
    for number, given in scores.items():
        for criterion, score in given.items():
            key = pairs[number].control, criterion
            said.setdefault(key, []).append(scale.to_five(score))
    return said


def _mean(scores: Sequence[float]) -> float:
    return math.fsum(scores) / len(scores)
