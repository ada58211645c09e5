"""Segments that break a rule: contradictions with both spans, scores below a limit."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from otherwords.corpus.rows import Row
from otherwords.errors import InputError
from otherwords.io.files import read_lines
from otherwords.metrics.base import Metric, text_of
from otherwords.metrics.facts import Finding
from otherwords.scoring.detectors import least_contradicted
from otherwords.scoring.stream import evaluate, require_english

__all__ = ["Contradiction", "Offence", "below", "contradictions", "read_accepted"]

Key = tuple[str, str, str, str, str]

_BATCH = 512
_KEYS = "hypothesis target kind hypothesis_text target_text".split()


@dataclass(frozen=True)
class Contradiction:
    """A finding that a segment contradicts what it is compared with (`target`)."""

    item: str
    path: str | None
    line: int | None
    finding: Finding
    hypothesis: str
    target: str

    @property
    def key(self) -> Key:
        """What makes it the same finding in another run: both texts, the kind, both spans."""
        found = self.finding
        spans = (found.hypothesis_text, found.reference_text)
        return self.hypothesis, self.target, found.kind, *spans


@dataclass(frozen=True)
class Offence:
    """A segment whose score by a metric is below the limit of a rule."""

    rule: str
    item: str
    path: str | None
    line: int | None
    score: float
    limit: float
    hypothesis: str
    target: str


def contradictions(
    rows: Sequence[Row],
    metric: Metric,
    *,
    name: str,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Contradiction]:
    """The findings of each row that alone say that the meaning is not kept, by a metric that
    detects them (`scoring.detectors`).

    With several references, those about the one that the row contradicts least.

    >>> from otherwords.metrics.facts import Facts
    >>> rows = [Row("He paid 30 euros.", source="He paid 20 euros.", item="7")]
    >>> [found] = contradictions(rows, Facts(against="source"), name="mine")
    >>> found.item, found.finding.kind, found.finding.hypothesis_text
    ('7', 'number', '30')
    """
    found = []
    for begin in range(0, len(rows), _BATCH):
        batch = rows[begin : begin + _BATCH]
        segments = metric.check_rows(batch)
        if begin == 0 and not any_language:
            require_english(metric, segments, rows[0].path or name)
        for place, (row, (target, contradicted)) in enumerate(
            zip(batch, least_contradicted(segments, metric, threads), strict=True), begin + 1
        ):
            found += [
                Contradiction(*_place(row, place), finding, text_of(row.hypothesis), target)
                for finding in contradicted
            ]
        progress(len(batch))
    return found


def read_accepted(path: str | Path) -> frozenset[Key]:
    """Keys of contradictions that the user accepts: lines of `gate -f jsonl`.

    Lines of the other tables of that output are skipped.
    """
    accepted = set()
    for number, line in enumerate(read_lines(path), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            if row.get("table", "contradictions") != "contradictions":
                continue
            one, other, kind, span, other_span = (str(row[key]) for key in _KEYS)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            message = "this is not a contradiction as `otherwords gate -f jsonl` prints it"
            raise InputError(message, path=path, line=number) from error
        accepted.add((one, other, kind, span, other_span))
    return frozenset(accepted)


def below(
    rows: Sequence[Row],
    rule: str,
    metric: Metric,
    limit: float,
    *,
    name: str,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> list[Offence]:
    """The rows whose score by the metric is below the limit."""
    [scored] = evaluate(
        rows, {name: metric}, threads=threads, any_language=any_language, progress=progress
    )
    scores = metric.segment_scores(scored.statistics[name]).tolist()
    return [
        Offence(
            rule, *_place(row, place), score, limit, text_of(row.hypothesis), _target(row, metric)
        )
        for place, (row, score) in enumerate(zip(rows, scores, strict=True), 1)
        if score < limit
    ]


def _place(row: Row, number: int) -> tuple[str, str | None, int | None]:
    return row.item or str(number), row.path, row.line


def _target(row: Row, metric: Metric) -> str:
    if metric.against == "source":
        return text_of(row.source or "")
    return text_of(row.references[0]) if row.references else ""
