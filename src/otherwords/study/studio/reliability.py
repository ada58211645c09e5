"""Judges who fail the controls (PARADIGM §6); `docs/studio.md` has the rule and its reasons."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from otherwords.study.agreement.human_scores import Scale
from otherwords.study.studio.judgements import Scores
from otherwords.study.studio.pairs import REFERENCE, PairToJudge

__all__ = ["FEWEST", "Check", "Reliability", "reliability", "too_few_controls"]

FEWEST = 2  # texts of a kind; one may be a slip
APART = 1.0  # points between kinds that nobody can confuse, on the scale of 1-5

# What must score lower, what must score higher, by which criterion, and how much at least.
_CONTRASTS = (
    ("random", ("copy",), "adequacy", APART),
    ("random", ("copy",), "meaning", APART),
    ("copy", ("random",), "dissimilarity", APART),
    ("random", (REFERENCE,), "overall", APART),
    ("deleted", (REFERENCE,), "meaning", 0.0),
    ("deleted", ("copy", REFERENCE), "fluency", 0.0),
    ("deleted", ("copy", REFERENCE), "grammaticality", 0.0),
    ("deleted", (REFERENCE,), "overall", 0.0),
)


@dataclass(frozen=True)
class Check:
    """Two kinds of texts that a judge must have distinguished: means on 1-5, and their numbers."""

    criterion: str
    lower: str
    higher: str
    lower_mean: float
    higher_mean: float
    lower_texts: int
    higher_texts: int
    margin: float

    @property
    def passed(self) -> bool:
        """Whether the higher mean is higher by more than the margin."""
        return self.higher_mean - self.lower_mean > self.margin

    def __str__(self) -> str:
        least = f", not more than {self.margin:g} higher" if self.margin else ", not higher"
        return (
            f"{self.criterion} of {self.higher} {self.higher_mean:.2f}, "
            f"of {self.lower} {self.lower_mean:.2f}{least}"
        )


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


def reliability(
    judge: str, pairs: Sequence[PairToJudge], scores: Scores, scale: Scale
) -> Reliability:
    """The checks of one judge, by the judge's scores of the pairs.

    >>> pairs = [PairToJudge("a b", "c d", "random")] * 2 + [PairToJudge("a b", "a b", "copy")] * 2
    >>> scores = {number: {"adequacy": 4} for number in range(4)}
    >>> [str(check) for check in reliability("Ann", pairs, scores, Scale(1, 5)).failed]
    ['adequacy of copy 4.00, of random 4.00, not more than 1 higher']
    """
    said = _by_kind(pairs, scores, scale)
    checks = []
    for lower, kinds, criterion, margin in _CONTRASTS:
        low = said.get((lower, criterion), [])
        high = [one for kind in kinds for one in said.get((kind, criterion), [])]
        higher, least = " and ".join(kinds), margin
        if len(high) < FEWEST and lower != "copy":
            # The judge's own scores of what is no control: systems may be bad, so no margin.
            high, higher, least = said.get((None, criterion), []), "the systems", 0.0
        if len(low) >= FEWEST and len(high) >= FEWEST:
            checks.append(
                Check(criterion, lower, higher, _mean(low), _mean(high), len(low), len(high), least)
            )
    judged = [number for number, given in scores.items() if given]
    made = sum(pairs[number].control is not None for number in judged)
    return Reliability(judge, len(judged) - made, made, tuple(checks))


def too_few_controls(
    pairs: Sequence[PairToJudge], criteria: Sequence[str], scale: Scale
) -> str | None:
    """What to warn of before judging: criteria by which no judge could be checked.

    >>> pairs = [PairToJudge("a b", "c d", "random"), PairToJudge("a b", "b a")]
    >>> too_few_controls(pairs, ["adequacy"], Scale(1, 5))[:46]
    '1 control among 2 pairs (1 random) is too few '
    """
    kinds = Counter(pair.control for pair in pairs if pair.control is not None)
    scores = {number: dict.fromkeys(criteria, int(scale.low)) for number in range(len(pairs))}
    able = {one.criterion for one in reliability("", pairs, scores, scale).checks}
    asked = {criterion for *_, criterion, _ in _CONTRASTS}
    left = [name for name in criteria if name in asked and name not in able]
    if not left or not kinds:
        return None
    many = f"{kinds.total()} control{' ' if kinds.total() == 1 else 's '}among {len(pairs)} pairs"
    listed = ", ".join(f"{times} {kind}" for kind, times in sorted(kinds.items()))
    is_ = "is" if kinds.total() == 1 else "are"
    return (
        f"{many} ({listed}) {is_} too few to check a judge by {', '.join(left)}: each kind needs "
        f"{FEWEST}; raise --share, or judge more pairs"
    )


def _by_kind(
    pairs: Sequence[PairToJudge], scores: Scores, scale: Scale
) -> Mapping[tuple[str | None, str], list[float]]:
    """Scores on 1-5 by kind of control (`None`: no control) and criterion."""
    said: dict[tuple[str | None, str], list[float]] = {}
    for number, given in scores.items():
        for criterion, score in given.items():
            key = pairs[number].control, criterion
            said.setdefault(key, []).append(scale.to_five(score))
    return said


def _mean(scores: Sequence[float]) -> float:
    return math.fsum(scores) / len(scores)
