"""The metric `facts`: the share of content that is neither contradicted nor missing nor added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, ClassVar

import numpy as np

from otherwords.io.arguments import check_flag
from otherwords.metrics.base import Array, Explanation, MeanMetric, Span, Traits
from otherwords.metrics.facts.comparison import FEATURES, SHARES, Compared, comparer
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import register
from otherwords.text.sentence import Text

__all__ = ["Facts", "facts"]

_LOWER = Traits(low=0.0, high=1.0, higher_is_better=False, symmetric=False, english=True)
_BATCH = 2000  # pairs that are compared at once, which bounds the memory


@register
class Facts(MeanMetric):
    """Share of the content of both texts without a finding against it (docs/facts.md).

    With several references the one with the best score counts. With `strict` every segment with a
    decisive finding scores below 0.5, and every other segment 0.5 or more. With `case` words that
    differ only in capitals are findings too.
    """

    name = "facts"
    version = 3
    traits = Traits(low=0.0, high=1.0, symmetric=True, english=True)
    parts: ClassVar[Mapping[str, Traits]] = dict.fromkeys(SHARES[:3], _LOWER)
    columns = ("score", *SHARES, "segments")

    def __init__(self, *, strict: bool = False, case: bool = False, **common: Any) -> None:
        super().__init__(strict=strict, case=case, **common)
        self.strict = check_flag("strict", strict)
        self.case = check_flag("case", case)

    def signature_parts(self) -> dict[str, str]:
        """Options and models."""
        options = {
            "strict": "yes" if self.strict else "no",
            "case": "kept" if self.case else "folded",
        }
        return {**options, **comparer(case=self.case).signature}

    def compute(self, segments: Segments, threads: int) -> Array:
        """Score and shares of each segment."""
        pairs = [
            (hypothesis, target)
            for hypothesis, targets in zip(segments.hypotheses, segments.targets, strict=True)
            for target in targets
        ]
        rows = np.zeros((0, len(self.columns)))
        for begin in range(0, len(pairs), _BATCH):
            batch = comparer(case=self.case).features(pairs[begin : begin + _BATCH], threads)
            rows = np.concatenate([rows, self._rows(batch)])
        best, place = [], 0
        for targets in segments.targets:
            best.append(place + int(rows[place : place + len(targets), 0].argmax()))
            place += len(targets)
        return rows[best]

    def _rows(self, features: Array) -> Array:
        """Score, shares and a count of one, from rows of features."""
        shares = features[:, : len(SHARES)]
        score = np.maximum(0.0, 1.0 - shares.sum(axis=1))
        if self.strict:
            decisive = features[:, FEATURES.index("decisive")] > 0
            score = np.where(decisive, 0.499 * score, 0.5 + 0.5 * score)
        return np.column_stack([score, shares, np.ones(len(score))])

    def explain_segment(self, segment: Segments) -> Explanation:
        """The score with all findings about each reference."""
        explained = super().explain_segment(segment)
        found = [[asdict(finding) for finding in one.findings] for one in self._compared(segment)]
        return replace(explained, details={"findings": found})

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        """Findings as spans, and spans of the same words between them."""
        return tuple(_spans(compared) for compared in self._compared(segments))

    def _compared(self, segment: Segments) -> list[Compared]:
        pairs = [(segment.hypotheses[0], target) for target in segment.targets[0]]
        return comparer(case=self.case).compare(pairs)


def facts(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """The share of content without a finding against it.

    >>> facts("The firm hired two hundred people.", "The firm hired 200 people.")
    1.0
    >>> facts("The firm hired 300 people.", "The firm hired 200 people.", strict=True) < 0.5
    True
    """
    return Facts(**options).score_one(hypothesis, references)


def _spans(compared: Compared) -> tuple[Span, ...]:
    spans = [
        Span(
            f"{finding.kind}, {finding.verdict}",
            finding.weight,
            finding.hypothesis,
            finding.reference,
            finding.hypothesis_text,
            finding.reference_text,
        )
        for finding in compared.findings
    ]
    return tuple(spans)
