"""Rows whose output is no rewrite, or that a metric cannot score.

No row fails the others. An output that is empty or, for a metric of English, in another language is
scored as an empty one: the lowest score. A row whose source or reference a metric of English cannot
read has no score by this metric, for any system, and is left out of its corpus score.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Metric, text_of
from otherwords.metrics.inputs import Against
from otherwords.stats.arrays import Array
from otherwords.text.outputs import (
    find_english,
    find_faults,
    find_nothing,
    is_other_language,
)
from otherwords.text.sentence import Text

Scored = Literal["as it is", "as empty", "not"]
INPUT, LONG = "input-language", "too-long"
_SHORT = 5000  # characters of a text that no metric finds too long
_WORD = re.compile(r"\w+|[^\w\s]")
_ROLES: Mapping[Against, str] = {"source": "source", "references": "reference"}


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a row (codes: `text.outputs.CODES`, "input-language", "too-long"), and
    how it is scored: as it is, as an empty output, or not.
    """

    code: str
    reason: str
    scored: Scored
    system: str
    item: str
    path: str | None
    line: int | None
    hypothesis: str

    @property
    def key(self) -> tuple[str, ...]:
        """What makes it the same problem in another run."""
        return self.hypothesis, self.code

    @property
    def where(self) -> str:
        """The file and line, else the name of the segment."""
        place = [str(part) for part in (self.path, self.line) if part is not None]
        return ":".join(place) if place else f"segment {self.item}"

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Reading:
    """How rows are read: what the output must be a rewrite of, if it must be one, what must be
    English, and whether the text may be in any language.
    """

    original: Against | None
    english: Sequence[Against]
    any_language: bool = False
    longest: int | None = None  # words of a text

    @classmethod
    def of(cls, metrics: Iterable[Metric], any_language: bool) -> Reading:
        """Outputs are rewrites if a metric compares them with their sources."""
        every = list(metrics)
        rewrites = any(metric.against == "source" for metric in every)
        english = sorted({metric.against for metric in every if metric.traits.english})
        longest = min((m.longest for m in every if m.longest is not None), default=None)
        return cls("source" if rewrites else None, english, any_language, longest)


def find_problem(row: Row, reading: Reading) -> Problem | None:
    """The most serious problem of a row, if any."""
    output = text_of(row.hypothesis)
    english = () if reading.any_language else reading.english
    for against in english:
        if is_unreadable(row, against):
            return _problem(row, INPUT, f"the {_ROLES[against]} is not English", "not")
    if reading.longest is not None and (long := find_length(row, reading)):
        return long
    texts = [*row.references[:1], *([] if row.source is None else [row.source])]
    if reading.original == "source":
        texts.reverse()
    original = text_of(texts[0] if texts else "")
    if reading.original is not None:
        fault = next(iter(find_faults(output, original, language=not reading.any_language)), None)
    else:
        fault = find_nothing(output, original)
        if fault is None and not reading.any_language:
            fault = find_english(output, original)
    if fault is not None and fault.code in ("empty", "markup-only"):
        return _problem(row, fault.code, fault.reason, "as empty")
    if english and is_other_language(output):
        return _problem(row, "language", "the output is not English", "as empty")
    return None if fault is None else _problem(row, fault.code, fault.reason, "as it is")


def find_length(row: Row, reading: Reading) -> Problem | None:
    """Only whether a text of the row is too long for a metric."""
    if reading.longest is None:
        return None
    for text in (row.hypothesis, *row.references, row.source or ""):
        if (words := _count_words(text)) > reading.longest:
            reason = f"a text has {words:,} words, more than {reading.longest:,}"
            return _problem(row, LONG, reason, "as empty" if text is row.hypothesis else "not")
    return None


def _problem(row: Row, code: str, reason: str, scored: Scored) -> Problem:
    place = row.system, row.item or "", row.path, row.line
    return Problem(code, reason, scored, *place, text_of(row.hypothesis))


def _count_words(text: Text) -> int:
    """How many words and marks a text has: 0 for most, which need no count."""
    raw = text_of(text)
    return 0 if len(raw) < _SHORT else sum(1 for _ in _WORD.finditer(raw))


def is_unreadable(row: Row, against: Against) -> bool:
    """Whether what the row is compared with is clearly not English."""
    if against == "source":
        return row.source is not None and is_other_language(text_of(row.source))
    return any(is_other_language(text_of(text)) for text in row.references[:1])


def score_rows(
    metric: Metric, rows: Sequence[Row], problems: Mapping[int, Problem], threads: int
) -> tuple[Array, NDArray[np.bool_]]:
    """The statistics of the rows, and which of them have no score: their statistics are 0."""
    missing = np.zeros(len(rows), bool)
    mine = {
        place: problem
        for place, problem in problems.items()
        if (metric.traits.english if problem.code != LONG else metric.longest is not None)
    }
    if not mine:
        return metric.of_rows(rows, threads), missing
    chosen = list(rows)
    for place, problem in mine.items():
        if problem.scored == "not":
            missing[place] = problem.code == LONG or is_unreadable(rows[place], metric.against)
        elif problem.scored == "as empty":
            chosen[place] = replace(rows[place], hypothesis="")
    statistics = np.zeros((len(rows), len(metric.columns)))
    if not missing.all():
        places = np.flatnonzero(~missing)
        statistics[places] = metric.of_rows([chosen[place] for place in places], threads)
    return statistics, missing


def describe(problems: Sequence[Problem], segments: int) -> list[str]:
    """One line for each way of scoring, for the readers of the scores of one system.

    >>> problem = Problem("empty", "the output is empty", "as empty", "a", "7", "a.txt", 7, "")
    >>> print(*describe([problem], 20))
    a: 1 of 20 outputs scored as an empty one (empty 1); the first is a.txt:7: the output is empty
    """
    what: Mapping[Scored, str] = {
        "as it is": "outputs no rewrite of the original",
        "as empty": "outputs scored as an empty one",
        "not": "segments without a score by metrics that cannot read them, left out",
    }
    lines = []
    for scored, said in what.items():
        if mine := [problem for problem in problems if problem.scored == scored]:
            counts = Counter(problem.code for problem in mine).most_common()
            listed = ", ".join(f"{code} {count:,}" for code, count in counts)
            said = f"{mine[0].system}: {len(mine):,} of {segments:,} {said} ({listed})"
            lines.append(f"{said}; the first is {mine[0].where}: {mine[0].reason}")
    return lines
