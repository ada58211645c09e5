"""Score a stream of rows with several metrics.

Only the statistics are kept, so memory does not grow with the length of the texts. Systems can be
compared only on the same segments; this module also finds which segments they share.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import UNNAMED, Coverage, Row, find_coverage
from otherwords.errors import InputError, UsageError
from otherwords.metrics.base import Explanation, Metric, text_of
from otherwords.metrics.inputs import Segments
from otherwords.scoring.seen import seen_rows
from otherwords.stats.arrays import Array
from otherwords.text.language import check_english
from otherwords.text.sentence import Sentence

BATCH = 4096
AHEAD = 50_000  # rows that are read before the first is scored
ANNOTATED = "|input:annotated"  # in signatures: a text came with its own tokens
_UNJUDGED: Mapping[str, float] = {}  # shared by all rows without human scores, to save memory
_Place = tuple[str | None, int | None]  # a file and a line of it


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

    def pick(self, places: Sequence[int]) -> SystemScores:
        """The segments at these places alone."""
        if list(places) == list(range(len(self.keys))):
            return self
        return replace(
            self,
            statistics={label: values[places] for label, values in self.statistics.items()},
            items=[self.items[place] for place in places],
            keys=[self.keys[place] for place in places],
            docs=None if self.docs is None else [self.docs[place] for place in places],
            paths=[self.paths[place] for place in places] if self.paths else (),
            lines=[self.lines[place] for place in places] if self.lines else (),
            human={name: values[places] for name, values in self.human.items()},
            seen={label: marks[places] for label, marks in self.seen.items()},
            rows=[self.rows[place] for place in places] if self.rows else (),
        )


@dataclass
class _Growing:
    """`SystemScores` while rows still come in."""

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

    def add(self, rows: Sequence[Row], keep: bool) -> None:
        """Record everything about these rows except their scores."""
        # Test sets of several language pairs use the same segment names in each.
        self.keys += [
            (f"{row.langs}\t{row.item}" if row.langs else row.item)
            if row.item
            else _content_key(row, self.times)
            for row in rows
        ]
        self.items += [row.item or str(n) for n, row in enumerate(rows, len(self.items) + 1)]
        self.paths += [row.path for row in rows]
        self.lines.extend(row.line or 0 for row in rows)
        self.docs += [row.doc for row in rows]
        self.human += [row.human or _UNJUDGED for row in rows]
        self.annotated = self.annotated or (
            Sentence in {type(row.hypothesis) for row in rows}
            or Sentence in {type(row.source) for row in rows}
            or Sentence in set(map(type, chain.from_iterable(row.references for row in rows)))
        )
        if keep:
            self.rows += rows

    def finish(self, system: str) -> SystemScores:
        docs = [doc for doc in self.docs if doc is not None]
        if docs and len(docs) != len(self.docs):
            raise InputError(f"some segments of {system} have a document id and others have none")
        names = dict.fromkeys(name for human in self.human for name in human)
        return SystemScores(
            system,
            # One metric at a time, so that only one is in memory twice.
            {label: np.concatenate(self.statistics.pop(label)) for label in list(self.statistics)},
            self.items,
            self.keys,
            docs or None,
            {name: np.array([h.get(name, np.nan) for h in self.human]) for name in names},
            self.annotated,
            self.paths,
            self.lines,
            {label: np.concatenate(parts) for label, parts in self.seen.items()},
            self.rows,
        )


def evaluate(
    rows: Iterable[Row],
    metrics: Mapping[str, Metric],
    *,
    threads: int = 1,
    any_language: bool = False,
    keep: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> list[SystemScores]:
    """Score the rows of all systems with all metrics, in batches.

    Parameters
    ----------
    rows
        A stream of rows; systems come out in the order in which they first appear.
    metrics
        By label.
    threads
        Threads of each metric; with several, the next rows are read in the meantime.
    any_language
        Do not check that the text is English for metrics that need English.
    keep
        Keep the rows in memory.
    progress
        Called with the number of rows of each batch that is done.
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

    scored: Iterable[tuple[list[Row], dict[str, Array]]] = map(compute, batches())
    if threads > 1:
        from otherwords.io.processes import in_order

        scored = in_order(compute, batches(), 1)
    for batch, computed in scored:
        seen = {
            label: seen_rows(batch, metric)
            for label, metric in metrics.items()
            if metric.seen is not None
        }
        places = _places(batch)
        for system, mine in places.items():
            into = growing.setdefault(system, _Growing())
            alone = len(places) == 1  # most files have one system: nothing is copied
            into.add(batch if alone else [batch[place] for place in mine], keep)
            for label, statistics in computed.items():
                chosen = statistics if alone else statistics[mine]
                into.statistics.setdefault(label, []).append(chosen)
            for label, marks in seen.items():
                into.seen.setdefault(label, []).append(marks if alone else marks[mine])
        progress(len(batch))
    if not growing:
        raise InputError("there is nothing to score: the files have no segments")
    return [growing.pop(name).finish(name) for name in list(growing)]


