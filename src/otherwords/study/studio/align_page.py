"""The page on which an annotator corrects alignments, and an adjudicator settles two."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otherwords.study.studio.alignments import WRITES, AlignmentLog, Marks, marks_of
from otherwords.study.studio.log import Log
from otherwords.study.studio.page import Page, asked

__all__ = ["align_page"]

_SHOWN = ("id", "domain", "group")  # keys of a row that the annotator sees


def align_page(log: Log, annotator: str, found: AlignmentLog | None = None) -> Page:
    """The page of one annotator on the rows of a log."""
    work = found or AlignmentLog(log.events, log.path)
    desk = _Desk(log, work, annotator)
    writes = {kind: desk.writer(kind) for kind in WRITES}
    return Page("align", "align.html", {"state": desk.state, "row": desk.row}, writes, log.path)


class _Desk:
    """What the page reads and writes."""

    def __init__(self, log: Log, found: AlignmentLog, annotator: str) -> None:
        self._log = log
        self._found = found
        self._annotator = annotator

    def state(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """Whose page it is, the names of two to settle, and which rows are done."""
        rows = range(len(self._found.rows))
        return {
            "annotator": self._annotator,
            "names": list(self._found.rows[0].others) if self._found.rows else [],
            "done": [self._found.work(self._annotator, n).done for n in rows],
        }

    def row(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """One row, with what was done to it."""
        number = asked(query, "row", len(self._found.rows))
        row, work = self._found.rows[number], self._found.work(self._annotator, number)
        source, target = row.sides
        return {
            "row": number,
            "about": {key: str(row.value[key]) for key in _SHOWN if row.value.get(key) is not None},
            "source": source,
            "target": target,
            "marks": _listed(work.marks),
            "history": work.history,
            "position": work.position,
            "step": work.step,
            "done": work.done,
            "others": [_listed(marks_of(links)) for links in row.others.values()],
        }

    def writer(self, kind: str) -> Any:
        """The handler of a kind of event."""

        def write(given: Mapping[str, Any]) -> dict[str, Any]:
            work = self._found.write(self._log, kind, self._annotator, given)
            return {"step": work.step}

        return write


def _listed(marks: Marks) -> list[list[Any]]:
    return [[i, j, mark] for (i, j), mark in sorted(marks.items())]
