"""What a finding is: two spans, a kind, a verdict and a weight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from otherwords import _native

__all__ = ["KINDS", "VERDICTS", "Finding", "Verdict"]

Verdict = Literal["equivalent", "contradicted", "missing", "added", "unknown"]

KINDS: tuple[str, ...] = _native.finding_kinds
VERDICTS: tuple[Verdict, ...] = _native.finding_verdicts

_CERTAIN = 0.95  # weight of omissions and additions that `strict` and the gate count


@dataclass(frozen=True)
class Finding:
    """A place where two texts differ.

    `hypothesis` and `reference` are character offsets into the two texts; a span is empty where one
    side has nothing, and then marks the place. `weight`, 0 to 1, is the certainty of the verdict,
    judged by the context of the spans.

    >>> from otherwords.metrics.facts import findings
    >>> [(f.kind, f.verdict) for f in findings("He paid 30 euros.", "He paid 20 euros.")]
    [('number', 'contradicted')]
    """

    kind: str
    verdict: Verdict
    weight: float
    hypothesis: tuple[int, int]
    reference: tuple[int, int]
    hypothesis_text: str
    reference_text: str

    @property
    def decisive(self) -> bool:
        """Whether the finding alone says that the meaning is not kept: a contradiction, or
        something missing or added of which it is certain that nothing else in the text says it.
        """
        certain = self.weight >= _CERTAIN and self.kind == "words"
        return self.verdict == "contradicted" or (certain and self.verdict in ("missing", "added"))

    @property
    def swapped(self) -> Finding:
        """The same finding with the two texts exchanged."""
        exchanged: dict[str, Verdict] = {"missing": "added", "added": "missing"}
        return replace(
            self,
            verdict=exchanged.get(self.verdict, self.verdict),
            hypothesis=self.reference,
            reference=self.hypothesis,
            hypothesis_text=self.reference_text,
            reference_text=self.hypothesis_text,
        )
