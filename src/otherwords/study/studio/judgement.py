"""The questions to judges (PEM §5.1, PARADIGM §6), and the log of their answers.

Every text is shown once, even if several systems produced it, and controls are mixed in. The log
begins with all pairs and the task. Each score that a judge gives, changes or takes back is an
event, and so is each note: a comment, a pair that is skipped, the error spans of a text.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain
from typing import Any, Literal

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, OtherwordsError, UsageError, near
from otherwords.io.arguments import check_number, check_whole
from otherwords.metrics.base import text_of
from otherwords.stats.resampling import Stream
from otherwords.study.agreement.human_scores import CONTROL, Scale, is_control, systems_of
from otherwords.study.studio.log import Event, Log
from otherwords.study.studio.page import whole
from otherwords.study.training.controls import CONTROL_KINDS, controls_of

CONTROLS = ("copy", "random", "reference", "deleted")
REFERENCE = "reference"  # written by a person: PARADIGM's positive control (§6)
TOGETHER = (REFERENCE, "deleted")
_SAMPLE, _KIND_ORDER = 100, 101  # streams of random numbers, after those of the controls
Against = Literal["source", "references"]
JUDGEMENT = "judgement"
_JUDGE_ORDER = 200  # stream of random numbers
Scores = dict[int, dict[str, int]]  # pair -> criterion -> score
Notes = dict[int, dict[str, Any]]  # pair -> skip, comment or spans -> what the judge noted
HIGHEST = 100  # end of the longest scale
LONGEST_COMMENT = 2000  # characters
SEVERITIES = ("minor", "major", "critical")


@dataclass(frozen=True)
class Criterion:
    """A question, and the meanings of five points from the lowest to the highest."""

    question: str
    points: tuple[str, str, str, str, str]


_MEANING = (
    "another meaning, or none",
    "little of the meaning",
    "about half of the meaning",
    "nearly all of the meaning",
    "all of the meaning, nothing added",
)
_LANGUAGE = (
    "not a sentence",
    "hard to read, many mistakes",
    "readable, with mistakes",
    "good, with a small flaw",
    "as a careful writer would say it",
)
CRITERIA = {
    "adequacy": Criterion("Does the second sentence mean what the first one means?", _MEANING),
    "fluency": Criterion(
        "Is the second sentence good English? Do not look at the first.", _LANGUAGE
    ),
    "dissimilarity": Criterion(
        "How different are the words and their order? The meaning does not matter here.",
        (
            "the same words in the same order",
            "a word or two changed",
            "about half is different",
            "mostly different",
            "hardly a word in common",
        ),
    ),
    "overall": Criterion(
        "How good a paraphrase is it? A good one says the same, in good English, in words "
        "that are as different as can be. A copy is not a good paraphrase.",
        ("useless", "poor", "middling", "good", "could not be better"),
    ),
    "meaning": Criterion("How much of the meaning is kept?", _MEANING),
    "grammaticality": Criterion("Is the second sentence grammatical?", _LANGUAGE),
}
DEFAULT_CRITERIA = ("adequacy", "fluency", "dissimilarity", "overall")


def check_criteria(names: Iterable[str]) -> tuple[str, ...]:
    """The criteria, each once.

    >>> check_criteria(["meaning", "grammaticality"])
    ('meaning', 'grammaticality')
    """
    wanted = tuple(dict.fromkeys(names))
    for name in wanted:
        if name not in CRITERIA:
            raise UsageError(f"unknown criterion '{name}'; {near(name, CRITERIA)}")
    if not wanted:
        raise UsageError("no criterion is named; for example `criteria` adequacy,fluency")
    return wanted


@dataclass(frozen=True)
class Origin:
    """The origin of a text, for its row in the judged JSONL."""

    systems: tuple[str, ...]
    item: str | None = None
    doc: str | None = None
    source: str | None = None
    references: tuple[str, ...] = ()
    others: Mapping[str, Any] = field(default_factory=dict)  # further keys of the row


@dataclass(frozen=True)
class PairToJudge:
    """An original and its paraphrase; `control` is the kind of a control."""

    original: str
    text: str
    control: str | None = None
    origins: tuple[Origin, ...] = field(default=())

    @classmethod
    def from_json(cls, event: Event) -> PairToJudge:
        """The pair that `asdict` turned into this event.

        Raises TypeError if a value is not text, ValueError if an origin has no system.
        """
        origins = []
        for origin in event["origins"]:
            item, doc, source = (_check_optional(origin[key]) for key in ("item", "doc", "source"))
            systems = tuple(map(_check_text, origin["systems"]))
            if not systems:
                raise ValueError("a pair comes from no system")
            references = tuple(map(_check_text, origin["references"]))
            others = dict(origin.get("others", {}))
            origins.append(Origin(systems, item, doc, source, references, others))
        original, text = _check_text(event["original"]), _check_text(event["text"])
        return cls(original, text, _check_optional(event["control"]), tuple(origins))


def _check_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is not text")
    return value


def _check_optional(value: Any) -> str | None:
    return None if value is None else _check_text(value)


def digest_pairs(pairs: Sequence[PairToJudge]) -> str:
    """A hash of all pairs and where they came from."""
    content = json.dumps([asdict(pair) for pair in pairs], ensure_ascii=False)
    return hashlib.blake2b(content.encode(), digest_size=8).hexdigest()


def sample_pairs(
    rows: Iterable[Row],
    *,
    systems: Sequence[str] = (),
    kinds: Iterable[str] = CONTROLS,
    share: float = 0.1,
    sample: int | None = None,
    seed: int = 0,
    against: Against = "source",
) -> list[PairToJudge]:
    """At most `sample` pairs of the rows, then controls that make up a `share` of all pairs.

    Systems or items with the same two texts share one pair. Rows that are controls are left out,
    and so are all systems but `systems`, if these are named. There is at least one control of every
    kind that can be made.
    """
    wanted = _check_kinds(kinds)
    share = check_number("share", share, 0.0, 0.5)
    seed = check_whole("seed", seed, 0, 2**63)
    real = _group_texts(_select_systems(list(rows), systems), against)
    if sample is not None:
        order = Stream(seed, _SAMPLE).shuffled(range(len(real)))
        real = [real[n] for n in sorted(order[: check_whole("sample", sample, 1, 10**9)])]
    if not wanted:
        return real
    number = math.ceil(share * len(real) / (1 - share) - 1e-9)
    return real + _controls(real, wanted, max(number, len(wanted)), seed, against)


def sample_originals(
    rows: Iterable[Row],
    *,
    systems: Sequence[str] = (),
    sample: int | None = None,
    seed: int = 0,
    against: Against = "source",
) -> list[PairToJudge]:
    """All texts of at most `sample` originals, each with two controls (PARADIGM §6).

    The positive control is the original's reference. The negative one is the original with half of
    its words deleted at random. Controls equal to a system's text are left out.
    """
    seed = check_whole("seed", seed, 0, 2**63)
    real = _group_texts(_select_systems(list(rows), systems), against)
    if sample is not None:
        originals = list(dict.fromkeys(pair.original for pair in real))
        order = Stream(seed, _SAMPLE).shuffled(range(len(originals)))
        chosen = {originals[n] for n in order[: check_whole("sample", sample, 1, 10**9)]}
        real = [pair for pair in real if pair.original in chosen]
    controls = [_possible_controls(real, kind, seed, against) for kind in TOGETHER]
    return [*real, *chain.from_iterable(controls)]


def _check_kinds(kinds: Iterable[str]) -> list[str]:
    wanted = list(dict.fromkeys(kinds))
    known = [*CONTROL_KINDS, REFERENCE]
    for kind in wanted:
        if kind not in known:
            raise UsageError(f"unknown kind of control '{kind}'; {near(kind, known)}; or none")
    return wanted


def _select_systems(rows: list[Row], systems: Sequence[str]) -> list[Row]:
    rows = [row for row in rows if not is_control(row)]
    known = dict.fromkeys(name for row in rows for name in systems_of(row))
    for name in systems:
        if name not in known:
            raise UsageError(f"there is no system '{name}' in the rows; {near(name, known)}")
    return [row for row in rows if not systems or set(systems_of(row)) & set(systems)]


def _group_texts(rows: Sequence[Row], against: Against) -> list[PairToJudge]:
    if not rows:
        raise InputError("there is nothing to judge: no row is left")
    by_texts: dict[tuple[str, str], list[Origin]] = {}
    for row in rows:
        source = None if row.source is None else text_of(row.source)
        references = tuple(map(text_of, row.references))
        systems = tuple(systems_of(row))
        origin = Origin(systems, row.item, row.doc, source, references, row.others or {})
        texts = _original(row, against), text_of(row.hypothesis)
        by_texts.setdefault(texts, []).append(origin)
    return [
        PairToJudge(original, text, None, join_origins(origins))
        for (original, text), origins in by_texts.items()
    ]


def join_origins(origins: Iterable[Origin]) -> tuple[Origin, ...]:
    """Join origins of the same item of a document, with all systems that produced the text.

    >>> [origin.systems for origin in join_origins([Origin(("a",), "1"), Origin(("b", "a"), "1")])]
    [('a', 'b')]
    """
    by_item: dict[tuple[str | None, str | None], Origin] = {}
    for origin in origins:
        key = origin.item, origin.doc
        before = by_item.get(key, Origin(()))
        systems = tuple(dict.fromkeys((*before.systems, *origin.systems)))
        by_item[key] = replace(origin, systems=systems, others={**origin.others, **before.others})
    return tuple(by_item.values())


def _original(row: Row, against: Against) -> str:
    if against == "source" and row.source is not None:
        return text_of(row.source)
    if against == "references" and row.references:
        return text_of(row.references[0])
    lacks, other = ("source", "references") if against == "source" else ("reference", "source")
    message = f"this row has no {lacks} to judge it by; `against` {other} takes that"
    raise InputError(message, path=row.path, line=row.line)


def _controls(
    real: Sequence[PairToJudge], kinds: Sequence[str], number: int, seed: int, against: Against
) -> list[PairToJudge]:
    """`number` controls, of each kind in turn, each of an original sampled at random."""
    waiting = {kind: _possible_controls(real, kind, seed, against) for kind in kinds}
    chosen: list[PairToJudge] = []
    while len(chosen) < number and any(waiting.values()):
        for kind in kinds:
            if waiting[kind] and len(chosen) < number:
                chosen.append(waiting[kind].pop())
    return chosen


def _possible_controls(
    real: Sequence[PairToJudge], kind: str, seed: int, against: Against
) -> list[PairToJudge]:
    """The controls of a kind in random order, without those equal to a system's text."""
    taken = {(pair.original, pair.text) for pair in real}
    first = {pair.original: replace(pair.origins[0], others={}) for pair in reversed(real)}
    texts: list[tuple[str, str]] = []
    if kind == REFERENCE:
        skipped = 1 if against == "references" else 0
        texts = [
            (original, origin.references[skipped])
            for original, origin in first.items()
            if len(origin.references) > skipped
        ]
    else:
        try:
            controls = controls_of([(None, text) for text in first], kinds=[kind], seed=seed)
        except OtherwordsError:  # no other sentence that could be unrelated
            controls = []
        texts = [(control.source, control.hypothesis) for control in controls]
    place = [*CONTROL_KINDS, REFERENCE].index(kind)
    return [
        PairToJudge(original, text, kind, (replace(first[original], systems=(CONTROL + kind,)),))
        for original, text in Stream(seed, _KIND_ORDER, place).shuffled(texts)
        if (kind == "copy" or text != original) and (original, text) not in taken
    ]


