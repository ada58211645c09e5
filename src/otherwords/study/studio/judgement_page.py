"""The pages that collect judgements, blind to the system, as PEM (§5.1) and PARADIGM (§6) did.

One page shows two sentences at a time, in the judge's own order. The other shows an input and all
systems' outputs in random order, with a positive and a negative control (PARADIGM §6). Both write
scores of pairs, so log, export and checks are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import chain, groupby, pairwise
from pathlib import Path
from statistics import median
from typing import Any

from otherwords.corpus.formats import Chosen
from otherwords.corpus.inputs import read_records_or_rows
from otherwords.corpus.jsonl import row_of
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.io.files import read_lines
from otherwords.study.studio.judgement import (
    CONTROLS,
    CRITERIA,
    DEFAULT_CRITERIA,
    JUDGEMENT,
    Against,
    Notes,
    Scores,
    Task,
    begin_task,
    check_criteria,
    check_note,
    sample_originals,
    sample_pairs,
    set_answer,
)
from otherwords.study.studio.judges import warn_few_controls
from otherwords.study.studio.log import Event, Log, check_name
from otherwords.study.studio.page import ConflictError, Handler, Page, asked, whole

# The keys that a judged row has from its pair; all others are those of the input row.
_JUDGED = {"item", "doc", "system", "systems", "source", "hypothesis", "human", "judges"}
_JUDGED |= {"reference", "references", "errors", "comments"}
_PAUSE, _FEWEST = 300.0, 8  # seconds of a pause; times needed for an estimate
# The events of a judge, with the keys of what is answered and of the answer.
_ANSWERS = {"score": ("criterion", "score"), "note": ("note", "value")}


class Session:
    """One judge at work on a log."""

    def __init__(self, log: Log, judge: str, task: Task | None = None) -> None:
        self.judge = check_name(judge, "a judge")
        self.log = log
        self.task = begin_task(log, task)
        self.order = self.task.order(self.judge)
        self.scores: Scores = {}
        self.notes: Notes = {}
        self._past: list[tuple[str, int, str, Any]] = []  # what undo restores
        self._steps = 0  # events of this judge
        self._times: list[datetime] = []  # when they were
        self._last: dict[str, Any] = {}  # the last request
        self._undone = ("", 0)  # name and place of the last answer taken back
        for event in log.events:
            if event["kind"] in _ANSWERS and event["judge"] == self.judge:
                self._take(event)

    def _take(self, event: Event) -> None:
        kind, pair = event["kind"], event["pair"]
        name, value = (event[key] for key in _ANSWERS[kind])
        by_pair: dict[int, Any] = self.scores if kind == "score" else self.notes
        answers = by_pair.setdefault(pair, {})
        self._steps += 1
        with suppress(KeyError, TypeError, ValueError):  # times only serve the estimate
            self._times.append(datetime.fromisoformat(event["time"]))
        if event.get("undo") and self._past:
            self._past.pop()
        else:
            self._past.append((kind, pair, name, answers.get(name)))
        set_answer(answers, name, value)

    def _write(self, kind: str, pair: int, name: str, value: Any, **more: Any) -> None:
        answer = dict(zip(_ANSWERS[kind], (name, value), strict=True))
        event = {"kind": kind, "judge": self.judge, "pair": pair, **answer, **more}
        self._take(self.log.append(event))

    def is_done(self, place: int) -> bool:
        """Whether the pair at that place has a score for every criterion, or is skipped."""
        return self._is_scored(place) or self.is_skipped(place)

    def is_skipped(self, place: int) -> bool:
        """Whether the pair at that place is skipped and not scored."""
        skipped = self.notes.get(self.order[place], {}).get("skip", False)
        return skipped and not self._is_scored(place)

    def _is_scored(self, place: int) -> bool:
        return len(self.scores.get(self.order[place], {})) == len(self.task.criteria)

    @property
    def next_place(self) -> int:
        """The first pair that is not done, or the last one."""
        places = range(len(self.order))
        return next((n for n in places if not self.is_done(n)), len(self.order) - 1)

    def state(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """The task as the page needs it, and the judge's progress."""
        return {
            "judge": self.judge,
            "low": self.task.low,
            "high": self.task.high,
            "criteria": [_show_criterion(name, self.task) for name in self.task.criteria],
            "place": self.next_place,
            "instructions": self.task.instructions,
            "spans": self.task.spans,
            **self._progress(),
        }

    def _progress(self) -> dict[str, Any]:
        places = range(len(self.order))
        done = sum(map(self.is_done, places))
        return {
            "done": done,
            "skipped": sum(map(self.is_skipped, places)),
            "total": len(self.order),
            "undo": bool(self._past),
            "step": self._steps,
            "left": self._seconds_left(len(self.order) - done),
        }

    def _seconds_left(self, pairs: int) -> float | None:
        """Estimate the time left from the median time per score so far, without pauses.

        None for a judge who has just begun.
        """
        gaps = [(b - a).total_seconds() for a, b in pairwise(self._times)]
        worked = [gap for gap in gaps if gap < _PAUSE]
        if len(worked) < _FEWEST:
            return None
        return round(median(worked) * pairs * len(self.task.criteria))

    def pair(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """The two sentences at a place, and the judge's scores of them."""
        return self._at(asked(query, "place", len(self.order)))

    def _at(self, place: int) -> dict[str, Any]:
        pair = self.task.pairs[self.order[place]]
        return {
            "place": place,
            "original": pair.original,
            "text": pair.text,
            "scores": dict(self.scores.get(self.order[place], {})),
            "notes": dict(self.notes.get(self.order[place], {})),
            **self._progress(),
        }

    def score(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Log one score. `step` is the number of events that the page knows of."""
        place = whole("place", body.get("place"), len(self.order))
        criterion, score = body.get("criterion"), body.get("score")
        if criterion not in self.task.criteria:
            raise InputError("this criterion is not judged here")
        points = range(self.task.low, self.task.high + 1)
        if not isinstance(score, int) or isinstance(score, bool) or score not in points:
            raise InputError(f"a score is a whole number from {self.task.low} to {self.task.high}")
        asked = {"place": place, "criterion": criterion, "score": score}
        if self._is_new(asked, body):
            self._write("score", self.order[place], str(criterion), score)
            self._last = asked
        return self._at(place)

    def note(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Log a note: that a pair is skipped, a comment, or the error spans of the text."""
        place = whole("place", body.get("place"), len(self.order))
        name = body.get("note")
        if name == "spans" and not self.task.spans:
            raise InputError("error spans are not asked for here")
        pair = self.order[place]
        value = check_note(name, body.get("value"), self.task.pairs[pair].text)
        asked = {"place": place, "note": name, "value": value}
        if self._is_new(asked, body):
            self._write("note", pair, str(name), value)
            self._last = asked
        return self._at(place)

    def undo(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Take the last score or note back, and return to its place."""
        asked = {"undo": True}
        if self._is_new(asked, body):
            if not self._past:
                raise InputError("there is nothing to undo")
            kind, pair, name, before = self._past[-1]
            self._write(kind, pair, name, before, undo=True)
            self._last, self._undone = asked, (name, self.order.index(pair))
        criterion, place = self._undone
        return {"criterion": criterion, **self._at(place)}

    def _is_new(self, asked: dict[str, Any], body: Mapping[str, Any]) -> bool:
        """Whether a request is new, rather than sent again because its answer was lost.

        A page that does not know of all events is refused: another window was faster.
        """
        step = body.get("step", self._steps)
        if step == self._steps - 1 and asked == self._last:
            return False
        if step != self._steps:
            raise ConflictError("another window saved a judgement first; the page now shows it")
        return True


def _show_criterion(name: str, task: Task) -> dict[str, Any]:
    """A criterion with the meanings of its points: of five, or of the ends if five do not fit."""
    criterion = CRITERIA[name]
    width = task.high - task.low
    step, rest = divmod(width, 4)
    points = [""] * (width + 1)
    points[0], points[-1] = criterion.points[0], criterion.points[-1]
    if not rest:
        points[::step] = criterion.points
    return {"name": name, "question": criterion.question, "points": points}


def judge_page(session: Session) -> Page:
    """The page at /judge."""
    return _page("judge", session, pair=session.pair)


def _page(name: str, session: Session, **reads: Handler) -> Page:
    writes = {"score": session.score, "note": session.note, "undo": session.undo}
    return Page(name, f"{name}.html", {"state": session.state, **reads}, writes, session.log.path)


class TogetherSession(Session):
    """One judge at work on inputs, each with all of its pairs."""

    def __init__(self, log: Log, judge: str, task: Task | None = None) -> None:
        super().__init__(log, judge, task)
        places = groupby(range(len(self.order)), key=self._original)
        self.inputs = [list(group) for _, group in places]

    def _original(self, place: int) -> str:
        return self.task.pairs[self.order[place]].original

    def _is_judged(self, number: int) -> bool:
        return all(self.is_done(place) for place in self.inputs[number])

    @property
    def next_place(self) -> int:
        """The first input that is not done, or the last one."""
        numbers = range(len(self.inputs))
        return next((n for n in numbers if not self._is_judged(n)), len(self.inputs) - 1)

    def _progress(self) -> dict[str, Any]:
        done = sum(map(self._is_judged, range(len(self.inputs))))
        skipped = sum(any(map(self.is_skipped, places)) for places in self.inputs)
        counts = {"done": done, "skipped": skipped, "total": len(self.inputs)}
        return {**super()._progress(), **counts}

    def _at(self, place: int) -> dict[str, Any]:
        number = next(n for n, places in enumerate(self.inputs) if place in places)
        return {**super()._at(place), "input": number}

    def input(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """An input with its texts, and the judge's scores of each."""
        number = asked(query, "input", len(self.inputs))
        pairs = [super(TogetherSession, self)._at(place) for place in self.inputs[number]]
        shown = ("place", "text", "scores", "notes")
        texts = [{name: pair[name] for name in shown} for pair in pairs]
        original = pairs[0]["original"]
        return {"input": number, "original": original, "texts": texts, **self._progress()}


def together_page(session: TogetherSession) -> Page:
    """The page at /together."""
    return _page("together", session, input=session.input)


@dataclass(frozen=True)
class TaskOptions:
    """The task of a new log.

    Parameters
    ----------
    rows : sequence of str
        Files of rows whose texts are judged; none to go on with the task of a log.
    columns : mapping, optional
        Columns of fields, as for `read_rows`.
    systems : sequence of str
        The systems whose texts are judged; all by default.
    criteria : sequence of str
        What is asked about each text.
    controls : sequence of str
        Kinds of controls to mix in. With `together` every original has a positive and a negative
        control instead.
    share : float
        The share of controls among all pairs; not used with `together`.
    sample : int, optional
        The number of random pairs to judge, or of originals with `together`.
    seed : int
        The seed of sample, controls and order.
    scale : tuple of int
        The lowest and the highest score.
    against : {"source", "references"}
        What a text is compared with.
    together : bool
        Show all texts of an original at once.
    instructions : str, optional
        A file of text that judges read instead of ours.
    spans : bool
        Ask for the errors of each text, with their severity.
    """

    rows: Sequence[str] = ()
    columns: Chosen | None = None
    systems: Sequence[str] = ()
    criteria: Sequence[str] = DEFAULT_CRITERIA
    controls: Sequence[str] = CONTROLS
    share: float = 0.1
    sample: int | None = None
    seed: int = 0
    scale: tuple[int, int] = (1, 5)
    against: Against = "source"
    together: bool = False
    instructions: str | None = None
    spans: bool = False

    def make_task(self) -> Task:
        """Read the rows, and sample what is judged."""
        rows = chain.from_iterable(_read_whole(path, self.columns) for path in self.rows)
        sampling: Any = {
            name: getattr(self, name) for name in ("systems", "sample", "seed", "against")
        }
        if self.together:
            pairs = sample_originals(rows, **sampling)
        else:
            pairs = sample_pairs(rows, **sampling, kinds=self.controls, share=self.share)
        words = "" if self.instructions is None else "\n".join(read_lines(self.instructions))
        criteria = check_criteria(self.criteria)
        low, high = self.scale
        return Task(tuple(pairs), criteria, low, high, self.seed, self.together, words, self.spans)


def _read_whole(path: str, columns: Chosen | None) -> Iterator[Row]:
    """The rows of a file with the keys that are no fields of a judged row."""
    for number, record in read_records_or_rows(path, columns):
        if isinstance(record, Row):
            yield record
        else:
            others = {key: value for key, value in record.items() if key not in _JUDGED}
            yield replace(row_of(record, path, number), others=others)


@contextmanager
def open_judgement_pages(
    log: str,
    judges: Sequence[str],
    options: TaskOptions = TaskOptions(),
    *,
    warn: Callable[[str], None] = lambda message: None,
) -> Iterator[list[Page]]:
    """Open one page for each of several judges, who work on one log at the same time.

    Parameters
    ----------
    log : str
        The file that every score is appended to.
    judges : sequence of str
        Who gives the scores.
    options : TaskOptions
        The task of a new log. A log that was begun needs no rows.
    warn : callable
        Called if there are too few controls to check a judge.
    """
    names = list(dict.fromkeys(check_name(judge, "a judge") for judge in judges))
    check_criteria(options.criteria)
    if not options.rows and not Path(log).exists():
        raise UsageError(f"{log} is a new log; give the rows to judge with --rows")
    task = options.make_task() if options.rows else None
    if task is not None and (warning := warn_few_controls(task.pairs, task.criteria, task.scale)):
        warn(warning)
    with Log(log, JUDGEMENT) as opened:
        if begin_task(opened, task).together:
            yield [together_page(TogetherSession(opened, name)) for name in names]
        else:
            yield [judge_page(Session(opened, name)) for name in names]
