"""Differences between two texts, span by span, and the metric that counts them (docs/facts.md).

native/core/metrics/facts reads the texts, links their units and looks for each kind of finding.
This module opens its models, and turns its arrays into findings and features for regressions.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from otherwords import _native
from otherwords.errors import InputError
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import Explanation, MeanMetric, Span, Traits, Verdict, text_of
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import register
from otherwords.models.paraphrase_model import ParaphraseModel
from otherwords.stats.arrays import Array
from otherwords.text.lexicon import Lexicon
from otherwords.text.sentence import Sentence, Text
from otherwords.text.stemmer import stem
from otherwords.text.tagger import Tagger

KINDS: tuple[str, ...] = _native.finding_kinds
VERDICTS: tuple[Verdict, ...] = _native.finding_verdicts

_BATCH = 2000  # pairs compared at once, to bound memory
_CERTAIN = 0.95  # least weight of an omission or addition that `strict` and the gate count


@dataclass(frozen=True)
class Finding(Span):
    """A place where two texts differ; `weight`, 0 to 1, is the certainty of the verdict there.

    >>> from otherwords.metrics.facts import findings
    >>> [(f.kind, f.verdict) for f in findings("He paid 30 euros.", "He paid 20 euros.")]
    [('number', 'contradicted')]
    """

    @property
    def decisive(self) -> bool:
        """Whether this finding alone shows that the meaning is not kept: a contradiction, or a
        certain omission or addition.
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


# Shares of the content of both texts that are lost, by cause.
SHARES = ("contradicted", "missing", "added", "unknown")
# The meaning of each column is fixed: models are trained on them. docs/facts.md describes them.
FEATURES = (
    *SHARES,
    *("decisive", "strong", "weak", "values", "polarity"),
    *("hole", "surplus", "equivalent", "same"),
)


@dataclass(frozen=True)
class Compared:
    """The findings about one pair of texts, and its row of `FEATURES`."""

    findings: tuple[Finding, ...]
    features: Array


