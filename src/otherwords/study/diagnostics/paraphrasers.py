"""Paraphrasers from files: links that a tool wrote, and tables of paraphrases."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

import numpy as np

from otherwords.build.bitext.corpus import Bitext, Side
from otherwords.build.bitext.gold import Gold, Link
from otherwords.build.bitext.links import read_links
from otherwords.io.arguments import check_number

__all__ = ["PARAPHRASE_PROBABILITY", "ParaphraseLists", "read_alignments", "read_paraphrases"]

PARAPHRASE_PROBABILITY = 0.01  # the least that a paraphrase needs (§7.2)


def read_alignments(path: str, gold: Sequence[Gold], name: str) -> list[list[Link]]:
    """The links of each row of the gold file of that name, as Pharaoh `i-j`, one line per row."""
    sides = ([row.source for row in gold], [row.target for row in gold])
    links = read_links(path, Bitext(*map(_lengths, sides)), name)
    return [links.sentence(number) for number in range(len(gold))]


def _lengths(sentences: Sequence[Sequence[str]]) -> Side:
    """A side of a bitext that has the number of words, and not the words."""
    return Side(np.zeros(0, np.uint32), np.cumsum([0, *map(len, sentences)], dtype=np.int64), [])


class ParaphraseLists:
    """Paraphrases of phrases, in any sentence."""

    def __init__(self, lists: dict[str, set[str]]) -> None:
        self.lists = lists

    def __call__(self, phrase: str, sentence: str) -> Iterable[str]:
        """Those of the phrase."""
        return self.lists.get(phrase, ())


def read_paraphrases(
    path: str | Path,
    phrases: Collection[str],
    *,
    min_probability: float = PARAPHRASE_PROBABILITY,
    case: bool = False,
    form: str = "auto",
) -> ParaphraseLists:
    """The paraphrases that a table has for these phrases, with such a probability at least.

    Other phrases are skipped, so a table may be larger than memory. Case is folded unless `case`; a
    pair that comes several times counts with its best probability.
    """
    from otherwords.build.phrases.paraphrase_files import PairFile

    least = check_number("min_probability", min_probability, 0, 1)
    wanted = frozenset(phrases)
    folded = {phrase.lower() for phrase in wanted}
    lists: dict[str, set[str]] = {}
    for batch in PairFile(path, form, wanted=folded, likely=least):
        likely = (batch.probabilities >= least).tolist()
        for phrase, other, kept in zip(batch.phrases, batch.paraphrases, likely, strict=True):
            key = phrase if case else phrase.lower()
            if kept and key in wanted:
                lists.setdefault(key, set()).add(other)
    return ParaphraseLists(lists)