@dataclass(frozen=True)
class Task:
    """The pairs to judge, the criteria, and the scale. `together` shows all texts of an original
    at once; `spans` asks for the errors of each text.
    """

    pairs: tuple[PairToJudge, ...]
    criteria: tuple[str, ...]
    low: int = 1
    high: int = 5
    seed: int = 0
    together: bool = False
    instructions: str = ""  # shown instead of ours
    spans: bool = False

    def __post_init__(self) -> None:
        check_criteria(self.criteria)
        if not 0 <= self.low < self.high <= HIGHEST:
            raise UsageError(
                f"a scale for judges is within 0 to {HIGHEST}, not {self.low}:{self.high}"
            )
        if self.spans and self.together:
            raise UsageError("`spans` marks errors in one text at a time; leave out `together`")

    @property
    def scale(self) -> Scale:
        return Scale(self.low, self.high)

    @property
    def head(self) -> dict[str, Any]:
        """The settings that must be the same whenever the log is opened."""
        return {
            "criteria": list(self.criteria),
            "scale": [self.low, self.high],
            "seed": self.seed,
            "pairs": len(self.pairs),
            "digest": digest_pairs(self.pairs),
            "together": self.together,
            "instructions": self.instructions,
            "spans": self.spans,
        }

    def order(self, judge: str) -> list[int]:
        """The pairs in the judge's own random order; with `together`, grouped by original."""
        key = int.from_bytes(hashlib.blake2b(judge.encode(), digest_size=8).digest(), "big")
        shuffled = Stream(self.seed, _JUDGE_ORDER, key).shuffled(range(len(self.pairs)))
        if not self.together:
            return shuffled
        originals = {self.pairs[n].original: place for place, n in enumerate(shuffled)}
        return sorted(shuffled, key=lambda n: originals[self.pairs[n].original])


