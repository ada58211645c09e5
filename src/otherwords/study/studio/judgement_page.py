"""The pages that collect judgements, blind to the system, as PEM (§5.1) and PARADIGM (§6) did.

One page shows two sentences at a time, in the judge's own order. The other shows an input and all
systems' outputs in random order, with a positive and a negative control (PARADIGM §6). Both write
scores of pairs, so log, export and checks are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, groupby, pairwise
from pathlib import Path
from statistics import median
from typing import Any

from otherwords.corpus.formats import Chosen
from otherwords.corpus.inputs import read_rows
from otherwords.errors import InputError, UsageError
from otherwords.io.files import read_lines
from otherwords.study.studio.judgement import (
    CONTROLS,
    CRITERIA,
    DEFAULT_CRITERIA,
    JUDGEMENT,
    Against,
    Scores,
    Task,
    begin_task,
    check_criteria,
    sample_originals,
    sample_pairs,
    set_score,
)
from otherwords.study.studio.judges import warn_few_controls
from otherwords.study.studio.log import Event, Log, check_name
from otherwords.study.studio.page import ConflictError, Handler, Page, asked, whole

_PAUSE, _FEWEST = 300.0, 8  # seconds of a pause; times needed for an estimate


class Session:
    """One judge at work on a log."""

    def __init__(self, log: Log, judge: str, task: Task | None = None) -> None:
        self.judge = check_name(judge, "a judge")
        self.log = log
        self.task = begin_task(log, task)
        self.order = self.task.order(self.judge)
        self.scores: Scores = {}
        self._past: list[tuple[int, str, int | None]] = []  # scores to restore by undo
        self._steps = 0  # events of this judge
        self._times: list[datetime] = []  # when they were
        self._last: dict[str, Any] = {}  # the last request
        self._undone = ("", 0)  # criterion and place of the last score taken back
        for event in log.events:
            if event["kind"] == "score" and event["judge"] == self.judge:
                self._take(event)

    def _take(self, event: Event) -> None:
        pair, criterion = event["pair"], event["criterion"]
        scores = self.scores.setdefault(pair, {})
        self._steps += 1
        with suppress(KeyError, TypeError, ValueError):  # times only serve the estimate
            self._times.append(datetime.fromisoformat(event["time"]))
        if event.get("undo") and self._past:
            self._past.pop()
        else:
            self._past.append((pair, criterion, scores.get(criterion)))
        set_score(scores, criterion, event["score"])

    def _write(self, pair: int, criterion: str, score: int | None, **more: Any) -> None:
        event = {"kind": "score", "judge": self.judge, "pair": pair, "criterion": criterion}
        self._take(self.log.append({**event, "score": score, **more}))

    def is_done(self, place: int) -> bool:
        """Whether the pair at that place has a score for every criterion."""
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
            **self._progress(),
        }

    def _progress(self) -> dict[str, Any]:
        done = sum(self.is_done(place) for place in range(len(self.order)))
        undo = bool(self._past)
        state = {"done": done, "total": len(self.order), "undo": undo, "step": self._steps}
        return {**state, "left": self._seconds_left(len(self.order) - done)}

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
        scores = self.scores.get(self.order[place], {})
        return {
            "place": place,
            "original": pair.original,
            "text": pair.text,
            "scores": dict(scores),
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
            self._write(self.order[place], str(criterion), score)
            self._last = asked
        return self._at(place)

    def undo(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """Take the last score back, and return to its place."""
        asked = {"undo": True}
        if self._is_new(asked, body):
            if not self._past:
                raise InputError("there is nothing to undo")
            pair, criterion, before = self._past[-1]
            self._write(pair, criterion, before, undo=True)
            self._last, self._undone = asked, (criterion, self.order.index(pair))
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
    """A criterion with the meanings of its points; on a scale of other than five, of its ends."""
    criterion = CRITERIA[name]
    means: Sequence[str] = criterion.points
    if task.high - task.low != 4:
        means = [means[0], *[""] * (task.high - task.low - 1), means[-1]]
    return {"name": name, "question": criterion.question, "points": list(means)}


def judge_page(session: Session) -> Page:
    """The page at /judge."""
    return _page("judge", session, pair=session.pair)


def _page(name: str, session: Session, **reads: Handler) -> Page:
    writes = {"score": session.score, "undo": session.undo}
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
        return {**super()._progress(), "done": done, "total": len(self.inputs)}

    def _at(self, place: int) -> dict[str, Any]:
        number = next(n for n, places in enumerate(self.inputs) if place in places)
        return {**super()._at(place), "input": number}

    def input(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """An input with its texts, and the judge's scores of each."""
        number = asked(query, "input", len(self.inputs))
        pairs = [super(TogetherSession, self)._at(place) for place in self.inputs[number]]
        texts = [{name: pair[name] for name in ("place", "text", "scores")} for pair in pairs]
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

    def make_task(self) -> Task:
        """Read the rows, and sample what is judged."""
        rows = chain.from_iterable(read_rows(path, columns=self.columns) for path in self.rows)
        sampling: Any = {
            name: getattr(self, name) for name in ("systems", "sample", "seed", "against")
        }
        if self.together:
            pairs = sample_originals(rows, **sampling)
        else:
            pairs = sample_pairs(rows, **sampling, kinds=self.controls, share=self.share)
        words = "" if self.instructions is None else "\n".join(read_lines(self.instructions))
        criteria = check_criteria(self.criteria)
        return Task(tuple(pairs), criteria, *self.scale, self.seed, self.together, words)


@contextmanager
def open_judgement_page(
    log: str,
    judge: str,
    options: TaskOptions = TaskOptions(),
    *,
    warn: Callable[[str], None] = lambda message: None,
) -> Iterator[Page]:
    """Open the page on which a judge scores pairs; leaving it closes the log.

    Parameters
    ----------
    log, judge : str
        The file that every score is appended to, and who gives them.
    options : TaskOptions
        The task of a new log. A log that was begun needs no rows.
    warn : callable
        Called if there are too few controls to check a judge.
    """
    name = check_name(judge, "a judge")
    check_criteria(options.criteria)
    if not options.rows and not Path(log).exists():
        raise UsageError(f"{log} is a new log; give the rows to judge with --rows")
    task = options.make_task() if options.rows else None
    if task is not None and (warning := warn_few_controls(task.pairs, task.criteria, task.scale)):
        warn(warning)
    with Log(log, JUDGEMENT) as opened:
        if begin_task(opened, task).together:
            yield together_page(TogetherSession(opened, name))
        else:
            yield judge_page(Session(opened, name))
