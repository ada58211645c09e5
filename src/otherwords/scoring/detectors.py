"""Finds rewrites that say something else: by `meaning`, and by values that did not survive.

The gate lists what the detector finds; `rank` drops such candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from otherwords.errors import UsageError
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import text_of
from otherwords.metrics.facts import Finding
from otherwords.metrics.inputs import Segments
from otherwords.metrics.meaning import STRICTNESS, Judgement, Meaning
from otherwords.text.sentence import Text


@dataclass(frozen=True)
class Detector:
    """Decides whether a text keeps the meaning of another.

    A text is wrong if the `meaning` of a passage is below the limit of `strictness`, or if a value
    (a number, a date, a name) is changed, missing or new. With the strictness "low" only changed
    values count.

    >>> Detector("strict")
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: strictness must be low, normal or high, not 'strict'
    """

    strictness: str = "normal"

    def __post_init__(self) -> None:
        if self.strictness not in STRICTNESS:
            raise UsageError(f"strictness must be low, normal or high, not {self.strictness!r}")

    @cached_property
    def metric(self) -> Meaning:
        """The metric that detects."""
        return Meaning()

    def contradicted(self, pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> list[bool]:
        """Whether the first text of each pair says something else than the second one.

        >>> pairs = [("He paid 3 euros.", "He paid 2 euros."), ("He paid.", "He paid.")]
        >>> Detector().contradicted(pairs)
        [True, False]
        """
        return [self._weigh(judged) > 0 for judged in self._judge(pairs, threads)]

    def least_contradicted(
        self, segments: Segments, threads: int = 1
    ) -> list[tuple[str, list[Finding]]]:
        """For each segment the target that it contradicts least, and the findings against it."""
        pairs = [
            (hypothesis, target)
            for hypothesis, targets in zip(segments.hypotheses, segments.targets, strict=True)
            for target in targets
        ]
        judged = self._judge(pairs, threads)
        weights = list(map(self._weigh, judged))
        least: list[tuple[str, list[Finding]]] = []
        begin = 0
        for targets in segments.targets:
            place = min(range(begin, begin + len(targets)), key=weights.__getitem__)
            rewrite, original = (text_of(text) for text in pairs[place])
            findings = (
                self.metric.findings(rewrite, original, judged[place]) if weights[place] else []
            )
            least.append((original, findings))
            begin += len(targets)
        return least

    def _judge(self, pairs: Sequence[tuple[Text, Text]], threads: int) -> list[Judgement]:
        left, right = ([text_of(pair[side]) for pair in pairs] for side in (0, 1))
        return self.metric.judge(left, right, threads)

    def _weigh(self, judged: Judgement) -> float:
        """How wrong the first text of a pair is; 0 if it is not."""
        meaning = judged.lowest
        wrong = meaning < self.metric.model.limit(self.strictness) or any(
            difference.verdict == "changed" or self.strictness != "low"
            for difference in judged.differences
        )
        return 1.0 - meaning + 1e-9 if wrong else 0.0


def find_detector(no_contradictions: bool | str | Detector) -> Detector | None:
    """The detector for a value of `no_contradictions`: on, off, a strictness, or a detector.

    >>> find_detector(True), find_detector("high"), find_detector(False)
    (Detector(strictness='normal'), Detector(strictness='high'), None)
    """
    if isinstance(no_contradictions, Detector):
        return no_contradictions
    if isinstance(no_contradictions, str):
        return Detector(no_contradictions)
    return Detector() if check_flag("no_contradictions", no_contradictions) else None
