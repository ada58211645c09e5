"""A stream of rows through several metrics: what `otherwords score` computes.

Only statistics are kept, so a million segments need no more memory than their numbers.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.io.processes import in_order
from otherwords.metrics.base import Array, Explanation, MeanMetric, Metric, Part, Traits, text_of
from otherwords.metrics.inputs import Segments
from otherwords.scoring.seen import seen_rows
from otherwords.tables.table import Column, decimals_of
from otherwords.text.language import check_english
from otherwords.text.sentence import Sentence

__all__ = [
    "SystemScores",
    "by_row",
    "column_of",
    "evaluate",
    "explain_row",
    "require_english",
    "segment_keys",
    "shared_segments",
    "with_parts",
]

BATCH = 4096
GIVEN = "|input:annotated"  # tokens and all other annotation are the caller's


@dataclass(frozen=True)
class SystemScores:
    """All results of one system; `statistics` are by the labels of the metrics.

    `items` are the segments' names, else their numbers; `keys` identify the same segment in two
    systems: the names, else the texts that the segments are compared with. `paths` and `lines` (0
    if unknown) are the places of the rows in the input; `seen` marks those that metrics were
    trained on. The `rows` themselves are kept on request.
    """

    system: str
    statistics: Mapping[str, Array]
    items: Sequence[str]
    keys: Sequence[str]
    docs: Sequence[str] | None
    human: Mapping[str, Array]  # NaN where a row lacks that score
    annotated: bool = False  # whether any text came with its own tokens
    paths: Sequence[str | None] = ()
    lines: Sequence[int] = ()
    seen: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    rows: Sequence[Row] = ()


@dataclass
class _Growing:
    statistics: dict[str, list[Array]] = field(default_factory=dict)
    items: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    times: Counter[str] = field(default_factory=Counter)
    docs: list[str | None] = field(default_factory=list)
    human: list[Mapping[str, float]] = field(default_factory=list)
    annotated: bool = False
    paths: list[str | None] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("q"))
    seen: dict[str, list[NDArray[np.bool_]]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)


def evaluate(
    rows: Iterable[Row],
    metrics: Mapping[str, Metric],
    *,
    threads: int = 1,
    any_language: bool = False,
    keep: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> list[SystemScores]:
    """Score the rows of all systems with all metrics, in batches; systems are in the order of the
    rows. `keep` keeps the rows in memory.
    """
    growing: dict[str, _Growing] = {}
    unread = iter(rows)
    size = min([BATCH, *(metric.at_once for metric in metrics.values())])

    def batches() -> Iterator[list[Row]]:
        known: set[str] = set()
        while batch := list(islice(unread, size)):
            if not any_language:
                _check_language(batch, known, metrics)
                known.update(row.system for row in batch)
            yield batch

    def compute(batch: list[Row]) -> tuple[list[Row], dict[str, Array]]:
        return batch, {label: metric.of_rows(batch, threads) for label, metric in metrics.items()}

    # With several threads, the next rows are read and the last ones noted in the meantime.
    for batch, computed in in_order(compute, batches(), int(threads > 1)):
        seen = {
            label: seen_rows(batch, metric)
            for label, metric in metrics.items()
            if metric.seen is not None
        }
        _distribute(batch, computed, seen, growing, keep)
        progress(len(batch))
    if not growing:
        raise InputError("there is nothing to score: the files have no segments")
    return [_finish(name, growing.pop(name)) for name in list(growing)]


def by_row(rows: Sequence[Row], scored: Iterable[SystemScores]) -> dict[str, Array]:
    """The statistics of each metric in the order of the rows, out of those of the systems."""
    places = _places(rows)
    found: dict[str, Array] = {}
    for system in scored:
        for label, statistics in system.statistics.items():
            whole = found.setdefault(label, np.empty((len(rows), statistics.shape[1])))
            whole[places[system.system]] = statistics
    return found


def _places(rows: Iterable[Row]) -> dict[str, list[int]]:
    """The places of each system's rows."""
    places: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row.system, []).append(place)
    return places


def segment_keys(rows: Iterable[Row]) -> list[str]:
    """Which rows are of the same segment: its name, else what it is compared with.

    >>> segment_keys([Row("a", item="7"), Row("b", item="7", system="other")])
    ['7', '7']
    """
    times: dict[str, Counter[str]] = {}
    return [row.item or _content_key(row, times.setdefault(row.system, Counter())) for row in rows]


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
            require_english(metric, metric.check_rows(rows), rows[0].path or system)


