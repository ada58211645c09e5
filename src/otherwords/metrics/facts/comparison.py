"""Texts -> findings: read, align, ask every kind in turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from otherwords.metrics.facts import (
    antonyms,
    degrees,
    modality,
    names,
    negation,
    quantifiers,
    quantities,
    relations,
    remainder,
    roles,
    small_words,
    spelling,
)
from otherwords.metrics.facts.alignment import Pair, align
from otherwords.metrics.facts.calls import Calls
from otherwords.metrics.facts.evidence import Evidence
from otherwords.metrics.facts.finding import Finding
from otherwords.metrics.facts.reading import Reader, Side
from otherwords.text.sentence import Text

__all__ = ["Compared", "Comparer", "comparer", "findings"]


@dataclass(frozen=True)
class Compared:
    """The findings about one pair of texts, and the links they rest on."""

    findings: tuple[Finding, ...]
    pair: Pair
    swapped: bool  # whether text a of the pair is the reference

    @property
    def hypothesis(self) -> Side:
        """The first text."""
        return self.pair.b if self.swapped else self.pair.a

    @property
    def reference(self) -> Side:
        """The second text."""
        return self.pair.a if self.swapped else self.pair.b


class Comparer:
    """Compares many pairs of texts with models that are opened once.

    Words that differ in capitals only are called if `case` counts.
    """

    def __init__(self, *, case: bool = False) -> None:
        self.case = case
        self.reader = Reader()
        self.evidence = Evidence(self.reader.lexicon)

    @property
    def signature(self) -> dict[str, str]:
        """What the findings depend on."""
        return {
            "tagger": self.reader.tagger.digest,
            "lexicon": self.reader.lexicon.digest,
            "vectors": self.reader.vectors.digest,
            "model": self.evidence.model.digest,
        }

    def compare(self, pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> list[Compared]:
        """The findings about each pair (hypothesis, reference).

        Texts are put in a fixed order first, so that exchanging the two exchanges their
        findings and changes nothing else.
        """
        swapped = [_raw(one) > _raw(other) for one, other in pairs]
        ordered = [
            (other, one) if swap else (one, other)
            for swap, (one, other) in zip(swapped, pairs, strict=True)
        ]
        numbers: dict[Text, int] = {}
        for pair in ordered:
            for text in pair:
                numbers.setdefault(text, len(numbers))
        sides = self.reader.read(list(numbers), threads)
        linked = align([(sides[numbers[a]], sides[numbers[b]]) for a, b in ordered], self.evidence)
        return [
            Compared(_ordered(self._findings(pair), swap), pair, swap)
            for pair, swap in zip(linked, swapped, strict=True)
        ]

    def _findings(self, pair: Pair) -> list[Finding]:
        calls = Calls(pair, self.evidence)
        spelling.find_repetitions(calls)
        quantities.find(calls)
        names.find(calls)
        relations.find(calls)
        quantifiers.find(calls)
        negation.find(calls)
        roles.find(calls)
        antonyms.find(calls)
        degrees.find(calls)
        small_words.find(calls)
        modality.find(calls)
        spelling.find_spellings(calls)
        if self.case:
            spelling.find_capitals(calls)
        remainder.find(calls)
        return calls.findings


def _raw(text: Text) -> str:
    return text if isinstance(text, str) else text.text


def _ordered(found: list[Finding], swap: bool) -> tuple[Finding, ...]:
    turned = [finding.swapped for finding in found] if swap else found
    return tuple(sorted(turned, key=lambda f: (f.hypothesis, f.reference, f.kind)))


@cache
def comparer(*, case: bool = False) -> Comparer:
    """The comparer with the embedded models, opened once a process."""
    return Comparer(case=case)


def findings(hypothesis: Text, reference: Text) -> tuple[Finding, ...]:
    """What differs between two texts, in the order of the hypothesis.

    >>> [(f.kind, f.verdict) for f in findings("It is not cold.", "It is cold.")]
    [('negation', 'contradicted')]
    >>> findings("It is cold.", "It is cold.")
    ()
    """
    return comparer().compare([(hypothesis, reference)])[0].findings
