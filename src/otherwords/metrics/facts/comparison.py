"""Texts -> findings: the models, and what native/core/metrics/facts finds with them.

The native core reads the texts, links their units by evidence, and asks one kind of finding after
the other; the stems of words come from the Snowball project's library in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from otherwords import _native
from otherwords.encoders.static import StaticEncoder
from otherwords.errors import InputError
from otherwords.metrics.base import Array
from otherwords.metrics.facts.finding import KINDS, VERDICTS, Finding
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Sentence, Text
from otherwords.text.stemmer import stem
from otherwords.text.tagger import Tagger
from otherwords.text.vectors import Vectors

__all__ = ["FEATURES", "SHARES", "Compared", "Comparer", "comparer", "findings"]

# Ways to lose content: the share of the content of both texts that each costs.
SHARES = ("contradicted", "missing", "added", "unknown", "repeated", "misspelt")
# The meaning of each column is fixed: models are trained on them. docs/facts.md describes them.
FEATURES = (
    *SHARES,
    *("decisive", "strong", "weak", "values", "polarity", "structure"),
    *("hole", "surplus", "replaced", "equivalent", "same", "unlinked", "tight", "balance"),
    "doubted",
)


@dataclass(frozen=True)
class Compared:
    """The findings about one pair of texts, and its row of `FEATURES`."""

    findings: tuple[Finding, ...]
    features: Array


class Comparer:
    """Compares many pairs of texts with models that are opened once.

    Words that differ in capitals only are called if `case` counts.
    """

    def __init__(self, *, case: bool = False) -> None:
        self.case = case
        lexicon, tagger, vectors = Lexicon.load(), Tagger.load(), Vectors.load()
        encoder, model = StaticEncoder.load(), ParaphraseModel.load()
        pivots = [table.native for _, table in sorted(model.pivots.items())]
        near, direct = lexicon.antonyms
        self._native = _native.FactsModels(
            lexicon.native, tagger.native, pivots, encoder.native, vectors.arrays, near, direct
        )
        self.signature = {
            "tagger": tagger.digest,
            "lexicon": lexicon.digest,
            "vectors": vectors.digest,
            "encoder": encoder.signature,
            "model": model.digest,
        }

    def features(self, pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> Array:
        """One row of `FEATURES` for each pair (hypothesis, reference)."""
        rows: Array = self._compare(pairs, threads, with_findings=False)[0]
        return rows.reshape(len(pairs), len(FEATURES))

    def compare(self, pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> list[Compared]:
        """The findings about each pair (hypothesis, reference)."""
        flat, bounds, kinds, verdicts, weights, places = self._compare(
            pairs, threads, with_findings=True
        )
        rows = flat.reshape(len(pairs), len(FEATURES))
        spans = places.reshape(-1, 4).tolist()
        columns = kinds.tolist(), verdicts.tolist(), weights.tolist(), spans
        found = []
        for pair, row, (begin, end) in zip(pairs, rows, pairwise(bounds.tolist()), strict=True):
            texts = _raw(pair[0]), _raw(pair[1])
            here = zip(*(column[begin:end] for column in columns), strict=True)
            found.append(Compared(tuple(_finding(texts, *one) for one in here), row))
        return found

    def _compare(
        self, pairs: Sequence[tuple[Text, Text]], threads: int, *, with_findings: bool
    ) -> tuple[Any, ...]:
        """Texts are put in a fixed order first, so that exchanging the two exchanges their findings
        and changes nothing else.
        """
        swapped = [_raw(one) > _raw(other) for one, other in pairs]
        numbers: dict[Text, int] = {}
        for pair in pairs:
            for text in pair:
                numbers.setdefault(text, len(numbers))
        order = np.array(
            [
                (numbers[other], numbers[one]) if swap else (numbers[one], numbers[other])
                for swap, (one, other) in zip(swapped, pairs, strict=True)
            ],
            np.int64,
        ).reshape(-1, 2)
        try:
            texts = self._native.read([_layers(text) for text in numbers], threads)
        except UnicodeEncodeError as error:
            raise InputError("a lone surrogate in a text") from error
        return self._native.compare(
            texts,
            stem(texts.forms()),
            np.ascontiguousarray(order[:, 0]),
            np.ascontiguousarray(order[:, 1]),
            np.array(swapped, np.uint8),
            self.case,
            with_findings,
            threads,
        )


def _raw(text: Text) -> str:
    return text if isinstance(text, str) else text.text


def _layers(text: Text) -> str | tuple[str, list[str], list[int], list[str]]:
    """What the native core takes: a string, or a sentence with what is known of it."""
    if not isinstance(text, Sentence):
        return text
    places = [place for span in text.spans for place in span]
    return text.text, list(text.tokens), places, list(text.tags or ())


def _finding(
    texts: tuple[str, str], kind: int, verdict: int, weight: float, places: list[int]
) -> Finding:
    one, other = (places[0], places[1]), (places[2], places[3])
    spans = texts[0][slice(*one)], texts[1][slice(*other)]
    return Finding(KINDS[kind], VERDICTS[verdict], weight, one, other, *spans)


@cache
def comparer(*, case: bool = False) -> Comparer:
    """The comparer with the embedded models, opened once per process."""
    return Comparer(case=case)


def findings(hypothesis: Text, reference: Text) -> tuple[Finding, ...]:
    """What differs between two texts, in the order of the hypothesis.

    >>> [(f.kind, f.verdict) for f in findings("It is not cold.", "It is cold.")]
    [('negation', 'contradicted')]
    >>> findings("It is cold.", "It is cold.")
    ()
    """
    return comparer().compare([(hypothesis, reference)])[0].findings