def begin_task(log: Log, task: Task | None) -> Task:
    """Begin a log with a task, or return the task it was begun with, which `task` must equal."""
    before, _ = read_events(log.events, log.path)
    if before is None:
        if task is None:
            message = "nothing was judged here yet; name the rows to judge with `rows`"
            raise InputError(message, path=log.path)
        # The task comes last: a list of pairs cut off by a kill has none, and is written again.
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
            low, high = (whole("a scale", end, HIGHEST + 1) for end in event["scale"])
            criteria, together = tuple(event["criteria"]), bool(event.get("together"))
            words = str(event.get("instructions", ""))
            seed = whole("a seed", event["seed"], 2**63 + 1)
            spans = bool(event.get("spans"))
            return Task(tuple(mine), criteria, low, high, seed, together, words, spans)
    return None


def replay_scores(events: Iterable[Event]) -> dict[str, Scores]:
    """The final scores of every judge."""
    by_judge: dict[str, Scores] = {}
    for event in events:
        if event["kind"] == "score":
            if not isinstance(event["judge"], str):
                raise TypeError("a judge is a name")
            scores = by_judge.setdefault(event["judge"], {}).setdefault(event["pair"], {})
            set_answer(scores, event["criterion"], event["score"])
    return by_judge


def replay_notes(events: Iterable[Event], pairs: Sequence[PairToJudge]) -> dict[str, Notes]:
    """The final notes of every judge; a damaged one raises InputError."""
    by_judge: dict[str, Notes] = {}
    for event in events:
        if event["kind"] == "note":
            pair = whole("a pair", event["pair"], len(pairs))
            value = check_note(event["note"], event["value"], pairs[pair].text)
            notes = by_judge.setdefault(_check_text(event["judge"]), {}).setdefault(pair, {})
            set_answer(notes, event["note"], value)
    return by_judge


