"""Aligning the words of files, and comparing links with a gold file: `otherwords align`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords.build.bitext.aligner import Aligner, Training, looks_monolingual
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
from otherwords.build.bitext.links import Links, compose, pharaoh, read_links
from otherwords.build.bitext.pairs import LineReport, read_bitext
from otherwords.corpus.problems import Finding
from otherwords.errors import InputError, UsageError
from otherwords.io.files import STDIN, paths_of
from otherwords.tables.table import Column, Table
from otherwords.tables.tabular import Tabular

ITERATIONS = 5


@dataclass(frozen=True)
class AlignmentSettings:
    """Settings for reading and aligning text, with an aligner trained on it or a saved one.

    Parameters
    ----------
    model
        A saved aligner, which also stores how its text was read.
    save
        Write the trained aligner to this file.
    iterations
        Training iterations of each model (default: 5).
    monolingual
        Both sides are English; by default the words decide.
    tokenizer, case
        How text is read. A tokenizer other than `auto` overrides that of the model.
    heuristic, threshold
        How links are chosen, as in `Aligner.align`.
    prune
        Drop pairs of words with a smaller share of the co-occurrences of both (default: 0).
    """

    model: str | None = None
    save: str | None = None
    iterations: int | None = None
    monolingual: bool | None = None
    tokenizer: str = "auto"
    case: bool = False
    heuristic: str = "posterior"
    threshold: float = 0.3
    threads: int = 1
    prune: float | None = None

    def __post_init__(self) -> None:
        check_tokenizers(self.tokenizer)
        for name in ("save", "iterations", "monolingual", "prune"):
            if self.model is not None and getattr(self, name) is not None:
                raise UsageError(
                    f"'{name}' is for training; the aligner {self.model} is already trained"
                )

    @cached_property
    def _saved(self) -> Aligner | None:
        return None if self.model is None else Aligner.load(self.model)

    @property
    def reading(self) -> tuple[str, bool]:
        """The tokenizer and whether case is kept."""
        if self._saved is None or self.tokenizer != "auto":
            return self.tokenizer, self.case
        return self._saved.tokenizer, self._saved.case or self.case

    def read(
        self, paths: Sequence[str], warn: Callable[[Finding], None]
    ) -> tuple[Bitext, LineReport]:
        tokenizer, case = self.reading
        return read_bitext(paths, tokenizer, case=case, warn=warn)

    def align(
        self, text: Bitext, tick: Callable[[], None], train_on: Bitext | None = None
    ) -> tuple[Links, NDArray[np.float32]]:
        """Link the words of a bitext; the aligner is trained on it, or on another one."""
        aligner = self._saved or self._train(text if train_on is None else train_on, tick)
        return aligner.align(
            text, heuristic=self.heuristic, threshold=self.threshold, threads=self.threads
        )

    def _train(self, text: Bitext, tick: Callable[[], None]) -> Aligner:
        iterations = ITERATIONS if self.iterations is None else self.iterations
        monolingual = self.monolingual
        training = Training(
            model1_iterations=iterations,
            hmm_iterations=iterations,
            prune=self.prune or 0.0,
            monolingual=looks_monolingual(text) if monolingual is None else monolingual,
        )
        aligner = Aligner.train(text, training, threads=self.threads, tick=tick)
        aligner.tokenizer, aligner.case = self.reading
        if self.save is not None:
            aligner.save(self.save)
        return aligner


@dataclass(frozen=True)
class AlignedBitext:
    """A bitext with its links, their posteriors (none for composed links), and bad lines."""

    bitext: Bitext
    links: Links
    posteriors: NDArray[np.float32] | None
    report: LineReport

    def lines(self, *, posteriors: bool = False) -> Iterator[str]:
        """Yield Pharaoh links `i-j`, or `i-j:p` with posteriors, one line per sentence pair."""
        if posteriors and self.posteriors is None:
            raise UsageError("links through another text have no posteriors")
        return pharaoh(self.links, self.posteriors if posteriors else None)


def align_files(
    paths: Sequence[str] = (STDIN,),
    settings: AlignmentSettings | None = None,
    *,
    warn: Callable[[Finding], None] = lambda finding: None,
    tick: Callable[[], None] = lambda: None,
) -> AlignedBitext:
    """Align the words of bitexts, concatenated.

    Parameters
    ----------
    paths
        Files of two columns, or two files separated by a comma.
    settings
        How text is read and aligned.
    warn
        Called with each finding about a line.
    tick
        Called after each training iteration.
    """
    settings, paths = settings or AlignmentSettings(), paths_of(paths)
    text, report = settings.read(paths, warn)
    if not report.kept:
        raise InputError("no line holds a sentence pair that can be aligned", path=paths[0])
    links, posteriors = settings.align(text, tick)
    return AlignedBitext(text, links, posteriors, report)


def align_through(
    first: Sequence[str],
    second: Sequence[str],
    settings: AlignmentSettings | None = None,
    *,
    warn: Callable[[Finding], None] = lambda finding: None,
    tick: Callable[[], None] = lambda: None,
) -> AlignedBitext:
    """Align two translations of one text through it (ParaMetric §7.1).

    One aligner, trained on both bitexts or saved, links each translation with the source; words of
    the two translations that are linked to the same source word are linked with each other.

    Parameters
    ----------
    first, second
        Bitexts with a translation on the left and the same source text on the right, line by line.
    settings, warn, tick
        As in `align_files`.
    """
    settings, first, second = settings or AlignmentSettings(), paths_of(first), paths_of(second)
    if STDIN in (*first, *second):
        raise UsageError("two bitexts are read side by side: give files, not '-'")
    size = settings.read(first, lambda finding: None)[0].size
    text, report = settings.read([*first, *second], warn)
    if text.size != 2 * size:
        lines = f"{size} lines here but {text.size - size} in {second[0]}"
        raise InputError(f"both bitexts must have the same source: {lines}", path=first[0])
    for number in range(size):
        if text.right.sentence(number) != text.right.sentence(size + number):
            message = f"the source of pair {number + 1} is not that of {second[0]}"
            raise InputError(message, path=first[0], line=number + 1)
    if not report.kept:
        raise InputError("no line holds a sentence pair that can be aligned", path=first[0])
    links, _ = settings.align(text, tick)
    composed = compose(links.part(0, size), links.part(size, 2 * size))
    sides = text.left.part(0, size), text.left.part(size, 2 * size)
    return AlignedBitext(Bitext(*sides), composed, None, report)


@dataclass(frozen=True)
class LinkAgreementResult(Tabular):
    """Agreement with gold links: over all links, and over links of different words."""

    every: LinkAgreement
    different: LinkAgreement

    @classmethod
    def of(cls, links: Sequence[Iterable[Link]], gold: Sequence[Gold]) -> LinkAgreementResult:
        """Compare the links of each gold sentence pair with its gold links."""
        return cls(agreement(links, gold), between_different_words(links, gold))

    def tables(self) -> Iterator[Table]:
        scores = ("aer", "precision", "recall", "f1")
        columns = [
            Column("links", left=True),
            *(Column(name, decimals=4) for name in scores),
            Column("proposed"),
            Column("sure"),
        ]
        rows = [
            [name, *(getattr(counts, score) for score in scores), counts.proposed, counts.sure]
            for name, counts in (("all", self.every), ("different words", self.different))
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
    """Align the sentences of a gold file and judge the links.

    Parameters
    ----------
    gold
        The gold file; the aligner is trained on its sentences and on the bitexts of `paths`.
    paths, settings, warn, tick
        As in `align_files`.
    base
        The number of a sentence's first word in gold positions, 0 or 1.
    swap
        The gold source is the right side of the bitext; by default the shared words decide.
    """
    settings = settings or AlignmentSettings()
    more = settings.read(paths, warn)[0] if paths else None
    rows = read_gold(gold, base)
    if swap or (swap is None and more is not None and is_swapped(rows, more)):
        rows = [row.swapped() for row in rows]
    tokenizer, case = settings.reading
    sides = [row.source for row in rows], [row.target for row in rows]
    names = [
        choose_tokenizer([" ".join(words) for words in side]) if name == "auto" else name
        for name, side in zip(check_tokenizers(tokenizer), sides, strict=True)
    ]
    text = GoldText.of(rows, (names[0], names[1]), case=case)
    links, _ = settings.align(
        text.bitext, tick, text.bitext if more is None else join_bitexts(text.bitext, more)
    )
    return LinkAgreementResult.of(text.links(links), rows)


def judge_links(links: str, gold: str, *, base: int = 0) -> LinkAgreementResult:
    """Judge a file of links `i-j`, one line per row of the gold file.

    Parameters
    ----------
    links
        The file of links.
    gold
        The gold file.
    base
        The number of a sentence's first word in gold positions, 0 or 1.
    """
    rows = read_gold(gold, base)
    text = GoldText.of(rows, ("none", "none"), case=True)
    proposed = read_links(links, text.bitext, gold)
    return LinkAgreementResult.of([proposed.sentence(number) for number in range(len(rows))], rows)


class GoldText(NamedTuple):
    """The sentences of a gold file as a bitext, whose tokens are words or their characters."""

    bitext: Bitext
    left_words: list[list[int]]  # the word of each token, by sentence
    right_words: list[list[int]]

    @classmethod
    def of(cls, gold: Sequence[Gold], tokenizers: tuple[str, str], *, case: bool) -> GoldText:
        """Keep the words of the file; cut them into characters if the tokenizer does."""
        sides, words = [], []
        for tokenizer, rows in zip(
            tokenizers, ([row.source for row in gold], [row.target for row in gold]), strict=True
        ):
            name = "characters" if tokenizer == "characters" else "none"
            texts, owners = zip(*(_cut(row, name) for row in rows), strict=True)
            sides.append(encode(texts, "none", case=case))
            words.append(list(owners))
        return cls(Bitext(*sides), *words)

    def links(self, token_links: Links) -> list[set[Link]]:
        """Link words whose tokens are linked."""
        owners = zip(self.left_words, self.right_words, strict=True)
        return [
            {(left[i], right[j]) for i, j in token_links.sentence(number)}
            for number, (left, right) in enumerate(owners)
        ]


def _cut(words: Sequence[str], tokenizer: str) -> tuple[str, list[int]]:
    """Cut words into tokens; return them separated by spaces, and the word of each."""
    tokens: list[str] = []
    owners: list[int] = []
    for number, word in enumerate(words):
        parts = encode([word], tokenizer, case=True).sentence(0) or ["\ufffd"]
        tokens += parts
        owners += [number] * len(parts)
    return " ".join(tokens), owners


def is_swapped(gold: Sequence[Gold], bitext: Bitext) -> bool:
    """Whether the gold sides share more words with the bitext when they are swapped."""
    left, right = (set(side.words) for side in bitext)

    def shared(known: set[str], rows: Sequence[Sequence[str]]) -> float:
        tokens = {part for row in rows for word in row for part in (word.lower(), word[0:1])}
        return len(tokens & known) / max(len(tokens), 1)

    sources, targets = [row.source for row in gold], [row.target for row in gold]
    straight = shared(left, sources) + shared(right, targets)
    return shared(right, sources) + shared(left, targets) > straight


def join_bitexts(first: Bitext, second: Bitext) -> Bitext:
    """Append the sentence pairs of the second bitext to the first.

    >>> text = Bitext(encode(["a b"], "none"), encode(["x"], "none"))
    >>> more = Bitext(encode(["b c"], "none"), encode(["y x"], "none"))
    >>> both = join_bitexts(text, more)
    >>> both.left.sentence(1), both.right.sentence(1), both.size
    (['b', 'c'], ['y', 'x'], 2)
    """
    left, right = (join_sides(side, [more]) for side, more in zip(first, second, strict=True))
    return Bitext(left, right)
