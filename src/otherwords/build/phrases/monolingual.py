"""Paraphrasing as translation within one language (Quirk, Brockett & Dolan 2004).

Pairs of equivalent sentences are a bitext whose both sides are English: its words are aligned,
its phrase pairs counted, and p(e2|e1) is the relative frequency of e2 among what e1 is aligned to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import permutations
from pathlib import Path

from otherwords.build.bitext.aligner import Aligner, Training
from otherwords.build.bitext.corpus import Bitext, encode
from otherwords.build.engine.base import Engine
from otherwords.build.phrases.table import PhraseTable, build_table
from otherwords.errors import InputError

__all__ = ["equivalent_pairs", "monolingual_table"]


def equivalent_pairs(groups: Iterable[Sequence[str]]) -> list[tuple[str, str]]:
    """All pairs of different sentences of each group, both ways round (ParaMetric §7.1).

    >>> equivalent_pairs([["a b", "a c", "a b"], ["alone"]])
    [('a b', 'a c'), ('a c', 'a b')]
    """
    return [pair for group in groups for pair in permutations(dict.fromkeys(group), 2)]


def monolingual_table(
    pairs: Sequence[tuple[str, str]],
    path: str | Path,
    *,
    engine: Engine,
    max_length: int = 5,
    tokenizer: str = "penn",
    training: Training | None = None,
    tick: Callable[[], None] = lambda: None,
) -> tuple[PhraseTable, Aligner]:
    """The phrase table of sentence pairs that say the same, and the aligner trained on them.

    Phrases that are aligned to themselves are in the table and in its probabilities.
    """
    if not pairs:
        raise InputError("there are no sentence pairs to learn paraphrases from")
    left, right = (encode(side, tokenizer) for side in zip(*pairs, strict=True))
    text = Bitext(left, right)
    how = training or Training(monolingual=True)
    aligner = Aligner.train(text, how, threads=engine.threads, tick=tick)
    aligner.tokenizer = tokenizer
    links, _ = aligner.align(text, threads=engine.threads)
    table = build_table(left, right, links, path, engine=engine, max_length=max_length)
    return table, aligner