def check_note(name: Any, value: Any, text: str) -> Any:
    """The value of a note on a text, or None if it says nothing.

    >>> check_note("spans", [[4, 7, "major"], [0, 3, "minor"]], "The cat sat.")
    [[0, 3, 'minor'], [4, 7, 'major']]
    >>> check_note("comment", " ", "The cat sat.") is None
    True
    """
    if value is None:
        return None
    if name == "skip" and isinstance(value, bool):
        return value or None
    if name == "comment" and isinstance(value, str) and len(value) <= LONGEST_COMMENT:
        return value.strip() or None
    if name == "spans" and isinstance(value, list):
        return sorted(_check_span(span, len(text)) for span in value) or None
    raise InputError(f"this is no note of a judge: {name!r:.20} {value!r:.60}")


def _check_span(span: Any, length: int) -> list[Any]:
    if not isinstance(span, list) or len(span) != 3 or span[2] not in SEVERITIES:
        raise InputError(f"a span is [start, end, severity], not {span!r:.60}")
    start = whole("the start of a span", span[0], length)
    end = whole("the end of a span", span[1], length + 1)
    if start >= end:
        raise InputError(f"a span ends after it starts, unlike {span!r:.60}")
    return [start, end, span[2]]


def read_events(events: Sequence[Event], path: str) -> tuple[Task | None, dict[str, Scores]]:
    """The task of a log and the final scores of every judge; damaged events are refused."""
    try:
        task, said = task_of(events), replay_scores(events)
        replay_notes(events, task.pairs if task else ())
    except (KeyError, TypeError, ValueError, InputError) as error:
        raise InputError(f"a damaged event: {error!r:.80}", path=path) from error
    for scores in said.values():
        for pair, by_criterion in scores.items():
            if task is None or type(pair) is not int or pair not in range(len(task.pairs)):
                raise InputError(f"a judgement of a pair {pair!r:.20} that is not here", path=path)
            for name, score in by_criterion.items():
                whole_number = type(score) is int and task.low <= score <= task.high
                if name not in task.criteria or not whole_number:
                    message = f"a damaged judgement of pair {pair}: {name!r:.20} {score!r:.20}"
                    raise InputError(message, path=path)
    return task, said


def set_answer(answers: dict[str, Any], name: str, value: Any) -> None:
    """Set a score or a note, or take it back if it is None."""
    if value is None:
        answers.pop(name, None)
    else:
        answers[name] = value
