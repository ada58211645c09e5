"""Where the rows to align come from: a gold file, a bitext, or the work of two annotators."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from otherwords.build.bitext.gold import Gold, Link, parse_gold
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import read_lines
from otherwords.study.studio.alignments import PURPOSE, AlignmentLog, AlignmentRow, Marks, links_of
from otherwords.study.studio.log import read_log

if TYPE_CHECKING:
    from otherwords.build.bitext.corpus import Bitext

__all__ = [
    "LONGEST",
    "LogAnnotator",
    "adjudicated",
    "align_rows",
    "bitext_rows",
    "done_by_both",
    "find_annotator",
    "find_two",
    "gold_rows",
    "link_rows",
    "named_log",
    "read_linked",
]

LONGEST = 300  # words of a side: a matrix of more cells than that is no page


def gold_rows(path: str, base: int = 0) -> tuple[list[AlignmentRow], bool]:
    """The rows of a JSONL file, and whether they have links; all of its keys are kept."""
    rows, linked = [], False
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        gold = parse_gold(line, path, number, base, aligned=False)
        value = _loggable(line, path, number)
        linked = linked or "sure" in value
        rows.append(_row(gold, value, path, number))
    if not rows:
        raise InputError("there are no rows here", path=path, code="E105")
    return rows, linked


def _loggable(line: str, path: str, number: int) -> dict[str, Any]:
    """The keys of a row; a number or text that JSON has no way to write is refused."""
    try:
        value: dict[str, Any] = json.loads(line)
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode("utf-8")
    except ValueError as error:
        message = f"the row cannot be written again: {error}"
        raise InputError(message, path=path, line=number) from error
    return value


def _row(gold: Gold, value: dict[str, Any], path: str, number: int) -> AlignmentRow:
    longest = max(len(gold.source), len(gold.target))
    if longest > LONGEST:
        message = f"a side has {longest} words; the page shows up to {LONGEST}"
        raise InputError(message, path=path, line=number)
    words = {"source": list(gold.source), "target": list(gold.target)}
    marks: Marks = dict.fromkeys(gold.possible, "possible") | dict.fromkeys(gold.sure, "sure")
    links = links_of(marks)
    return AlignmentRow({**value, **words, **links}, links)


def bitext_rows(bitext: Bitext, path: str) -> list[AlignmentRow]:
    """The sentence pairs of the bitext of that name, one per line."""
    return [
        _row(_unlinked(left, right), {}, path, number)
        for number, (left, right) in enumerate(_sentences(bitext), 1)
    ]


def _sentences(bitext: Bitext) -> Iterator[tuple[list[str], list[str]]]:
    for number in range(bitext.size):
        yield bitext.left.sentence(number), bitext.right.sentence(number)


def _unlinked(source: Sequence[str], target: Sequence[str]) -> Gold:
    return Gold(tuple(source), tuple(target), frozenset(), frozenset())


def link_rows(rows: Sequence[AlignmentRow], links: Iterable[Iterable[Link]]) -> list[AlignmentRow]:
    """The rows with these links to start from, all of them sure."""
    return [
        replace(row, links=links_of(dict.fromkeys(found, "sure")))
        for row, found in zip(rows, links, strict=True)
    ]


def read_linked(rows: Sequence[AlignmentRow], path: str, name: str) -> list[AlignmentRow]:
    """The rows of the file of that name with the Pharaoh links of another file."""
    from otherwords.study.parametric.result import read_alignments

    return link_rows(rows, read_alignments(path, [_unlinked(*row.sides) for row in rows], name))


def align_rows(
    rows: Sequence[AlignmentRow], tick: Callable[[], None] = lambda: None
) -> list[AlignmentRow]:
    """The rows with the links that our aligner makes, trained on them alone.

    If both sides are English it knows words that are alike, synonyms and paraphrases.
    """
    from otherwords.build.bitext.aligner import Aligner, Training, looks_monolingual
    from otherwords.build.bitext.alignment import GoldText

    pairs = [_unlinked(*row.sides) for row in rows]
    text = GoldText.of(pairs, ("none", "none"), case=False)
    training = Training(monolingual=looks_monolingual(text.bitext))
    links, _ = Aligner.train(text.bitext, training, tick=tick).align(text.bitext)
    return link_rows(rows, text.links(links))


@dataclass(frozen=True)
class LogAnnotator:
    """One annotator of a log."""

    name: str
    log: AlignmentLog

    def marks(self, row: int) -> Marks:
        """The marks of a row."""
        return self.log.work(self.name, row).marks


def find_annotator(path: str, name: str | None = None) -> LogAnnotator:
    """The annotator of that name in a log, or the only one that it has."""
    found = AlignmentLog(read_log(path, PURPOSE), path)
    if name is None:
        if len(found.annotators) != 1:
            raise UsageError(f"{path}: say whose work is meant; {_who(found)}")
        return LogAnnotator(found.annotators[0], found)
    if name not in found.annotators:
        hint = near(name, found.annotators) if found.annotators else "nobody has worked on it"
        raise UsageError(f"{path}: there is no annotator '{name}' in this log; {hint}")
    return LogAnnotator(name, found)


def _who(found: AlignmentLog) -> str:
    return f"in this log is the work of: {', '.join(found.annotators) or 'nobody'}"


def find_two(first: str, second: str) -> tuple[LogAnnotator, LogAnnotator]:
    """Two annotators, each given as [NAME=]LOG; one log that has two may be given twice."""
    (name, path), (other_name, other_path) = map(named_log, (first, second))
    if first == second and name is None:
        found = AlignmentLog(read_log(path, PURPOSE), path)
        if len(found.annotators) != 2:
            raise UsageError(f"{path}: two annotators are needed; {_who(found)}")
        one, other = (LogAnnotator(annotator, found) for annotator in found.annotators)
    else:
        one, other = find_annotator(path, name), find_annotator(other_path, other_name)
    if len(one.log.rows) != len(other.log.rows) or not all(
        a.is_same(b) for a, b in zip(one.log.rows, other.log.rows, strict=True)
    ):
        raise InputError(f"{path} and {other_path} are of different sentences")
    return one, other


def done_by_both(one: LogAnnotator, other: LogAnnotator) -> list[int]:
    """The rows that both have finished."""
    return sorted(set(one.log.done(one.name)) & set(other.log.done(other.name)))


def named_log(text: str) -> tuple[str | None, str]:
    """The annotator, if one is named, and the file of `[NAME=]FILE`."""
    name, equals, path = text.partition("=")
    return (name, path) if equals and "/" not in name else (None, text)


def adjudicated(one: LogAnnotator, other: LogAnnotator) -> list[AlignmentRow]:
    """Rows to settle: they start from what both say.

    A link that is sure to one and possible to the other is possible to both; one that only one
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
