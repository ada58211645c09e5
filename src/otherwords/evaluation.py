"""A stream of rows through several metrics: what `otherwords score` computes.

Only statistics are kept, so a million segments need no more memory than their numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.metrics.base import Array, Metric
from otherwords.scoring import require_english
from otherwords.text.sentence import Text

__all__ = ["SystemScores", "evaluate", "shared_segments"]

BATCH = 4096


@dataclass(frozen=True)
class SystemScores:
    """Everything that was computed for one system; `metrics` keys are the labels given."""

    system: str
    statistics: Mapping[str, Array]
    items: Sequence[str]
    docs: Sequence[str] | None
    human: Mapping[str, Array]  # NaN where a row lacks that score


@dataclass
class _Growing:
    statistics: dict[str, list[Array]] = field(default_factory=dict)
    items: list[str] = field(default_factory=list)
    docs: list[str | None] = field(default_factory=list)
    human: list[Mapping[str, float]] = field(default_factory=list)


def evaluate(
    rows: Iterable[Row],
    metrics: Mapping[str, Metric],
    *,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> list[SystemScores]:
    """Score the rows of all systems with all metrics, in batches, systems in order of rows."""
    growing: dict[str, _Growing] = {}
    for batch in _batches(rows):
        if not any_language:
            _check_language(batch, growing, metrics)
        computed = {
            label: metric.statistics(*_columns(batch, metric), threads=threads)
            for label, metric in metrics.items()
        }
        _distribute(batch, computed, growing)
        progress(len(batch))
    if not growing:
        raise InputError("there is nothing to score: the files have no segments")
    return [_finish(name, growing.pop(name)) for name in list(growing)]


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    iterator = iter(rows)
    while batch := list(islice(iterator, BATCH)):
        yield batch


def _columns(
    batch: Sequence[Row], metric: Metric
) -> tuple[list[Text], list[tuple[Text, ...]] | None, list[Text | None]]:
    """What the metric takes, or an error that names the row which lacks it."""
    needs_source = metric.against == "source" or metric.traits.needs_source
    for row in batch:
        lacks = None
        if metric.against == "references" and not row.references:
            lacks = "reference"
        elif row.source is None and needs_source:
            lacks = "source"
        if lacks is not None:
            message = f"{metric.name} needs a {lacks}, and this segment has none"
            raise InputError(message, path=row.path, line=row.line)
    references = [row.references for row in batch] if metric.against == "references" else None
    return [row.hypothesis for row in batch], references, [row.source for row in batch]


def _check_language(
    batch: Sequence[Row], seen: Collection[str], metrics: Mapping[str, Metric]
) -> None:
    """A system is checked when it first appears, on its rows of that batch."""
    differing = {metric.against: metric for metric in metrics.values() if metric.traits.english}
    new: dict[str, list[Row]] = {}
    for row in batch:
        if row.system not in seen:
            new.setdefault(row.system, []).append(row)
    for system, rows in new.items():
        for metric in differing.values():
            segments = metric.check(*_columns(rows, metric))
            require_english(metric, segments, rows[0].path or system)


def _distribute(
    batch: Sequence[Row], computed: Mapping[str, Array], growing: dict[str, _Growing]
) -> None:
    places: dict[str, list[int]] = {}
    for place, row in enumerate(batch):
        places.setdefault(row.system, []).append(place)
    for system, mine in places.items():
        into = growing.setdefault(system, _Growing())
        for label, statistics in computed.items():
            into.statistics.setdefault(label, []).append(statistics[mine])
        for place in mine:
            row = batch[place]
            into.items.append(row.item or str(len(into.items) + 1))
            into.docs.append(row.doc)
            into.human.append(row.human)


def _finish(system: str, grown: _Growing) -> SystemScores:
    docs = [doc for doc in grown.docs if doc is not None]
    if docs and len(docs) != len(grown.docs):
        raise InputError(f"some segments of {system} have a document id and others have none")
    names = dict.fromkeys(name for human in grown.human for name in human)
    return SystemScores(
        system,
        {label: np.concatenate(parts) for label, parts in grown.statistics.items()},
        grown.items,
        docs or None,
        {name: np.array([h.get(name, np.nan) for h in grown.human]) for name in names},
    )


def shared_segments(system: SystemScores, baseline: SystemScores) -> tuple[list[int], list[int]]:
    """Rows of the two systems that are the same segments, in the system's order."""
    if system.items == baseline.items:
        rows = list(range(len(system.items)))
        return rows, rows
    where = {item: row for row, item in enumerate(baseline.items)}
    if len(where) != len(baseline.items):
        raise UsageError(
            f"{baseline.system} has several rows for one segment; paired tests need one each"
        )
    pairs = [(row, where[item]) for row, item in enumerate(system.items) if item in where]
    if not pairs:
        raise UsageError(f"{system.system} and {baseline.system} share no segment to compare")
    return [left for left, _ in pairs], [right for _, right in pairs]
