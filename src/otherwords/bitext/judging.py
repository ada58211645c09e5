"""Aligning the sentences of a gold file with a bitext's help, to see how well it is done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from otherwords.bitext.corpus import Bitext, Side, encode
from otherwords.bitext.gold import Gold
from otherwords.bitext.links import Links

__all__ = ["GoldText", "is_swapped", "joined"]


class GoldText(NamedTuple):
    """The sentences of a gold file as a bitext. A word may be several tokens: its characters."""

    bitext: Bitext
    left_words: list[list[int]]  # the word of every token, sentence by sentence
    right_words: list[list[int]]

    @classmethod
    def of(cls, gold: Sequence[Gold], tokenizers: tuple[str, str], *, case: bool) -> GoldText:
        """Words are kept as they are, but cut into characters where the bitext's are."""
        sides, words = [], []
        for tokenizer, rows in zip(
            tokenizers, ([g.source for g in gold], [g.target for g in gold]), strict=True
        ):
            cut = tokenizer == "characters"
            texts, owners = zip(*(_cut(row, cut) for row in rows), strict=True)
            sides.append(encode(texts, "none", case=case))
            words.append(list(owners))
        return cls(Bitext(*sides), *words)

    def links(self, found: Links) -> list[set[tuple[int, int]]]:
        """Links between words: two are linked if tokens of them are."""
        return [
            {(left[i], right[j]) for i, j in found.sentence(number)}
            for number, (left, right) in enumerate(
                zip(self.left_words, self.right_words, strict=True)
            )
        ]


def _cut(words: Sequence[str], characters: bool) -> tuple[str, list[int]]:
    """The tokens of the words, with spaces between them, and the word of each token."""
    tokens: list[str] = []
    owners: list[int] = []
    for number, word in enumerate(words):
        name = "characters" if characters else "none"
        parts = encode([word], name, case=True).sentence(0)
        tokens += parts or ["\ufffd"]
        owners += [number] * (len(parts) or 1)
    return " ".join(tokens), owners


def is_swapped(gold: Sequence[Gold], bitext: Bitext) -> bool:
    """Whether the gold file's source is the bitext's right side, by the words that they share."""
    left, right = (set(side.words) for side in bitext)

    def shared(known: set[str], rows: Sequence[Sequence[str]]) -> float:
        tokens = {part for row in rows for word in row for part in (word.lower(), word[0:1])}
        return len(tokens & known) / max(len(tokens), 1)

    sources, targets = [g.source for g in gold], [g.target for g in gold]
    straight = shared(left, sources) + shared(right, targets)
    return shared(right, sources) + shared(left, targets) > straight


def joined(first: Bitext, second: Bitext) -> Bitext:
    """The sentence pairs of two bitexts, one after the other.

    >>> text = Bitext(encode(["a b"], "none"), encode(["x"], "none"))
    >>> more = Bitext(encode(["b c"], "none"), encode(["y x"], "none"))
    >>> both = joined(text, more)
    >>> both.left.sentence(1), both.right.sentence(1), both.size
    (['b', 'c'], ['y', 'x'], 2)
    """
    return Bitext(*(_joined_side(one, other) for one, other in zip(first, second, strict=True)))


def _joined_side(one: Side, other: Side) -> Side:
    ids = {word: number for number, word in enumerate(one.words)}
    mapped = np.array([ids.setdefault(word, len(ids)) for word in other.words], np.uint32)
    tokens = mapped[other.tokens] if len(other.tokens) else other.tokens
    bounds = np.concatenate([one.bounds, other.bounds[1:] + one.bounds[-1]])
    return Side(np.concatenate([one.tokens, tokens]), bounds, list(ids))
