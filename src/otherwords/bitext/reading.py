"""Sentence pairs from files, every line of them, so that what comes out stays in step."""

from __future__ import annotations

from collections.abc import Sequence

from otherwords.bitext.clean import FORMS, Limits, Report, Source, pairs_of
from otherwords.errors import UsageError, near

__all__ = ["Pairs", "read_pairs"]


class Pairs:
    """The texts of both sides, and which lines are off. A line that is off is two empty texts."""

    def __init__(self) -> None:
        self.left: list[str] = []
        self.right: list[str] = []
        self.report = Report()


def read_pairs(sources: Sequence[Source], *, form: str | None = None, longest: int = 1000) -> Pairs:
    """All pairs of the files: `left TAB right`, `left ||| right`, or two files side by side.

    Nothing is dropped: a line that has not two columns, is not UTF-8, has a NUL or a side of
    more than `longest` words is kept as a pair of empty texts and reported by its code.
    """
    if form is not None and form not in FORMS:
        raise UsageError(f"unknown form of bitext '{form}'; {near(form, FORMS)}")
    limits = Limits(longest=longest, ratio=100_000, keep_duplicates=True, keep_identical=True)
    pairs = Pairs()
    for left, right in pairs_of(sources, limits, form, pairs.report):
        pairs.left.append(left)
        pairs.right.append(right)
    return pairs
