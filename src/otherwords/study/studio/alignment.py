"""Word alignments by annotators: the rows, each annotator's work on them, and the log of both.

Events in a log of the purpose `alignment`, after the first:

    row   a sentence pair: `value` as its file has it, `links` that all annotators start from, and
          `others`, the links of two annotators, if it is to be adjudicated
    set   gives the `cells` [[i, j, mark], ...] of a row their marks: sure, possible or none
    undo, redo   undo the last step of the row, or do it again
    done  whether the annotator has finished the row

All events but `row` have `annotator`, `row` (from 0) and `step`: the number of earlier events of
this annotator on the row. A write with another step comes from an outdated window and is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from otherwords.build.bitext.gold import Link
from otherwords.errors import InputError
from otherwords.study.studio.log import Event, Log
from otherwords.study.studio.page import ConflictError, whole

ALIGNMENT = "alignment"
MARKS = ("sure", "possible", "none")
WRITES = ("set", "undo", "redo", "done")
Marks = dict[Link, str]
Links = dict[str, list[str]]  # the keys sure and possible, as in a gold file
Change = list[tuple[int, int, str, str]]  # i, j, the mark before and after


def marks_of(links: Mapping[str, Iterable[str]]) -> Marks:
    """The marks of links; one that is both sure and possible is sure.

    >>> marks_of({"sure": ["0-0"], "possible": ["0-0", "1-2"]})
    {(0, 0): 'sure', (1, 2): 'possible'}
    """
    marks: Marks = {}
    for mark in ("possible", "sure"):
        for link in links.get(mark, []):
            i, _, j = link.partition("-")
            marks[int(i), int(j)] = mark
    return dict(sorted(marks.items()))


def links_of(marks: Marks) -> Links:
    """The links of marks, sorted.

    >>> links_of({(1, 2): "possible", (0, 0): "sure", (0, 1): "none"})
    {'sure': ['0-0'], 'possible': ['1-2']}
    """
    return {
        wanted: [f"{i}-{j}" for (i, j), mark in sorted(marks.items()) if mark == wanted]
        for wanted in ("sure", "possible")
    }


@dataclass(frozen=True)
class AlignmentRow:
    """A sentence pair, the links to start from and, for an adjudicator, those of two others."""

    value: dict[str, Any]
    links: Links
    others: dict[str, Links] = field(default_factory=dict)

    @classmethod
    def from_json(cls, event: Event) -> AlignmentRow:
        """The row of an event; raises ValueError, KeyError or TypeError if it is damaged."""
        row = cls(dict(event["value"]), event["links"], dict(event.get("others", {})))
        if not all(isinstance(word, str) for side in row.sides for word in side):
            raise TypeError("a word is not text")
        height, width = map(len, row.sides)
        for links in (row.links, *row.others.values()):
            for i, j in marks_of(dict(links)):
                whole("i", i, height)
                whole("j", j, width)
        return row

    @property
    def sides(self) -> tuple[list[str], list[str]]:
        return self.value["source"], self.value["target"]

    @property
    def event(self) -> Event:
        event = {"kind": "row", "value": self.value, "links": self.links}
        return event | ({"others": self.others} if self.others else {})

    def is_same(self, other: AlignmentRow) -> bool:
        return self.sides == other.sides


class Work:
    """The work of one annotator on one row."""

    def __init__(self, start: Mapping[str, Iterable[str]]) -> None:
        self.marks = marks_of(start)
        self.history: list[Change] = []
        self.position = 0  # in the history; later changes were undone
        self.done = False
        self.last: Event | None = None
        self.step = 0

    def apply(self, event: Event) -> None:
        kind = event["kind"]
        if kind == "set":
            self._set([(i, j, mark) for i, j, mark in event["cells"]])
        elif kind == "undo" and self.position > 0:
            self.position -= 1
            for i, j, before, _ in reversed(self.history[self.position]):
                self._mark((i, j), before)
        elif kind == "redo" and self.position < len(self.history):
            for i, j, _, after in self.history[self.position]:
                self._mark((i, j), after)
            self.position += 1
        elif kind == "done":
            self.done = event["done"]
        self.last = event
        self.step += 1

    def _set(self, cells: Sequence[tuple[int, int, str]]) -> None:
        change: Change = []
        for i, j, mark in cells:
            change.append((i, j, self.marks.get((i, j), "none"), mark))
            self._mark((i, j), mark)
        self.history[self.position :] = [change]
        self.position += 1

    def _mark(self, link: Link, mark: str) -> None:
        if mark == "none":
            self.marks.pop(link, None)
        else:
            self.marks[link] = mark


class AlignmentLog:
    """The rows of a log and the work of every annotator on them."""

    def __init__(self, events: Sequence[Event], path: str) -> None:
        self.path = path
        self.rows: list[AlignmentRow] = []
        self._work: dict[tuple[str, int], Work] = {}
        self.annotators: list[str] = []  # in the order in which they began
        for number, event in enumerate(events, 1):
            try:
                self._replay(event)
            except (KeyError, TypeError, ValueError, AttributeError, InputError) as error:
                message = f"event {number} is not an event of an alignment: {error!r:.80}"
                raise InputError(message, path=path) from error

    def _replay(self, event: Event) -> None:
        if event["kind"] == "row":
            self.rows.append(AlignmentRow.from_json(event))
        elif event["kind"] in WRITES:
            self._check(event["kind"], event)
            if not isinstance(event["annotator"], str):
                raise TypeError("an annotator is a name")
            work = self.work(event["annotator"], event["row"])
            if event["step"] >= work.step:  # else it was sent twice
                self._apply(event)

    def work(self, annotator: str, row: int) -> Work:
        if (annotator, row) not in self._work:
            self._work[annotator, row] = Work(self.rows[row].links)
        return self._work[annotator, row]

    def done(self, annotator: str) -> list[int]:
        return [n for n in range(len(self.rows)) if self.work(annotator, n).done]

    def _apply(self, event: Event) -> None:
        self.work(event["annotator"], event["row"]).apply(event)
        if event["annotator"] not in self.annotators:
            self.annotators.append(event["annotator"])

    def add_rows(self, rows: Sequence[AlignmentRow], log: Log) -> None:
        """Add the rows that the log lacks; the rows that it has must be the same."""
        for number, (old, new) in enumerate(zip(self.rows, rows, strict=False), 1):
            if not old.is_same(new):
                message = f"this log is of other sentences: row {number} differs; take another log"
                raise InputError(message, path=self.path)
        if len(rows) < len(self.rows):
            message = f"this log has {len(self.rows)} rows, the input {len(rows)}"
            raise InputError(f"{message}; take another log", path=self.path)
        for event in log.extend(row.event for row in rows[len(self.rows) :]):
            self._replay(event)

    def write(self, log: Log, kind: str, annotator: str, body: Mapping[str, Any]) -> Work:
        """Log and apply an annotator's event. An event that is sent twice is applied once."""
        event = {"kind": kind, "annotator": annotator, **self._check(kind, body)}
        work = self.work(annotator, event["row"])
        if event["step"] == work.step - 1 and _is_same(event, work.last):
            return work
        if event["step"] != work.step:
            raise ConflictError("this row was changed in another window")
        self._apply(log.append(event))
        return work

    def _check(self, kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
        row = whole("row", body.get("row"), len(self.rows))
        checked: dict[str, Any] = {"row": row, "step": whole("step", body.get("step"), 1 << 31)}
        if kind == "set":
            checked["cells"] = _cells(body.get("cells"), *map(len, self.rows[row].sides))
        if kind == "done":
            if not isinstance(body.get("done"), bool):
                raise InputError("done must be true or false")
            checked["done"] = body["done"]
        return checked


def _is_same(event: Event, last: Event | None) -> bool:
    return last is not None and event == {key: last[key] for key in last if key != "time"}


def _cells(value: Any, height: int, width: int) -> list[list[Any]]:
    if not isinstance(value, list) or not 0 < len(value) <= height * width:
        raise InputError(f"cells must be a list of [i, j, mark], not {value!r:.40}")
    cells = []
    for cell in value:
        if not isinstance(cell, list) or len(cell) != 3 or cell[2] not in MARKS:
            raise InputError(f"a cell is [i, j, mark], mark sure, possible or none: {cell!r:.40}")
        cells.append([whole("i", cell[0], height), whole("j", cell[1], width), cell[2]])
    return cells