class Comparer:
    """Compares many pairs of texts with models that are opened once.

    With `case`, words that differ only in capitals are findings too.
    """

    def __init__(self, *, case: bool = False) -> None:
        self.case = case
        lexicon, tagger, model = Lexicon.load(), Tagger.load(), ParaphraseModel.load()
        words = Path(__file__).parents[1].joinpath("text", "facts.tsv").read_text("utf-8")
        pivots = [table.native for _, table in sorted(model.pivots.items())]
        near, direct = lexicon.antonyms
        self._native = _native.FactsModels(
            lexicon.native, tagger.native, pivots, near, direct, words
        )
        self.signature = {
            "tagger": tagger.digest,
            "lexicon": lexicon.digest,
            "model": model.digest,
            "words": hashlib.sha256(words.encode()).hexdigest()[:8],
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
        compared = []
        for pair, row, (begin, end) in zip(pairs, rows, pairwise(bounds.tolist()), strict=True):
            texts = text_of(pair[0]), text_of(pair[1])
            cells = zip(*(column[begin:end] for column in columns), strict=True)
            compared.append(Compared(tuple(_finding(texts, *values) for values in cells), row))
        return compared

    def _compare(
        self, pairs: Sequence[tuple[Text, Text]], threads: int, *, with_findings: bool
    ) -> tuple[Any, ...]:
        """Compare the two texts of each pair in alphabetical order, so that exchanging them only
        exchanges their findings.
        """
        swapped = [text_of(left) > text_of(right) for left, right in pairs]
        numbers: dict[Text, int] = {}
        for pair in pairs:
            for text in pair:
                numbers.setdefault(text, len(numbers))
        order = np.array(
            [
                (numbers[right], numbers[left]) if swap else (numbers[left], numbers[right])
                for swap, (left, right) in zip(swapped, pairs, strict=True)
            ],
            np.int64,
        ).reshape(-1, 2)
        try:
            texts = self._native.read([_layers(text) for text in numbers], threads)
        except UnicodeEncodeError as error:
            raise InputError("a lone surrogate in a text") from error
        forms = texts.forms()
        return self._native.compare(
            texts,
            stem(forms),
            [_letters(form) for form in forms],
            np.ascontiguousarray(order[:, 0]),
            np.ascontiguousarray(order[:, 1]),
            np.array(swapped, np.uint8),
            self.case,
            with_findings,
            threads,
        )


def _layers(text: Text) -> str | tuple[str, list[str], list[int], list[str]]:
    """A text as the native core reads it: a string, or tokens with their offsets and tags."""
    if not isinstance(text, Sentence):
        return text
    places = [place for span in text.spans for place in span]
    return text.text, list(text.tokens), places, list(text.tags or ())


def _letters(form: str) -> str:
    """The letters and digits of a token without accents, as spellings of names are compared."""
    if not form.isascii():
        form = unicodedata.normalize("NFD", form)
    return form if form.isalnum() else "".join(filter(str.isalnum, form))


def _finding(
    texts: tuple[str, str], kind: int, verdict: int, weight: float, places: list[int]
) -> Finding:
    left, right = (places[0], places[1]), (places[2], places[3])
    spans = texts[0][slice(*left)], texts[1][slice(*right)]
    return Finding(KINDS[kind], VERDICTS[verdict], weight, left, right, *spans)


@cache
def comparer(*, case: bool = False) -> Comparer:
    """The comparer with the embedded models, opened once per process."""
    return Comparer(case=case)


def findings(hypothesis: Text, reference: Text) -> tuple[Finding, ...]:
    """The differences between two texts, in the order of the hypothesis.

    >>> [(f.kind, f.verdict) for f in findings("It is not cold.", "It is cold.")]
    [('negation', 'contradicted')]
    >>> findings("It is cold.", "It is cold.")
    ()
    """
    return comparer().compare([(hypothesis, reference)])[0].findings


def finding_features(pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> Array:
    """One row for each pair (hypothesis, reference), one column for each of `FEATURES`.

    >>> found = finding_features([("He paid 30 euros.", "He paid 20 euros."), ("Hm.", "Hm.")])
    >>> found.shape == (2, len(FEATURES))
    True
    >>> found[:, FEATURES.index("values")].tolist()
    [1.0, 0.0]
    """
    rows = [np.zeros((0, len(FEATURES)))]
    for begin in range(0, len(pairs), _BATCH):
        rows.append(comparer().features(pairs[begin : begin + _BATCH], threads))
    return np.concatenate(rows)


_LOWER = Traits(low=0.0, high=1.0, higher_is_better=False, symmetric=False, english=True)


@register
class Facts(MeanMetric):
    """Share of the content of both texts without a finding against it (docs/facts.md).

    With several references the one with the best score counts. With `strict` every segment with a
    decisive finding scores below 0.5, and every other segment 0.5 or more. With `case` words that
    differ only in capitals are findings too.
    """

    name = "facts"
    version = 4
    cost = "slow"
    use = "Which facts differ: contradicted, missing and added spans are listed."
    traits = Traits(low=0.0, high=1.0, symmetric=True, english=True)
    parts: ClassVar[Mapping[str, Traits]] = dict.fromkeys(SHARES[:3], _LOWER)
    columns = ("score", *SHARES, "segments")
    longest = 5000
    has_findings = True

    def __init__(self, *, strict: bool = False, case: bool = False, **common: Any) -> None:
        super().__init__(strict=strict, case=case, **common)
        self.strict = check_flag("strict", strict)
        self.case = check_flag("case", case)

    def signature_parts(self) -> dict[str, str]:
        options = {
            "strict": "yes" if self.strict else "no",
            "case": "kept" if self.case else "folded",
        }
        return {**options, **comparer(case=self.case).signature}

    def compute(self, segments: Segments, threads: int) -> Array:
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
        """Score, shares and a 1 to count the segment, from rows of features."""
        shares = features[:, : len(SHARES)]
        score = np.maximum(0.0, 1.0 - shares.sum(axis=1))
        if self.strict:
            decisive = features[:, FEATURES.index("decisive")] > 0
            score = np.where(decisive, 0.499 * score, 0.5 + 0.5 * score)
        return np.column_stack([score, shares, np.ones(len(score))])

    def explain_segment(self, segment: Segments) -> Explanation:
        explained = super().explain_segment(segment)
        listed = [[asdict(finding) for finding in c.findings] for c in self._compare(segment)]
        return replace(explained, details={"findings": listed})

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        return tuple(compared.findings for compared in self._compare(segments))

    def _compare(self, segment: Segments) -> list[Compared]:
        pairs = [(segment.hypotheses[0], target) for target in segment.targets[0]]
        return comparer(case=self.case).compare(pairs)
