"""Collects the findings of one pair; units that one kind has called are left to it."""

from __future__ import annotations

from otherwords.metrics.facts.alignment import Pair
from otherwords.metrics.facts.evidence import Evidence
from otherwords.metrics.facts.finding import Finding, Verdict

__all__ = ["Calls"]

Units = tuple[int, int]  # [begin, end)


class Calls:
    """Findings with text a as the hypothesis and b as the reference."""

    def __init__(self, pair: Pair, evidence: Evidence) -> None:
        self.pair = pair
        self.evidence = evidence
        self.findings: list[Finding] = []
        self.lost: list[float] = []  # of each finding: content lost, of a and b together
        self.called_a: set[int] = set()
        self.called_b: set[int] = set()

    def add(self, kind: str, verdict: Verdict, weight: float, a: Units, b: Units) -> None:
        """Record a finding about units [begin, end) of both texts."""
        one, other = self.pair.a.stretch(*a), self.pair.b.stretch(*b)
        self.findings.append(
            Finding(
                kind,
                verdict,
                round(min(1.0, max(0.0, weight)), 6),
                one,
                other,
                self.pair.a.text[slice(*one)],
                self.pair.b.text[slice(*other)],
            )
        )
        self.called_a.update(range(*a))
        self.called_b.update(range(*b))

    def free(self, a: Units, b: Units) -> bool:
        """Whether nothing has been called of these units yet."""
        return self.called_a.isdisjoint(range(*a)) and self.called_b.isdisjoint(range(*b))

    def unlinked_a(self) -> list[int]:
        """Units of a without a link that nothing has called."""
        return [i for i, j in enumerate(self.pair.to_b) if j < 0 and i not in self.called_a]

    def unlinked_b(self) -> list[int]:
        """Units of b without a link that nothing has called."""
        return [j for j, i in enumerate(self.pair.to_a) if i < 0 and j not in self.called_b]
