"""Detectors of contradictions: the findings of `facts`, the model of `pair`, or either of them.

Each detector is a metric with its options set. The gate lists what it finds; `rank` leaves such
candidates out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.errors import UsageError
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import Metric, text_of
from otherwords.metrics.facts import Facts, Finding, comparer
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import metric
from otherwords.text.sentence import Text

DETECTORS = {"facts": ("facts",), "pair": ("pair",), "either": ("facts", "pair")}


@dataclass(frozen=True)
class Detector:
    """How contradictions are found: by "facts", "pair" (docs/pair.md), or "either" of them.

    `encoder` names the weights of `pair`: "auto", or a folder.

    >>> Detector("fact")
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: detector must be facts, pair or either, not 'fact'
    """

    name: str = "facts"
    encoder: str | Path | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or self.name not in DETECTORS:
            raise UsageError(f"detector must be facts, pair or either, not {self.name!r}")
        if self.encoder is not None and "pair" not in DETECTORS[self.name]:
            raise UsageError(f"detector-encoder does nothing with the detector {self.name}")

    def metrics(self, **options: Any) -> dict[str, Metric]:
        """The metrics that detect, by name."""
        own = {"pair": {} if self.encoder is None else {"encoder": self.encoder}}
        return {name: metric(name, **options, **own.get(name, {})) for name in DETECTORS[self.name]}

    def contradicted(self, pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> list[bool]:
        """Whether the first text of each pair contradicts the second one.

        >>> pairs = [("He paid 3 euros.", "He paid 2 euros."), ("He paid.", "He paid.")]
        >>> Detector().contradicted(pairs)
        [True, False]
        """
        weights = [_weigh(metric, pairs, threads)[0] for metric in self.metrics().values()]
        return [any(several) for several in zip(*weights, strict=True)]


def find_detector(no_contradictions: bool | str | Detector) -> Detector | None:
    """The detector for a value of `no_contradictions`: on, off, a name, or a detector.

    >>> find_detector(True), find_detector("pair"), find_detector(False)
    (Detector(name='facts', encoder=None), Detector(name='pair', encoder=None), None)
    """
    if isinstance(no_contradictions, (Detector, str)):
        detector = no_contradictions
        return detector if isinstance(detector, Detector) else Detector(detector)
    return Detector() if check_flag("no_contradictions", no_contradictions) else None


def least_contradicted(
    segments: Segments, metric: Metric, threads: int
) -> list[tuple[str, list[Finding]]]:
    """For each segment the target that it contradicts least, and the contradictions."""
    pairs = [
        (hypothesis, target)
        for hypothesis, targets in zip(segments.hypotheses, segments.targets, strict=True)
        for target in targets
    ]
    weights, findings_of = _weigh(metric, pairs, threads)
    least, begin = [], 0
    for targets in segments.targets:
        place = min(range(begin, begin + len(targets)), key=weights.__getitem__)
        least.append((text_of(pairs[place][1]), findings_of(place) if weights[place] else []))
        begin += len(targets)
    return least


def _weigh(
    metric: Metric, pairs: Sequence[tuple[Text, Text]], threads: int
) -> tuple[list[float], Callable[[int], list[Finding]]]:
    """How much each pair contradicts (0: nothing), and a function that lists its findings."""
    if isinstance(metric, Facts):
        compared = comparer(case=metric.case).compare(pairs, threads)
        findings = [[finding for finding in pair.findings if finding.decisive] for pair in compared]
        return [float(len(several)) for several in findings], findings.__getitem__
    from otherwords.metrics.pair import Pair

    assert isinstance(metric, Pair)
    detector = metric
    left, right = ([text_of(pair[side]) for pair in pairs] for side in (0, 1))
    rows = detector.measure(left, right, threads)
    weights = np.where(detector.contradicted(rows), rows[:, 1], 0.0).tolist()
    return weights, lambda place: [detector.finding(left[place], right[place])]