def by_row(rows: Sequence[Row], scored: Iterable[SystemScores]) -> dict[str, Array]:
    """Statistics by metric in the order of the rows, put together from those of the systems."""
    places = _places(rows)
    statistics: dict[str, Array] = {}
    for system in scored:
        for label, mine in system.statistics.items():
            whole = statistics.setdefault(label, np.empty((len(rows), mine.shape[1])))
            whole[places[system.system]] = mine
    return statistics


def _places(rows: Iterable[Row]) -> dict[str, list[int]]:
    places: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        places.setdefault(row.system, []).append(place)
    return places


def segment_keys(rows: Iterable[Row]) -> list[str]:
    """One key per segment: its name, else a hash of what it is compared with.

    >>> segment_keys([Row("a", item="7"), Row("b", item="7", system="other")])
    ['7', '7']
    """
    times: dict[str, Counter[str]] = {}
    return [row.item or _content_key(row, times.setdefault(row.system, Counter())) for row in rows]


def _content_key(row: Row, times: Counter[str]) -> str:
    """The key of a segment without a name: a hash of its references and source, numbered where
    several segments have the same ones.
    """
    texts = [text_of(text) for text in (*row.references, *([row.source] if row.source else []))]
    digest = hashlib.blake2b("\0".join(texts).encode(), digest_size=12).hexdigest()
    times[digest] += 1
    return f"{digest}.{times[digest]}"


# The language of a text


def _check_language(
    batch: Sequence[Row], seen: Collection[str], metrics: Mapping[str, Metric]
) -> None:
    """Check each new system for English, on its rows of the batch in which it first appears."""
    differing = {metric.against: metric for metric in metrics.values() if metric.traits.english}
    if not differing:
        return
    new: dict[str, list[Row]] = {}
    for row in batch:
        if row.system not in seen:
            new.setdefault(row.system, []).append(row)
    for system, rows in new.items():
        for metric in differing.values():
            require_english(metric, metric.check_rows(rows), rows[0].path or system)


def require_english(metric: Metric, segments: Segments, name: str = "hypotheses") -> None:
    """Refuse text that is plainly not English, if the metric needs English."""
    if not metric.traits.english:
        return
    targets = [target for several in segments.targets for target in several[:1]]
    role = "sources" if metric.against == "source" else "references"
    check_english(segments.hypotheses, f"the text of {name}, given to {metric.name},")
    check_english(targets, f"the text of the {role} of {name}, given to {metric.name},")


def explain_row(
    metric: Metric, row: Row, *, findings: bool = False, any_language: bool = False
) -> Explanation:
    """Why a row has its score, after the same checks as in scoring; with `findings` also
    what differs, span by span.
    """
    if metric.traits.english and not any_language:
        require_english(metric, metric.check_rows([row]), row.path or row.system)
    explanation = metric.explain_row(row)
    if not findings:
        return explanation
    from otherwords.scoring.explanations import with_findings

    return with_findings(explanation)


# The segments of several systems


def coverage(systems: Sequence[SystemScores]) -> Coverage | None:
    """Which segments the systems have; `None` if all have the same."""
    by_name = {system.system: system for system in systems}

    def shown(system: str, place: int) -> str:
        scores = by_name[system]
        item = scores.items[place]
        is_named = scores.keys[place] == item or scores.keys[place].endswith(f"\t{item}")
        return repr(item) if is_named else f"segment {item} of {system}"

    return find_coverage({system.system: system.keys for system in systems}, shown)


