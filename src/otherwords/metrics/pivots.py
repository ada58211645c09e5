"""Two sentences through pivot languages: bags of pivot n-grams, their overlap, and the phrases that
correspond (PEM §4.2, §4.3).

native/core/metrics/pivot_bags.cpp makes the bags; here texts become words and the overlaps of bags
become numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from otherwords import _native
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.metrics.base import Span
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import Pairs, Reading, f1, sentence_of, tokens_of
from otherwords.models.paraphrase_model import ParaphraseModel, PivotTable, choose_languages
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Sentence, Text

LEAST = 0.1  # least F1 of two phrases that are shown as a pair; less is chance
SHOWN = 3  # most pivot n-grams that are named


@dataclass(frozen=True)
class Bags:
    """How the bags of pivot n-grams are made; the defaults are the paper's (PEM §6.1).

    Phrases of up to `longest` words, n-grams of up to `orders` words, translations more likely than
    `edge_threshold` (or the most likely one), n-grams that weigh more than `ngram_threshold`;
    `renormalise` makes the translations of a phrase sum to 1.
    """

    longest: int = 4
    orders: int = 4
    edge_threshold: float = 0.1
    ngram_threshold: float = 0.01
    renormalise: bool = False

    def __post_init__(self) -> None:
        for name, most in (("longest", 16), ("orders", 8)):
            object.__setattr__(self, name, check_whole(name, getattr(self, name), 1, most))
        for name in ("edge_threshold", "ngram_threshold"):
            object.__setattr__(self, name, check_number(name, getattr(self, name), 0, 1))
        check_flag("renormalise", self.renormalise)

    @property
    def native(self) -> _native.BagOptions:
        return _native.BagOptions(
            self.longest, self.orders, self.edge_threshold, self.ngram_threshold, self.renormalise
        )

    @property
    def signature(self) -> dict[str, str]:
        return {
            "longest": str(self.longest),
            "orders": str(self.orders),
            "edge": f"{self.edge_threshold:.12g}",
            "ngram": f"{self.ngram_threshold:.12g}",
            "renorm": "yes" if self.renormalise else "no",
        }


def pivot_f1(
    pairs: Pairs, tables: Mapping[str, PivotTable], bags: Bags, threads: int
) -> tuple[Array, Array]:
    """The pivot-language F1 of each pair: [pairs, languages], and which languages count (1 or 0).

    A language whose table has no phrase of either sentence does not count, unless this holds for
    all languages.
    """
    overlaps, known = [], []
    for table in tables.values():
        sums, is_known = _native.pivot_overlap(
            table.native,
            float(table.total),
            bags.native,
            pairs.tokens,
            pairs.bounds,
            pairs.words,
            pairs.left,
            pairs.right,
            threads,
        )
        overlaps.append(sums.reshape(-1, bags.orders, 3).sum(axis=1))
        known.append(is_known.astype(bool))
    counts = np.stack(known, axis=1)
    counts |= ~counts.any(axis=1, keepdims=True)
    return f1(np.stack(overlaps, axis=1), pairs.same), counts.astype(np.float64)


class Pivots:
    """The bags of a paraphrase model (PEM §4.2, §4.3)."""

    def __init__(
        self,
        model: str | Path,
        languages: str | Sequence[str] | None,
        bags: Bags,
        reading: Reading,
    ) -> None:
        self.model = ParaphraseModel.load(model)
        self.languages = choose_languages(self.model, languages)
        self.tables = {language: self.model.pivots[language] for language in self.languages}
        self.bags, self.reading = bags, reading

    @property
    def settings(self) -> dict[str, Any]:
        return {**vars(self.bags), **vars(self.reading), "languages": self.languages}

    @property
    def signature(self) -> dict[str, str]:
        return {
            **self.bags.signature,
            **self.reading.signature,
            "pivots": "+".join(self.languages),
            "model": self.model.digest,
        }

    def scores(self, pairs: Pairs, threads: int) -> tuple[Array, Array]:
        """Mean and standard deviation of the F1 over the pivot languages that count."""
        values, counts = pivot_f1(pairs, self.tables, self.bags, threads)
        size = counts.sum(axis=1)
        mean = (values * counts).sum(axis=1) / size
        spread = np.sqrt(((values - mean[:, None]) ** 2 * counts).sum(axis=1) / size)
        return mean, spread

    def matches(self, segments: Segments) -> tuple[tuple[Span, ...], ...]:
        [hypothesis], [targets] = segments.hypotheses, segments.targets
        return tuple(
            pivot_spans(self.tables, self.bags, self.reading, hypothesis, target)
            for target in targets
        )

    def details(self, hypothesis: Text, target: Text) -> dict[str, Any]:
        return {
            language: self._in_pivot(table, hypothesis, target)
            for language, table in self.tables.items()
        }

    def _in_pivot(self, table: PivotTable, hypothesis: Text, target: Text) -> dict[str, Any]:
        pairs = Pairs.of([hypothesis], [target], self.reading)
        values, _ = pivot_f1(pairs, {"": table}, self.bags, 1)
        bags = [
            dict(
                _native.pivot_bag(
                    table.native, float(table.total), self.bags.native, self.reading.words(text)
                )
            )
            for text in (hypothesis, target)
        ]
        shared = {gram: min(weight, bags[1].get(gram, 0.0)) for gram, weight in bags[0].items()}
        ordered = sorted(shared.items(), key=lambda item: (-item[1], item[0]))
        return {
            "f1": float(values[0, 0]),
            "hypothesis": self._phrases(table, hypothesis),
            "compared with": self._phrases(table, target),
            "shared": {gram: round(weight, 4) for gram, weight in ordered if weight > 0},
        }

    def _phrases(self, table: PivotTable, text: Text) -> list[str]:
        """The segmentation of a sentence (PEM §4.2)."""
        tokens = tokens_of(text, self.reading.tokenizer)
        segments = _native.pivot_segments(
            table.native, float(table.total), self.bags.native, self.reading.forms(tokens)
        )
        return [" ".join(tokens[begin:end]) for begin, end in segments]


class _Phrase(NamedTuple):
    begin: int
    end: int
    bag: dict[str, float]


def pivot_spans(
    tables: Mapping[str, PivotTable], bags: Bags, reading: Reading, left: Text, right: Text
) -> tuple[Span, ...]:
    """For each pivot language the phrases that correspond, each in one pair at most.

    The most similar pairs are taken first. The weight of a pair is the F1 of its bags; its kind
    names the language and the pivot n-grams that weigh most in what they share.
    """
    sentences = [sentence_of(text, reading.tokenizer) for text in (left, right)]
    return tuple(
        span
        for language, table in tables.items()
        for span in _of_language(language, table, bags, reading, *sentences)
    )


def _of_language(
    language: str,
    table: PivotTable,
    bags: Bags,
    reading: Reading,
    left: Sentence,
    right: Sentence,
) -> list[Span]:
    mine, theirs = (
        _phrases(table, bags, reading.forms(sentence.tokens)) for sentence in (left, right)
    )
    free = set(range(len(mine))), set(range(len(theirs)))
    spans = []
    for weight, i, j, shared in _alike(mine, theirs):
        if i not in free[0] or j not in free[1]:
            continue
        free[0].remove(i)
        free[1].remove(j)
        left_span, right_span = _stretch(left, mine[i]), _stretch(right, theirs[j])
        same = reading.same(_words(left, mine[i]), _words(right, theirs[j]))
        kind = f"pivot {language}, {'the same words' if same else shared}"
        spans.append(
            Span(
                kind,
                "same" if same else "equivalent",
                weight,
                left_span,
                right_span,
                left.text[slice(*left_span)],
                right.text[slice(*right_span)],
            )
        )
    return sorted(spans, key=lambda span: span.hypothesis)


def _phrases(table: PivotTable, bags: Bags, words: list[str]) -> list[_Phrase]:
    """The segmentation of a sentence (PEM §4.2), every phrase with its own bag."""
    total = float(table.total)
    return [
        _Phrase(
            begin, end, dict(_native.pivot_bag(table.native, total, bags.native, words[begin:end]))
        )
        for begin, end in _native.pivot_segments(table.native, total, bags.native, words)
    ]


def _alike(mine: list[_Phrase], theirs: list[_Phrase]) -> list[tuple[float, int, int, str]]:
    """Pairs of phrases with their F1 and what they share, the most alike first; then those that
    stand at the same place.
    """
    having: dict[str, list[int]] = {}
    for j, phrase in enumerate(theirs):
        for gram in phrase.bag:
            having.setdefault(gram, []).append(j)
    shared: dict[tuple[int, int], dict[str, float]] = {}
    for i, phrase in enumerate(mine):
        for gram, weight in phrase.bag.items():
            for j in having.get(gram, ()):
                shared.setdefault((i, j), {})[gram] = min(weight, theirs[j].bag[gram])
    pairs = []
    for (i, j), grams in shared.items():
        both = sum(mine[i].bag.values()) + sum(theirs[j].bag.values())
        weight = min(1.0, 2 * sum(grams.values()) / both) if both else 0.0
        pairs.append((weight, i, j, _named(grams)))
    near = max(len(theirs), 1) / max(len(mine), 1)
    pairs.sort(
        key=lambda pair: (-round(pair[0], 9), abs(pair[1] * near - pair[2]), pair[1], pair[2])
    )
    return [pair for pair in pairs if pair[0] >= LEAST]


def _named(grams: Mapping[str, float]) -> str:
    """The pivot n-grams that weigh most, punctuation only if there is nothing else."""
    words = [gram for gram in grams if any(map(str.isalnum, gram))] or list(grams)
    return ", ".join(sorted(words, key=lambda gram: (-grams[gram], gram))[:SHOWN])


def _words(sentence: Sentence, phrase: _Phrase) -> tuple[str, ...]:
    return sentence.tokens[phrase.begin : phrase.end]


def _stretch(sentence: Sentence, phrase: _Phrase) -> tuple[int, int]:
    return sentence.spans[phrase.begin][0], sentence.spans[phrase.end - 1][1]
