"""Groups of equivalent sentences, and the phrase pairs of their alignments (ParaMetric §4)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from otherwords.build.bitext.gold import Gold, Link
from otherwords.build.phrases.aligned import phrase_spans

__all__ = ["Phrase", "PhrasePair", "SentenceGroup", "group_rows", "phrase_pairs", "phrases_of"]

Phrase = tuple[str, ...]
PhrasePair = tuple[Phrase, Phrase]


@dataclass(frozen=True)
class SentenceGroup:
    """A sentence and the rows of a gold file that align it with equivalent sentences.

    Groups of one `name` hold translations of one foreign sentence.
    """

    sentence: tuple[str, ...]
    rows: tuple[int, ...]  # their places in the file, from 0
    name: str | None = None
    domain: str | None = None


def group_rows(gold: Sequence[Gold]) -> list[SentenceGroup]:
    """The rows of one `group` with the same first sentence; those without one alone.

    >>> row = Gold(("a",), ("b",), frozenset(), frozenset(), group="1")
    >>> alone = Gold(("a",), ("c",), frozenset(), frozenset())
    >>> [group.rows for group in group_rows([row, alone, row, alone])]
    [(0, 2), (1,), (3,)]
    """
    found: dict[object, list[int]] = {}
    for number, row in enumerate(gold):
        key = number if row.group is None else (row.group, row.source, row.domain)
        found.setdefault(key, []).append(number)
    return [_group(gold[rows[0]], rows) for rows in found.values()]


def _group(first: Gold, rows: Sequence[int]) -> SentenceGroup:
    return SentenceGroup(first.source, tuple(rows), first.group, first.domain)


def phrase_pairs(
    first: Sequence[str],
    second: Sequence[str],
    links: Iterable[Link],
    max_length: int | None = None,
) -> set[PhrasePair]:
    """PP: the phrase pairs that are consistent with the links, without identical ones.

    Words without links may stand at the edges of a phrase (Och & Ney 2004). Phrases are words,
    not places: a pair that the links allow in two places is one pair.

    >>> found = phrase_pairs("they step down".split(), "they resign".split(), [(0, 0), (1, 1)], 2)
    >>> sorted(" ".join(one) + " | " + " ".join(other) for one, other in found)
    ['step down | resign', 'step | resign', 'they step | they resign']
    """
    left, right = tuple(first), tuple(second)
    pairs = {
        (left[i1 : i2 + 1], right[j1 : j2 + 1])
        for i1, i2, j1, j2 in phrase_spans(links, len(left), len(right), max_length).tolist()
    }
    return {pair for pair in pairs if pair[0] != pair[1]}


def phrases_of(sentence: Sequence[str], max_length: int) -> set[Phrase]:
    """All spans of so many words and fewer.

    >>> sorted(phrases_of("a b a".split(), 2))
    [('a',), ('a', 'b'), ('b',), ('b', 'a')]
    """
    words = tuple(sentence)
    return {
        words[begin:end]
        for begin in range(len(words))
        for end in range(begin + 1, min(begin + max_length, len(words)) + 1)
    }
