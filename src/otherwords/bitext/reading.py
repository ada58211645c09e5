"""Sentence pairs from files, every line of them, so that what comes out stays in step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from otherwords.bitext.clean import FORMS, Limits, Report, Source, pairs_of
from otherwords.bitext.corpus import Bitext
from otherwords.errors import UsageError, near

__all__ = ["Pairs", "read_pairs"]

LONGEST = 1000


class Pairs:
    """The texts of both sides, and which lines are off. A line that is off is two empty texts."""

    def __init__(self) -> None:
        self.left: list[str] = []
        self.right: list[str] = []
        self.report = Report()
        self._starts: list[int] = []  # of each file, its first pair
        self._paths: list[str] = []

    def add(self, source: Source, limits: Limits, form: str | None) -> None:
        """All lines of one source."""
        self._starts.append(len(self.left))
        self._paths.append(source if isinstance(source, str) else source[0])
        for left, right in pairs_of([source], limits, form, self.report):
            self.left.append(left)
            self.right.append(right)

    def note_long(self, bitext: Bitext, longest: int = LONGEST) -> None:
        """Report the pairs that have more tokens than words, and too many to be aligned."""
        tokens = np.maximum(*(np.diff(side.bounds) for side in bitext))
        for number in np.flatnonzero(tokens > longest).tolist():
            source = bisect_right(self._starts, number) - 1
            line = number - self._starts[source] + 1
            self.report.note("W601", self._paths[source], line)


def read_pairs(
    sources: Sequence[Source], *, form: str | None = None, longest: int = LONGEST
) -> Pairs:
    """All pairs of the files: `left TAB right`, `left ||| right`, or two files side by side.

    Nothing is dropped: a line that has not two columns, is not UTF-8, has a NUL or a side of
    more than `longest` words is kept as a pair of empty texts and reported by its code.
    """
    if form is not None and form not in FORMS:
        raise UsageError(f"unknown form of bitext '{form}'; {near(form, FORMS)}")
    limits = Limits(longest=longest, ratio=100_000, keep_duplicates=True, keep_identical=True)
    pairs = Pairs()
    for source in sources:
        pairs.add(source, limits, form)
    return pairs
