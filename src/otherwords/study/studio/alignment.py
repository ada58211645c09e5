"""Word alignments that annotators make: rows, each annotator's work on them, and the log of both.

Events of a log of the purpose `alignment`, in addition to the first:

    row   a sentence pair: `value` as its file has it, `links` that everybody starts from, and
          `others`, the links of two annotators, if it is to be adjudicated
    set   `cells` [[i, j, mark], ...] of a row get these marks: sure, possible or none
    undo, redo   a step of the row back, or forth again
    done  whether the annotator has finished the row

All but `row` have `annotator`, `row` (from 0) and `step`: how many events of this annotator the
row had before. A write with another step comes from a window that is behind, and is refused.
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
Links = dict[str, list[str]]  # sure and possible ones, as a gold file has them
Change = list[tuple[int, int, str, str]]  # i, j, the mark before and after


def marks_of(links: Mapping[str, Iterable[str]]) -> Marks:
    """The marks of links; one that is both sure and possible is sure.

    >>> marks_of({"sure": ["0-0"], "possible": ["0-0", "1-2"]})
    {(0, 0): 'sure', (1, 2): 'possible'}
    """
    found: Marks = {}
    for mark in ("possible", "sure"):
        for link in links.get(mark, []):
            i, _, j = link.partition("-")
            found[int(i), int(j)] = mark
    return dict(sorted(found.items()))


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
        """The row of an event; what is damaged is a ValueError, a KeyError or a TypeError."""
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
        """Whether it is the same sentence pair."""
        return self.sides == other.sides


class Work:
    """What one annotator has done to one row."""

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
            self._checked(event["kind"], event)
            if not isinstance(event["annotator"], str):
                raise TypeError("an annotator is a name")
            work = self.work(event["annotator"], event["row"])
            if event["step"] >= work.step:  # else it is one that was sent twice
                self._apply(event)

    def work(self, annotator: str, row: int) -> Work:
        """What the annotator has done to a row, counted from 0."""
        found = self._work.get((annotator, row))
        if found is None:
            found = self._work[annotator, row] = Work(self.rows[row].links)
        return found

    def done(self, annotator: str) -> list[int]:
        """The rows that the annotator has finished."""
        return [n for n in range(len(self.rows)) if self.work(annotator, n).done]

    def _apply(self, event: Event) -> None:
        self.work(event["annotator"], event["row"]).apply(event)
        if event["annotator"] not in self.annotators:
            self.annotators.append(event["annotator"])

    def add_rows(self, rows: Sequence[AlignmentRow], log: Log) -> None:
        """Add the rows that the log does not have; those that it has must be the same."""
        for number, (old, new) in enumerate(zip(self.rows, rows, strict=False), 1):
            if not old.is_same(new):
                message = f"this log is of other sentences: row {number} differs; take another log"
                raise InputError(message, path=self.path)
        if len(rows) < len(self.rows):
            message = f"this log has {len(self.rows)} rows, the input {len(rows)}"
            raise InputError(f"{message}; take another log", path=self.path)
        for event in log.extend(row.event for row in rows[len(self.rows) :]):
            self._replay(event)

    def write(self, log: Log, kind: str, annotator: str, given: Mapping[str, Any]) -> Work:
        """Log and do what an annotator asks for. The same event sent again is done once."""
        event = {"kind": kind, "annotator": annotator, **self._checked(kind, given)}
        work = self.work(annotator, event["row"])
        if event["step"] == work.step - 1 and _is_same(event, work.last):
            return work
        if event["step"] != work.step:
            raise ConflictError("this row was changed in another window")
        self._apply(log.append(event))
        return work

    def _checked(self, kind: str, given: Mapping[str, Any]) -> dict[str, Any]:
        row = whole("row", given.get("row"), len(self.rows))
        found: dict[str, Any] = {"row": row, "step": whole("step", given.get("step"), 1 << 31)}
        if kind == "set":
            found["cells"] = _cells(given.get("cells"), *map(len, self.rows[row].sides))
        if kind == "done":
            if not isinstance(given.get("done"), bool):
                raise InputError("done must be true or false")
            found["done"] = given["done"]
        return found


def _is_same(event: Event, last: Event | None) -> bool:
    return last is not None and event == {key: last[key] for key in last if key != "time"}


def _cells(value: Any, height: int, width: int) -> list[list[Any]]:
    if not isinstance(value, list) or not 0 < len(value) <= height * width:
        raise InputError(f"cells must be a list of [i, j, mark], not {value!r:.40}")
    found = []
    for cell in value:
        if not isinstance(cell, list) or len(cell) != 3 or cell[2] not in MARKS:
            raise InputError(f"a cell is [i, j, mark], mark sure, possible or none: {cell!r:.40}")
        found.append([whole("i", cell[0], height), whole("j", cell[1], width), cell[2]])
    return found
