"""Judging alignments: the sentences of a gold file, aligned here or by another tool."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from otherwords.build.bitext.aligning import AlignmentSettings
from otherwords.build.bitext.corpus import (
    Bitext,
    check_tokenizers,
    choose_tokenizer,
    encode,
    join_sides,
)
from otherwords.build.bitext.gold import (
    Gold,
    Link,
    LinkAgreement,
    agreement,
    between_different_words,
    read_gold,
)
from otherwords.build.bitext.links import Links, read_links
from otherwords.corpus.findings import Finding
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular

__all__ = [
    "GoldText",
    "LinkAgreementResult",
    "is_swapped",
    "joined",
    "judge_aligner",
    "judge_links",
]


@dataclass(frozen=True)
class LinkAgreementResult(Tabular):
    """How links agree with gold ones: all of them, and those between words that differ."""

    every: LinkAgreement
    different: LinkAgreement

    @classmethod
    def of(cls, found: Sequence[Iterable[Link]], gold: Sequence[Gold]) -> LinkAgreementResult:
        """The agreement of the links of each gold sentence pair."""
        return cls(agreement(found, gold), between_different_words(found, gold))

    def tables(self) -> Iterator[Table]:
        """One table, one row per set of links."""
        scores = ("aer", "precision", "recall", "f1")
        columns = [
            Column("links", left=True),
            *(Column(name, decimals=4) for name in scores),
            Column("proposed"),
            Column("sure"),
        ]
        rows = [
            [name, *(getattr(one, score) for score in scores), one.proposed, one.sure]
            for name, one in (("all", self.every), ("different words", self.different))
        ]
        yield Table("agreement", columns, rows)


def judge_aligner(
    gold: str,
    paths: Sequence[str] = (),
    settings: AlignmentSettings | None = None,
    *,
    base: int = 0,
    swap: bool | None = None,
    warn: Callable[[Finding], None] = lambda finding: None,
    tick: Callable[[], None] = lambda: None,
) -> LinkAgreementResult:
    """Align the sentences of a gold file, trained on them and on the bitexts, and judge the links.

    Gold positions count from `base`. `swap` means that the gold source is the right side of the
    bitext; by default the shared words decide.
    """
    how = settings or AlignmentSettings()
    text = how.read(paths, warn)[0] if paths else None
    rows = read_gold(gold, base)
    if swap or (swap is None and text is not None and is_swapped(rows, text)):
        rows = [row.swapped() for row in rows]
    tokenizer, case = how.reading
    left, right = check_tokenizers(tokenizer)
    names = _chosen(left, [g.source for g in rows]), _chosen(right, [g.target for g in rows])
    judged = GoldText.of(rows, names, case=case)
    whole = judged.bitext if text is None else joined(judged.bitext, text)
    links, _ = how.align(how.aligner(whole, tick), judged.bitext)
    return LinkAgreementResult.of(judged.links(links), rows)


def judge_links(links: str, gold: str, *, base: int = 0) -> LinkAgreementResult:
    """Judge a file of links `i-j`, one line per row of the gold file."""
    rows = read_gold(gold, base)
    text = GoldText.of(rows, ("none", "none"), case=True).bitext
    found = read_links(links, text, gold)
    return LinkAgreementResult.of([found.sentence(number) for number in range(len(rows))], rows)


def _chosen(tokenizer: str, side: Sequence[Sequence[str]]) -> str:
    return (
        choose_tokenizer([" ".join(words) for words in side]) if tokenizer == "auto" else tokenizer
    )


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
    return Bitext(*(join_sides(one, [other]) for one, other in zip(first, second, strict=True)))
