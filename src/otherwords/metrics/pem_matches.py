"""Which phrases of two sentences share translations: PEM's adequacy as aligned spans.

PEM compares bags and aligns nothing; this pairs, for readers, the phrases of the two
segmentations whose own bags overlap most.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from otherwords import _native
from otherwords.metrics.base import Span
from otherwords.metrics.pem_features import Bags
from otherwords.metrics.reading import Reading, sentence_of
from otherwords.models.paraphrase_model import PivotTable
from otherwords.text.sentence import Sentence, Text

__all__ = ["pivot_spans"]

LEAST = 0.1  # F1 of two phrases that are shown as a pair; less is chance
SHOWN = 3  # pivot n-grams that are named


class _Phrase(NamedTuple):
    begin: int
    end: int
    bag: dict[str, float]


def pivot_spans(
    tables: Mapping[str, PivotTable], bags: Bags, reading: Reading, left: Text, right: Text
) -> tuple[Span, ...]:
    """For each pivot language the phrases that correspond, each in one pair at most.

    Pairs are taken from the most alike on. The weight of a pair is the F1 of its bags; its kind
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
    mine, theirs = (_phrases(table, bags, reading.forms(one.tokens)) for one in (left, right))
    free = set(range(len(mine))), set(range(len(theirs)))
    spans = []
    for weight, i, j, shared in _alike(mine, theirs):
        if i not in free[0] or j not in free[1]:
            continue
        free[0].remove(i)
        free[1].remove(j)
        one, other = _stretch(left, mine[i]), _stretch(right, theirs[j])
        same = reading.same(_words(left, mine[i]), _words(right, theirs[j]))
        kind = f"pivot {language}, {'the same words' if same else shared}"
        spans.append(
            Span(kind, weight, one, other, left.text[slice(*one)], right.text[slice(*other)])
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
    for j, other in enumerate(theirs):
        for gram in other.bag:
            having.setdefault(gram, []).append(j)
    shared: dict[tuple[int, int], dict[str, float]] = {}
    for i, one in enumerate(mine):
        for gram, weight in one.bag.items():
            for j in having.get(gram, ()):
                shared.setdefault((i, j), {})[gram] = min(weight, theirs[j].bag[gram])
    found = []
    for (i, j), grams in shared.items():
        both = sum(mine[i].bag.values()) + sum(theirs[j].bag.values())
        weight = min(1.0, 2 * sum(grams.values()) / both) if both else 0.0
        found.append((weight, i, j, _named(grams)))
    near = max(len(theirs), 1) / max(len(mine), 1)
    found.sort(key=lambda one: (-round(one[0], 9), abs(one[1] * near - one[2]), one[1], one[2]))
    return [one for one in found if one[0] >= LEAST]


def _named(grams: Mapping[str, float]) -> str:
    """The pivot n-grams that weigh most, punctuation only if there is nothing else."""
    words = [gram for gram in grams if any(map(str.isalnum, gram))] or list(grams)
    return ", ".join(sorted(words, key=lambda gram: (-grams[gram], gram))[:SHOWN])


def _words(sentence: Sentence, phrase: _Phrase) -> tuple[str, ...]:
    return sentence.tokens[phrase.begin : phrase.end]


def _stretch(sentence: Sentence, phrase: _Phrase) -> tuple[int, int]:
    return sentence.spans[phrase.begin][0], sentence.spans[phrase.end - 1][1]
