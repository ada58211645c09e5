"""`compare_annotators`: how far two annotators agree, by their logs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from otherwords.errors import UsageError
from otherwords.study.parametric.annotators import Aligned, Statistic, annotator_agreement
from otherwords.study.studio.alignment_rows import LogAnnotator, done_by_both, find_two
from otherwords.tables.formats import number_dict
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular

__all__ = ["AnnotatorAgreement", "compare_annotators"]

LINKS = {"sure": ("sure",), "sure and possible": ("sure", "possible")}
TITLES = {
    "c-words": "Kupper-Hafner's C, words",
    "c-links": "Kupper-Hafner's C, sentence pairs",
    "c-phrases": "Kupper-Hafner's C, basic phrase pairs",
    "kappa": "Cohen's kappa, word pairs",
    "precision": "precision of the second",
    "recall": "recall of the second",
    "f1": "F1",
}


@dataclass(frozen=True)
class AnnotatorAgreement(Tabular):
    """The agreement of two annotators on their common rows, by kind of link."""

    annotators: tuple[str, str]
    rows: int
    statistics: Mapping[str, Mapping[str, Statistic]]
    signature: str

    def tables(self) -> list[Table]:
        """One statistic per row, one column per kind of link."""
        rows: list[list[Cell]] = [
            [title, *(found[name].value for found in self.statistics.values())]
            for name, title in TITLES.items()
        ]
        columns = [Column(links, decimals=4) for links in self.statistics]
        caption = f"{self.annotators[0]} and {self.annotators[1]}: {self.rows} rows"
        return [Table("agreement", [Column("agreement", left=True), *columns], rows, caption)]

    def records(self) -> list[Table]:
        """One row per kind of link and statistic."""
        names = "first second links statistic score observed expected size reason".split()
        rows: list[list[Cell]] = [
            [
                *(*self.annotators, links, name, Number(one.value)),
                *(one.observed, one.expected, one.units, one.reason, self.signature),
            ]
            for links, name, one in self._each()
        ]
        columns = [*map(Column, names), Column("signature", hidden=True)]
        return [Table("agreement", columns, rows)]

    def notes(self) -> list[str]:
        """Why a statistic has no value; the signature."""
        reasons = {
            f"n/a ({links}, {name}): {one.reason}"
            for links, name, one in self._each()
            if one.reason is not None
        }
        return [*sorted(reasons), f"signature: {self.signature}"]

    def to_dict(self) -> dict[str, Any]:
        """Statistics by kind of link, with what was observed and what chance would give."""
        return {
            "signature": self.signature,
            "annotators": list(self.annotators),
            "rows": self.rows,
            "links": {
                links: {name: _document(one) for name, one in found.items()}
                for links, found in self.statistics.items()
            },
        }

    def _each(self) -> Iterator[tuple[str, str, Statistic]]:
        for links, found in self.statistics.items():
            for name, one in found.items():
                yield links, name, one


def _document(one: Statistic) -> dict[str, Any]:
    number = Number(one.value, size=one.units, reason=one.reason or "")
    return number_dict(number) | {"observed": one.observed, "expected": one.expected}


def compare_annotators(
    first: str, second: str | None = None, *, everything: bool = False
) -> AnnotatorAgreement:
    """Compare the alignments of two annotators, each given as [NAME=]LOG.

    One log may have both annotators. Rows that either has not finished are left out, unless
    `everything` is true.
    """
    from otherwords import __version__

    one, other = find_two(first, first if second is None else second)
    rows = list(range(len(one.log.rows))) if everything else done_by_both(one, other)
    if not rows:
        raise UsageError(
            f"no row is done by both {one.name} and {other.name}; --all compares all rows"
        )
    return AnnotatorAgreement(
        (one.name, other.name),
        len(rows),
        {
            links: annotator_agreement([_aligned(one, other, row, marks) for row in rows])
            for links, marks in LINKS.items()
        },
        f"annotators|rows:{'all' if everything else 'done'}|v:{__version__}",
    )


def _aligned(one: LogAnnotator, other: LogAnnotator, row: int, kept: tuple[str, ...]) -> Aligned:
    first, second = (
        frozenset(link for link, mark in who.marks(row).items() if mark in kept)
        for who in (one, other)
    )
    height, width = map(len, one.log.rows[row].sides)
    return Aligned(height, width, first, second)