def common_segments(systems: Sequence[SystemScores]) -> list[SystemScores]:
    """The systems restricted to the segments that all have."""
    common = set.intersection(*(set(system.keys) for system in systems))
    if not common:
        raise UsageError("the systems have no segment in common")
    return [
        system.pick([n for n, key in enumerate(system.keys) if key in common]) for system in systems
    ]


def shared_segments(system: SystemScores, baseline: SystemScores) -> tuple[list[int], list[int]]:
    """Row numbers of the shared segments in both systems, in the order of the first."""
    for scores in (system, baseline):
        if len(set(scores.keys)) != len(scores.keys):
            raise UsageError(
                f"{scores.system} has several rows for one segment; tests need one each"
            )
    where = {key: row for row, key in enumerate(baseline.keys)}
    pairs = [(row, where[key]) for row, key in enumerate(system.keys) if key in where]
    if not pairs:
        raise UsageError(f"{system.system} and {baseline.system} share no segment to compare")
    return [left for left, _ in pairs], [right for _, right in pairs]


def align(
    label: str, systems: Sequence[SystemScores]
) -> tuple[dict[str, Array], Sequence[str] | None]:
    """A metric's statistics by system over the segments of all, and the documents if all are known.

    The segments of the first system come first; rows are NaN where a system lacks a segment.
    """
    number: dict[str, int] = {}
    docs: dict[int, str] = {}
    places = {}
    for system in systems:
        mine = [number.setdefault(key, len(number)) for key in system.keys]
        if len(set(mine)) != len(mine):
            raise UsageError(
                f"{system.system} has several rows for one segment; tests need one each"
            )
        places[system.system] = np.array(mine, dtype=np.intp)
        docs |= zip(mine, system.docs or (), strict=False)
    aligned = {}
    for system in systems:
        statistics = system.statistics[label]
        aligned[system.system] = np.full((len(number), statistics.shape[1]), np.nan)
        aligned[system.system][places[system.system]] = statistics
    known = [docs[place] for place in range(len(number)) if place in docs]
    return aligned, known if len(known) == len(number) else None


# Two rows for one segment


def check_once(systems: Sequence[SystemScores]) -> None:
    """Refuse two rows of one named system for one segment: one of them would count twice.

    Rows without a system may be several texts for one item.
    """
    for system in systems:
        if system.system == UNNAMED or len(set(system.keys)) == len(system.keys):
            continue
        paths, lines = (
            system.paths or [None] * len(system.keys),
            system.lines or [0] * len(system.keys),
        )
        seen: dict[str, int] = {}
        for place, key in enumerate(system.keys):
            first = seen.setdefault(key, place)
            if first != place:
                there = [(paths[n], lines[n] or None) for n in (first, place)]
                raise _twice(system.system, system.items[place], *there)


def check_rows_once(rows: Iterable[Row]) -> None:
    """The same check for rows; rows that do not name their segment are skipped."""
    seen: dict[tuple[str, str | None, str], Row] = {}
    for row in rows:
        if row.item is None or row.system == UNNAMED:
            continue
        first = seen.get((row.system, row.langs, row.item))
        seen[row.system, row.langs, row.item] = row
        if first is not None:
            raise _twice(row.system, row.item, (first.path, first.line), (row.path, row.line))


def check_ahead(rows: Iterable[Row]) -> Iterator[Row]:
    """Pass the rows on. Duplicates among the first 50,000 are refused before anything is scored;
    `check_once` finds later ones.
    """
    iterator = iter(rows)
    ahead = deque(islice(iterator, AHEAD))
    check_rows_once(ahead)
    while ahead:
        yield ahead.popleft()
    yield from iterator


def rows_by_system(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of each system; duplicate rows are refused."""
    every = list(rows)
    check_rows_once(every)
    by_system: dict[str, list[Row]] = {}
    for row in every:
        by_system.setdefault(row.system, []).append(row)
    return by_system


def _twice(system: str, item: str, first: _Place, second: _Place) -> InputError:
    where = f"line {first[1]}" + ("" if first[0] == second[0] else f" of {first[0]}")
    before = f"; the first is in {where}" if first[1] else ""
    message = f"{system} has a second row for the segment '{item}'{before}"
    return InputError(message, path=second[0], line=second[1])
