"""Sentence pairs from files: one pair per line, also for bad lines, so that the output stays
parallel."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from typing import overload

import numpy as np

from otherwords.build.bitext.clean import FORMS, LineReport, PairLimits, Source, pairs_of
from otherwords.build.bitext.corpus import Bitext, check_tokenizers, encode
from otherwords.corpus.findings import Finding
from otherwords.errors import InputError, UsageError, near

__all__ = ["TextPairs", "files_of", "read_bitext", "read_text_pairs", "require_pairs", "source_of"]

LONGEST = 1000
PACK = 1 << 10  # texts


class PackedTexts(Sequence[str]):
    """Texts of lines in as many bytes as they have in files, which is less than half of a list."""

    def __init__(self) -> None:
        self._packed: list[bytes] = []  # PACK texts each
        self._last: list[str] = []

    def append(self, text: str) -> None:
        """Add a text, in which there is no line break."""
        self._last.append(text)
        if len(self._last) == PACK:
            self._packed.append("\n".join(self._last).encode(errors="surrogatepass"))
            self._last.clear()

    def clear(self) -> None:
        """Forget all of them."""
        self._packed.clear()
        self._last.clear()

    def __len__(self) -> int:
        return PACK * len(self._packed) + len(self._last)

    def __iter__(self) -> Iterator[str]:
        for number in range(len(self._packed)):
            yield from self._pack(number)
        yield from self._last

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        if isinstance(place, slice):
            return [self[one] for one in range(len(self))[place]]
        number, at = divmod(range(len(self))[place], PACK)
        return (self._pack(number) if number < len(self._packed) else self._last)[at]

    def _pack(self, number: int) -> list[str]:
        return self._packed[number].decode(errors="surrogatepass").split("\n")


class TextPairs:
    """The texts of both sides, and which lines cannot be used: two empty texts each."""

    def __init__(self, *, packed: bool = False) -> None:
        self.left: list[str] | PackedTexts = PackedTexts() if packed else []
        self.right: list[str] | PackedTexts = PackedTexts() if packed else []
        self.report = LineReport()
        self._starts: list[int] = []  # of each file, its first pair
        self._paths: list[str] = []

    def add(self, source: Source, limits: PairLimits, form: str | None) -> None:
        """All lines of one source."""
        self._starts.append(len(self.left))
        self._paths.append(source if isinstance(source, str) else source[0])
        for left, right in pairs_of([source], limits, form, self.report):
            self.left.append(left)
            self.right.append(right)

    def note_long(self, bitext: Bitext, longest: int = LONGEST) -> None:
        """LineReport the pairs that have more tokens than words, and too many to be aligned."""
        tokens = np.maximum(*(np.diff(side.bounds) for side in bitext))
        for number in np.flatnonzero(tokens > longest).tolist():
            source = bisect_right(self._starts, number) - 1
            line = number - self._starts[source] + 1
            self.report.note("W601", self._paths[source], line)


def read_text_pairs(
    sources: Sequence[Source],
    *,
    form: str | None = None,
    longest: int = LONGEST,
    packed: bool = False,
) -> TextPairs:
    """All pairs of the files: `left TAB right`, `left ||| right`, or two parallel files.

    Nothing is dropped: a line that has not two columns, is not UTF-8, has a NUL or a side of
    more than `longest` words is kept as a pair of empty texts and reported by its code. Texts are
    lists, or `packed` sequences that take less memory.
    """
    if form is not None and form not in FORMS:
        raise UsageError(f"unknown form of bitext '{form}'; {near(form, FORMS)}")
    limits = PairLimits(longest=longest, ratio=100_000, keep_duplicates=True, keep_identical=True)
    pairs = TextPairs(packed=packed)
    for source in sources:
        pairs.add(source, limits, form)
    return pairs


def source_of(path: str) -> Source:
    """A file of two columns, or two files with a comma between their names.

    >>> source_of("a.tsv"), source_of("a.en,a.fr")
    ('a.tsv', ('a.en', 'a.fr'))
    """
    left, comma, right = path.partition(",")
    return (left, right) if comma else path


def files_of(paths: Sequence[str]) -> list[str]:
    """The files that are read for these bitexts.

    >>> files_of(["a.tsv", "a.en,a.fr"])
    ['a.tsv', 'a.en', 'a.fr']
    """
    return [part for path in paths for part in path.split(",")]


def require_pairs(bitext: Bitext, path: str) -> None:
    """Refuse a bitext in which no pair has words on both sides."""
    left, right = (np.diff(side.bounds) for side in bitext)
    if not np.minimum(left, right).any():
        raise InputError("no line holds a sentence pair", path=path)


def read_bitext(
    paths: Sequence[str],
    tokenizer: str = "auto",
    *,
    case: bool = False,
    warn: Callable[[Finding], None] = lambda finding: None,
) -> tuple[Bitext, LineReport]:
    """The words of the files, one after the other, and what was wrong with their lines.

    `tokenizer` is that of both sides, or two with a comma between them. A path is a file of two
    columns, or two files with a comma between their names. `warn` is called with each finding.
    """
    names = check_tokenizers(tokenizer)
    pairs = read_text_pairs([source_of(path) for path in paths], packed=True)
    sides = []
    for texts, name in zip((pairs.left, pairs.right), names, strict=True):
        sides.append(encode(texts, name, case=case))
        texts.clear()  # the texts of a side take more memory than its words
    bitext = Bitext(*sides)
    pairs.note_long(bitext)
    for finding in pairs.report.findings():
        warn(finding)
    return bitext, pairs.report
