"""The page that collects judgements, blind to the system, as PEM (§5.1) and PARADIGM (§6) did.

The log begins with all pairs and the task; each score that a judge gives, changes or takes back is
an event. The page gets nothing but two sentences and their place in the judge's own order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import pairwise
from statistics import median
from typing import Any

from otherwords.errors import InputError, UsageError
from otherwords.stats.resampling import Stream
from otherwords.study.agreement.human_scores import Scale
from otherwords.study.studio.criteria import CRITERIA, check_criteria
from otherwords.study.studio.log import Event, Log, check_name
from otherwords.study.studio.page import ConflictError, Page, asked, whole
from otherwords.study.studio.pairs import PairToJudge, digest

__all__ = [
    "PURPOSE",
    "Scores",
    "Session",
    "Task",
    "begin",
    "judge_page",
    "replay",
    "understood",
]

PURPOSE = "judgement"
_JUDGE_ORDER = 200  # stream of random numbers
_PAUSE, _FEWEST = 300.0, 8  # seconds that are a pause; times that an estimate needs

Scores = dict[int, dict[str, int]]  # pair -> criterion -> score


@dataclass(frozen=True)
class Task:
    """What is judged, by what criteria, on what scale; all texts of an original at once or not."""

    pairs: tuple[PairToJudge, ...]
    criteria: tuple[str, ...]
    low: int = 1
    high: int = 5
    seed: int = 0
    together: bool = False
    instructions: str = ""  # of the lead, instead of ours

    def __post_init__(self) -> None:
        check_criteria(self.criteria)
        if not 0 <= self.low < self.high <= 9:
            raise UsageError(
                f"a scale for judges runs over the keys 0 to 9, not {self.low}:{self.high}"
            )

    @property
    def scale(self) -> Scale:
        """The scale of the scores."""
        return Scale(self.low, self.high)

    @property
    def head(self) -> dict[str, Any]:
        """What must be the same whenever the log is opened."""
        return {
            "criteria": list(self.criteria),
            "scale": [self.low, self.high],
            "seed": self.seed,
            "pairs": len(self.pairs),
            "digest": digest(self.pairs),
            "together": self.together,
            "instructions": self.instructions,
        }

    def order(self, judge: str) -> list[int]:
        """The pairs in the judge's own random order; if together, an original's side by side."""
        key = int.from_bytes(hashlib.blake2b(judge.encode(), digest_size=8).digest(), "big")
        shuffled = Stream(self.seed, _JUDGE_ORDER, key).shuffled(range(len(self.pairs)))
        if not self.together:
            return shuffled
        originals = {self.pairs[n].original: place for place, n in enumerate(shuffled)}
        return sorted(shuffled, key=lambda n: originals[self.pairs[n].original])


def begin(log: Log, task: Task | None) -> Task:
    """The task of the log: the one it was begun with, which a task given now must equal."""
    before, _ = understood(log.events, log.path)
    if before is None:
        if task is None:
            message = "nothing was judged here yet; name the rows to judge with --rows"
            raise InputError(message, path=log.path)
        # The task ends the list, so that a list cut off by a kill is started again.
        pairs = [{"kind": "pair", **asdict(pair)} for pair in task.pairs]
        log.extend([*pairs, {"kind": "task", **task.head}])
        return task
    if task is not None and task.head != before.head:
        changed = [key for key, value in before.head.items() if task.head[key] != value]
        message = f"this log was begun with other {' and '.join(changed)}; take a new log"
        raise InputError(message, path=log.path)
    return before


def task_of(events: Iterable[Event]) -> Task | None:
    """The task that a log was begun with."""
    pairs: list[PairToJudge] = []
    for event in events:
        if event["kind"] == "pair":
            pairs.append(PairToJudge.from_json(event))
        if event["kind"] == "task":
            mine = pairs[-int(event["pairs"]) :]
            low, high = (whole("a scale", one, 10) for one in event["scale"])
            criteria, together = tuple(event["criteria"]), bool(event.get("together"))
            words = str(event.get("instructions", ""))
            seed = whole("a seed", event["seed"], 2**63 + 1)
            return Task(tuple(mine), criteria, low, high, seed, together, words)
    return None


def replay(events: Iterable[Event]) -> dict[str, Scores]:
    """What every judge has said in the end."""
    found: dict[str, Scores] = {}
    for event in events:
        if event["kind"] == "score":
            if not isinstance(event["judge"], str):
                raise TypeError("a judge is a name")
            scores = found.setdefault(event["judge"], {}).setdefault(event["pair"], {})
            _set(scores, event["criterion"], event["score"])
    return found


def understood(events: Sequence[Event], path: str) -> tuple[Task | None, dict[str, Scores]]:
    """The task of a log and what every judge has said, or an error if an event is damaged."""
    try:
        task, said = task_of(events), replay(events)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(f"a damaged event: {error!r:.80}", path=path) from error
    for scores in said.values():
        for pair, given in scores.items():
            if task is None or type(pair) is not int or pair not in range(len(task.pairs)):
                raise InputError(f"a judgement of a pair {pair!r:.20} that is not here", path=path)
            for name, score in given.items():
                whole_number = type(score) is int and task.low <= score <= task.high
                if name not in task.criteria or not whole_number:
                    message = f"a damaged judgement of pair {pair}: {name!r:.20} {score!r:.20}"
                    raise InputError(message, path=path)
    return task, said


def _set(scores: dict[str, int], criterion: str, score: int | None) -> None:
    if score is None:
        scores.pop(criterion, None)
    else:
        scores[criterion] = score


class Session:
    """One judge at work on a log."""

    def __init__(self, log: Log, judge: str, task: Task | None = None) -> None:
        self.judge = check_name(judge, "a judge")
        self.log = log
        self.task = begin(log, task)
        self.order = self.task.order(self.judge)
        self.scores: Scores = {}
        self._past: list[tuple[int, str, int | None]] = []  # what to restore when taken back
        self._steps = 0  # events of this judge
        self._times: list[datetime] = []  # when they were
        self._last: dict[str, Any] = {}  # what was asked for in the last of them
        self._undone = ("", 0)  # criterion and place of what was taken back last
        for event in log.events:
            if event["kind"] == "score" and event["judge"] == self.judge:
                self._take(event)

    def _take(self, event: Event) -> None:
        pair, criterion = event["pair"], event["criterion"]
        scores = self.scores.setdefault(pair, {})
        self._steps += 1
        with suppress(KeyError, TypeError, ValueError):  # an estimate is no reason to refuse a log
            self._times.append(datetime.fromisoformat(event["time"]))
        if event.get("undo") and self._past:
            self._past.pop()
        else:
            self._past.append((pair, criterion, scores.get(criterion)))
        _set(scores, criterion, event["score"])

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
        """The task as the page needs it, and where the judge is."""
        return {
            "judge": self.judge,
            "low": self.task.low,
            "high": self.task.high,
            "criteria": [_shown(name, self.task) for name in self.task.criteria],
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
        """How long the rest will take, by the median time of a score so far; pauses do not count.

        Nothing is said of a judge who has just begun.
        """
        gaps = [(b - a).total_seconds() for a, b in pairwise(self._times)]
        worked = [gap for gap in gaps if gap < _PAUSE]
        if len(worked) < _FEWEST:
            return None
        return round(median(worked) * pairs * len(self.task.criteria))

    def pair(self, query: Mapping[str, Any]) -> dict[str, Any]:
        """The two sentences at a place, and what the judge has said of them."""
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
        """Keep one score. `step` is the number of events that the page knows of."""
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
        """Take the last score back, and go where it was given."""
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
        """Whether this is still to be done, and not sent again because its answer was lost.

        A page that does not know of all events is refused: another window was faster.
        """
        step = body.get("step", self._steps)
        if step == self._steps - 1 and asked == self._last:
            return False
        if step != self._steps:
            raise ConflictError("another window saved a judgement first; the page now shows it")
        return True


def _shown(name: str, task: Task) -> dict[str, Any]:
    """A criterion with what the points mean; on another scale than of five, what its ends do."""
    criterion = CRITERIA[name]
    means: Sequence[str] = criterion.points
    if task.high - task.low != 4:
        means = [means[0], *[""] * (task.high - task.low - 1), means[-1]]
    return {"name": name, "question": criterion.question, "points": list(means)}


def judge_page(session: Session) -> Page:
    """The page at /judge."""
    return Page(
        "judge",
        "judge.html",
        reads={"state": session.state, "pair": session.pair},
        writes={"score": session.score, "undo": session.undo},
        log=session.log.path,
    )