def _distribute(
    batch: Sequence[Row],
    computed: Mapping[str, Array],
    seen: Mapping[str, NDArray[np.bool_]],
    growing: dict[str, _Growing],
    keep: bool,
) -> None:
    places = _places(batch)
    for system, mine in places.items():
        into = growing.setdefault(system, _Growing())
        alone = len(places) == 1  # most files have one system: nothing is copied
        rows = batch if alone else [batch[place] for place in mine]
        for label, statistics in computed.items():
            into.statistics.setdefault(label, []).append(statistics if alone else statistics[mine])
        for label, marks in seen.items():
            into.seen.setdefault(label, []).append(marks if alone else marks[mine])
        into.items += [row.item or str(n) for n, row in enumerate(rows, len(into.items) + 1)]
        into.keys += [_named_key(row) or _content_key(row, into.times) for row in rows]
        into.paths += [row.path for row in rows]
        into.lines.extend(row.line or 0 for row in rows)
        into.docs += [row.doc for row in rows]
        into.human += [row.human or _UNJUDGED for row in rows]
        into.annotated = into.annotated or _are_annotated(rows)
        if keep:
            into.rows += rows


def _are_annotated(rows: Sequence[Row]) -> bool:
    """Whether any text came with its own tokens."""
    return (
        Sentence in {type(row.hypothesis) for row in rows}
        or Sentence in {type(row.source) for row in rows}
        or Sentence in set(map(type, chain.from_iterable(row.references for row in rows)))
    )


_UNJUDGED: Mapping[str, float] = {}  # one for all rows: a million of them take memory


def _named_key(row: Row) -> str | None:
    """The name of a segment; sets of several languages have the same names in each."""
    return f"{row.langs}\t{row.item}" if row.item and row.langs else row.item


def _content_key(row: Row, times: Counter[str]) -> str:
    """A segment without a name is known by its references and source, and by which of the
    segments with the same ones it is.
    """
    texts = [text_of(text) for text in (*row.references, *([row.source] if row.source else []))]
    digest = hashlib.blake2b("\0".join(texts).encode(), digest_size=12).hexdigest()
    times[digest] += 1
    return f"{digest}.{times[digest]}"


def _finish(system: str, grown: _Growing) -> SystemScores:
    docs = [doc for doc in grown.docs if doc is not None]
    if docs and len(docs) != len(grown.docs):
        raise InputError(f"some segments of {system} have a document id and others have none")
    names = dict.fromkeys(name for human in grown.human for name in human)
    return SystemScores(
        system,
        # One metric after the other, so that not all are in memory twice.
        {label: np.concatenate(grown.statistics.pop(label)) for label in list(grown.statistics)},
        grown.items,
        grown.keys,
        docs or None,
        {name: np.array([h.get(name, np.nan) for h in grown.human]) for name in names},
        grown.annotated,
        grown.paths,
        grown.lines,
        {label: np.concatenate(parts) for label, parts in grown.seen.items()},
        grown.rows,
    )


def with_parts(
    metrics: Mapping[str, Metric], systems: Sequence[SystemScores]
) -> tuple[dict[str, Metric], list[SystemScores]]:
    """The metrics with the parts that go with their scores, labelled `metric.part`."""
    shown: dict[str, Metric] = {}
    whole: dict[str, str] = {}
    for label, metric in metrics.items():
        shown[label], whole[label] = metric, label
        if isinstance(metric, MeanMetric):
            for part in metric.parts:
                shown[f"{label}.{part}"], whole[f"{label}.{part}"] = Part(metric, part), label
    return shown, [
        replace(one, statistics={label: one.statistics[whole[label]] for label in shown})
        for one in systems
    ]


def explain_row(
    metric: Metric, row: Row, *, findings: bool = False, any_language: bool = False
) -> Explanation:
    """Why a row has its score, after the checks that scoring it would make; with `findings` also
    what differs, span by span.
    """
    if metric.traits.english and not any_language:
        require_english(metric, metric.check_rows([row]), row.path or row.system)
    explained = metric.explain_row(row)
    if not findings:
        return explained
    from otherwords.scoring.findings import with_findings

    return with_findings(explained)


def column_of(label: str, traits: Traits) -> Column:
    """A column of scores with such traits."""
    best = "highest" if traits.higher_is_better else "lowest"
    return Column(label, decimals=decimals_of(traits.high), best=best)  # type: ignore[arg-type]


def shared_segments(system: SystemScores, baseline: SystemScores) -> tuple[list[int], list[int]]:
    """Rows of the two systems that are the same segments, in the system's order."""
    for one in (system, baseline):
        if len(set(one.keys)) != len(one.keys):
            raise UsageError(f"{one.system} has several rows for one segment; tests need one each")
    where = {key: row for row, key in enumerate(baseline.keys)}
    pairs = [(row, where[key]) for row, key in enumerate(system.keys) if key in where]
    if not pairs:
        raise UsageError(f"{system.system} and {baseline.system} share no segment to compare")
    return [left for left, _ in pairs], [right for _, right in pairs]


def require_english(metric: Metric, segments: Segments, name: str = "hypotheses") -> None:
    """Refuse text that is plainly not English, if the metric needs English."""
    if not metric.traits.english:
        return
    targets = [target for several in segments.targets for target in several[:1]]
    role = "sources" if metric.against == "source" else "references"
    check_english(segments.hypotheses, f"the text of {name}, given to {metric.name},")
    check_english(targets, f"the text of the {role} of {name}, given to {metric.name},")
