"""Two annotators of the same rows: their agreement, and the rows to adjudicate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from otherwords.errors import InputError, UsageError, near
from otherwords.study.studio.alignment import ALIGNMENT, AlignmentLog, AlignmentRow, Marks, links_of
from otherwords.study.studio.judgement import JUDGEMENT
from otherwords.study.studio.log import purpose_of, read_log
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular

if TYPE_CHECKING:
    from otherwords.build.bitext.gold import Link
    from otherwords.study.parametric.annotators import Statistic


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
        rows: list[list[Cell]] = [
            [title, *(by_name[name].value for by_name in self.statistics.values())]
            for name, title in TITLES.items()
        ]
        columns = [Column(links, decimals=4) for links in self.statistics]
        caption = f"{self.annotators[0]} and {self.annotators[1]}: {self.rows} rows"
        return [Table("agreement", [Column("agreement", left=True), *columns], rows, caption)]

    def records(self) -> list[Table]:
        names = "first second links statistic score observed expected size reason".split()
        rows: list[list[Cell]] = [
            [
                *(*self.annotators, links, name, Number(statistic.value)),
                *(statistic.observed, statistic.expected, statistic.units, statistic.reason),
                self.signature,
            ]
            for links, name, statistic in self._each()
        ]
        columns = [*map(Column, names), Column("signature", hidden=True)]
        return [Table("agreement", columns, rows)]

    def notes(self) -> list[str]:
        reasons = {
            f"n/a ({links}, {name}): {statistic.reason}"
            for links, name, statistic in self._each()
            if statistic.reason is not None
        }
        return [*sorted(reasons), f"signature: {self.signature}"]

    def _each(self) -> Iterator[tuple[str, str, Statistic]]:
        for links, by_name in self.statistics.items():
            for name, statistic in by_name.items():
                yield links, name, statistic


def compare_annotators(
    first: str, second: str | None = None, *, everything: bool = False
) -> AnnotatorAgreement:
    """Compare the alignments of two annotators, each given as [NAME=]LOG.

    One log may have both annotators. Rows that either has not finished are left out, unless
    `everything` is true.
    """
    from otherwords import __version__
    from otherwords.study.parametric.annotators import Aligned, annotator_agreement

    if purpose_of(read_log(split_log(first)[1])) == JUDGEMENT:
        raise UsageError(
            f"{first} has judgements: `otherwords studio judges` checks the judges, and "
            "`otherwords meta` on the rows of `studio export` has their agreement"
        )
    left, right = find_two(first, first if second is None else second)
    rows = list(range(len(left.log.rows))) if everything else rows_done(left, right)
    if not rows:
        raise UsageError(
            f"no row is done by both {left.name} and {right.name}; `all` compares all rows"
        )
    statistics = {}
    for links, marks in LINKS.items():
        sentences = []
        for row in rows:
            height, width = map(len, left.log.rows[row].sides)
            sentences.append(
                Aligned(height, width, left.links(row, marks), right.links(row, marks))
            )
        statistics[links] = annotator_agreement(sentences)
    signature = f"annotators|rows:{'all' if everything else 'done'}|v:{__version__}"
    return AnnotatorAgreement((left.name, right.name), len(rows), statistics, signature)


@dataclass(frozen=True)
class LogAnnotator:
    """One annotator of a log."""

    name: str
    log: AlignmentLog

    def marks(self, row: int) -> Marks:
        return self.log.work(self.name, row).marks

    def links(self, row: int, marks: tuple[str, ...]) -> frozenset[Link]:
        return frozenset(link for link, mark in self.marks(row).items() if mark in marks)


def find_annotator(path: str, name: str | None = None) -> LogAnnotator:
    """Find the annotator of that name in a log, or its only annotator."""
    log = AlignmentLog(read_log(path, ALIGNMENT), path)
    if name is None:
        if len(log.annotators) != 1:
            raise UsageError(f"{path}: say whose work is meant; {_who(log)}")
        return LogAnnotator(log.annotators[0], log)
    if name not in log.annotators:
        hint = near(name, log.annotators) if log.annotators else "nobody has worked on it"
        raise UsageError(f"{path}: there is no annotator '{name}' in this log; {hint}")
    return LogAnnotator(name, log)


def _who(log: AlignmentLog) -> str:
    return f"in this log is the work of: {', '.join(log.annotators) or 'nobody'}"


def find_two(first: str, second: str) -> tuple[LogAnnotator, LogAnnotator]:
    """Find two annotators, each given as [NAME=]LOG; a log of two may be given twice."""
    (name, path), (other_name, other_path) = map(split_log, (first, second))
    if first == second and name is None:
        log = AlignmentLog(read_log(path, ALIGNMENT), path)
        if len(log.annotators) != 2:
            raise UsageError(f"{path}: two annotators are needed; {_who(log)}")
        left, right = (LogAnnotator(annotator, log) for annotator in log.annotators)
    else:
        left, right = find_annotator(path, name), find_annotator(other_path, other_name)
    if len(left.log.rows) != len(right.log.rows) or not all(
        a.is_same(b) for a, b in zip(left.log.rows, right.log.rows, strict=True)
    ):
        raise InputError(f"{path} and {other_path} are of different sentences")
    return left, right


def rows_done(one: LogAnnotator, other: LogAnnotator) -> list[int]:
    """The rows that both have finished."""
    return sorted(set(one.log.done(one.name)) & set(other.log.done(other.name)))


def split_log(text: str) -> tuple[str | None, str]:
    """Split `[NAME=]FILE` into the annotator, if one is named, and the file."""
    name, equals, path = text.partition("=")
    return (name, path) if equals and "/" not in name else (None, text)


def rows_to_adjudicate(one: LogAnnotator, other: LogAnnotator) -> list[AlignmentRow]:
    """Rows to adjudicate, which start from the links that both annotators have.

    A link that is sure for one and possible for the other starts as possible. A link that only one
    of them has is left out until the adjudicator decides.
    """
    names = [one.name, other.name]
    if names[0] == names[1]:
        names = [
            f"{name} ({place})" for name, place in zip(names, ("first", "second"), strict=True)
        ]
    rows = []
    for number, row in enumerate(one.log.rows):
        marks, more = one.marks(number), other.marks(number)
        both = {
            link: mark if mark == more[link] else "possible"
            for link, mark in marks.items()
            if link in more
        }
        others = dict(zip(names, map(links_of, (marks, more)), strict=True))
        rows.append(AlignmentRow(row.value, links_of(both), others))
    return rows
