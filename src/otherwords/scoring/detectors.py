"""Who says that a text contradicts another: the findings of `facts`, the model of `pair`, either.

Each detector is a metric with its options set; the gate lists what it found, `rank` leaves the
candidates out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.errors import UsageError
from otherwords.metrics.base import Metric, text_of
from otherwords.metrics.facts import Facts, Finding
from otherwords.metrics.facts.comparison import comparer
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import create
from otherwords.text.sentence import Text

__all__ = [
    "DETECTORS",
    "check_detector",
    "check_detector_encoder",
    "contradicted",
    "detectors_of",
    "least_contradicted",
]

DETECTORS = {"facts": ("facts",), "pair": ("pair",), "either": ("facts", "pair")}


def check_detector(detector: str) -> str:
    """The name if there is such a detector.

    >>> check_detector("fact")
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: detector must be facts, pair or either, not 'fact'
    """
    if not isinstance(detector, str) or detector not in DETECTORS:
        raise UsageError(f"detector must be facts, pair or either, not {detector!r}")
    return detector


def check_detector_encoder(detector: str, encoder: str | Path | None) -> None:
    """Refuse weights for a detector that has none.

    >>> check_detector_encoder("facts", "folder")
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: detector-encoder does nothing with the detector facts
    """
    if encoder is not None and "pair" not in DETECTORS[detector]:
        raise UsageError(f"detector-encoder does nothing with the detector {detector}")


def detectors_of(
    detector: str, encoder: str | Path | None = None, **options: Any
) -> dict[str, Metric]:
    """The metrics that detect, by name; `encoder` is that of `pair`."""
    own = {"pair": {} if encoder is None else {"encoder": encoder}}
    return {
        name: create(name, **options, **own.get(name, {}))
        for name in DETECTORS[check_detector(detector)]
    }


def contradicted(
    detector: str,
    pairs: Sequence[tuple[Text, Text]],
    threads: int = 1,
    encoder: str | Path | None = None,
) -> list[bool]:
    """Whether the first text of each pair contradicts the second one.

    >>> contradicted("facts", [("He paid 3 euros.", "He paid 2 euros."), ("He paid.", "He paid.")])
    [True, False]
    """
    metrics = detectors_of(detector, encoder).values()
    found = [_weighed(metric, pairs, threads)[0] for metric in metrics]
    return [any(weights) for weights in zip(*found, strict=True)]


def least_contradicted(
    segments: Segments, metric: Metric, threads: int
) -> list[tuple[str, list[Finding]]]:
    """Of each segment the target that it contradicts least, and the contradictions."""
    pairs = [
        (hypothesis, target)
        for hypothesis, targets in zip(segments.hypotheses, segments.targets, strict=True)
        for target in targets
    ]
    weights, found = _weighed(metric, pairs, threads)
    least, begin = [], 0
    for targets in segments.targets:
        place = min(range(begin, begin + len(targets)), key=weights.__getitem__)
        least.append((text_of(pairs[place][1]), found(place) if weights[place] else []))
        begin += len(targets)
    return least


def _weighed(
    metric: Metric, pairs: Sequence[tuple[Text, Text]], threads: int
) -> tuple[list[float], Callable[[int], list[Finding]]]:
    """How much is contradicted in each pair, 0 for nothing; and what finds the spans in one."""
    if isinstance(metric, Facts):
        compared = comparer(case=metric.case).compare(pairs, threads)
        found = [[one for one in pair.findings if one.decisive] for pair in compared]
        return [float(len(several)) for several in found], found.__getitem__
    from otherwords.metrics.pair import Pair

    assert isinstance(metric, Pair)
    detector = metric
    left, right = ([text_of(pair[side]) for pair in pairs] for side in (0, 1))
    rows = detector.measure(left, right, threads)
    weights = np.where(detector.contradicted(rows), rows[:, 1], 0.0).tolist()
    return weights, lambda place: [detector.finding(left[place], right[place])]
