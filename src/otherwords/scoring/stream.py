"""Score a stream of rows with several metrics.

Only the statistics are kept, so memory does not grow with the length of the texts. Systems can be
compared only on the same segments; this module also finds which segments they share.
"""

from __future__ import annotations

import hashlib
import warnings
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import UNNAMED, Coverage, Row, find_coverage
from otherwords.errors import (
    InputError,
    LanguageError,
    LongTextWarning,
    RepeatWarning,
    UsageError,
)
from otherwords.metrics.base import Explanation, Metric, text_of
from otherwords.metrics.inputs import Segments
from otherwords.scoring.problems import (
    INPUT,
    Problem,
    Reading,
    describe,
    find_length,
    find_problem,
    score_rows,
)
from otherwords.scoring.seen import seen_rows
from otherwords.stats.arrays import Array
from otherwords.text.language import check_english, explain_other
from otherwords.text.sentence import Sentence

BATCH = 4096
ANNOTATED = "|input:annotated"  # in signatures: a text came with its own tokens
_Place = tuple[str | None, int | None]  # a file and a line of it
_Computed = tuple[
    list[Row], dict[str, tuple[Array, NDArray[np.bool_]]], dict[int, Problem]
]  # rows, statistics and missing rows by metric, problems


@dataclass(frozen=True)
class SystemScores:
    """All results of one system; `statistics` are by the labels of the metrics.

    `items` are the segments' names, else their numbers; `keys` identify the same segment in two
    systems: the names, else the texts that the segments are compared with. `paths` and `lines` (0
    if unknown) are the places of the rows in the input; `seen` marks those that metrics were
    trained on. The `rows` themselves are kept on request, else the hashes of their `contents`.
    `missing` marks the segments that a metric cannot score; their statistics are 0.
    """

    system: str
    statistics: Mapping[str, Array]
    items: Sequence[str]
    keys: Sequence[str]
    docs: Sequence[str] | None
    annotated: bool = False  # whether any text came with its own tokens
    paths: Sequence[str | None] = ()
    lines: Sequence[int] = ()
    seen: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)
    rows: Sequence[Row] = ()
    hashes: Sequence[int] = ()
    problems: Mapping[int, Problem] = field(default_factory=dict)  # by the place of the segment
    missing: Mapping[str, NDArray[np.bool_]] = field(default_factory=dict)

    def segment_scores(self, label: str, metric: Metric) -> Array:
        """The segments' scores by the metric of a label or by a part of it; NaN where missing."""
        scores = metric.segment_scores(self.statistics[label])
        if label in self.missing:
            scores[self.missing[label]] = np.nan
        return scores

    def scored_by(self, label: str) -> SystemScores:
        """The segments that have a score by a metric, which intervals and tests resample."""
        if label not in self.missing:
            return self
        return self.pick(np.flatnonzero(~self.missing[label]).tolist())

    @cached_property
    def contents(self) -> Sequence[int]:
        """Hashes of what each segment is compared with: the same where keys are the same."""
        return self.hashes or [row.content for row in self.rows]

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
            seen={label: marks[places] for label, marks in self.seen.items()},
            rows=[self.rows[place] for place in places] if self.rows else (),
            hashes=[self.hashes[place] for place in places] if self.hashes else (),
            problems={
                place: self.problems[before]
                for place, before in enumerate(places)
                if before in self.problems
            },
            missing={label: marks[places] for label, marks in self.missing.items()},
        )


@dataclass
class _Growing:
    """`SystemScores` while rows still come in."""

    statistics: dict[str, list[Array]] = field(default_factory=dict)
    items: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    times: Counter[str] = field(default_factory=Counter)
    docs: list[str | None] = field(default_factory=list)
    annotated: bool = False
    paths: list[str | None] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("q"))
    seen: dict[str, list[NDArray[np.bool_]]] = field(default_factory=dict)
    rows: list[Row] = field(default_factory=list)
    hashes: array[int] = field(default_factory=lambda: array("q"))
    problems: dict[int, Problem] = field(default_factory=dict)
    missing: dict[str, list[NDArray[np.bool_]]] = field(default_factory=dict)

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
        self.annotated = self.annotated or (
            Sentence in {type(row.hypothesis) for row in rows}
            or Sentence in {type(row.source) for row in rows}
            or Sentence in set(map(type, chain.from_iterable(row.references for row in rows)))
        )
        if keep:
            self.rows += rows
        else:
            self.hashes.extend(row.content for row in rows)

    def finish(self, system: str) -> SystemScores:
        docs = [doc for doc in self.docs if doc is not None]
        if docs and len(docs) != len(self.docs):
            raise InputError(f"some segments of {system} have a document id and others have none")
        return SystemScores(
            system,
            # One metric at a time, so that only one is in memory twice.
            {label: np.concatenate(self.statistics.pop(label)) for label in list(self.statistics)},
            self.items,
            self.keys,
            docs or None,
            self.annotated,
            self.paths,
            self.lines,
            {label: np.concatenate(parts) for label, parts in self.seen.items()},
            self.rows,
            self.hashes,
            self.problems,
            {
                label: marks
                for label, parts in self.missing.items()
                if (marks := np.concatenate(parts)).any()
            },
        )


def evaluate(
    rows: Iterable[Row],
    metrics: Mapping[str, Metric],
    *,
    threads: int = 1,
    any_language: bool = False,
    find_problems: bool = False,
    keep: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> list[SystemScores]:
    """Score a stream of rows with all metrics, in batches; systems come out in the order in which
    they first appear. With several `threads` the next rows are read in the meantime.

    `find_problems` records the problems of each row; without it, rows are scored as they are, but
    for texts that are too long for a metric, and only a sample of each system must be English.
    `keep` keeps the rows in memory.
    """
    growing: dict[str, _Growing] = {}
    unread = iter(rows)
    size = min([BATCH, *(metric.at_once for metric in metrics.values())])
    reading = Reading.of(metrics.values(), any_language)

    def batches() -> Iterator[list[Row]]:
        known: set[str] = set()
        while batch := list(islice(unread, size)):
            if not any_language and not find_problems:
                _check_language(batch, known, metrics)
                known.update(row.system for row in batch)
            yield batch

    def compute(batch: list[Row]) -> _Computed:
        find = find_problem if find_problems else find_length
        named = ((place, find(row, reading)) for place, row in enumerate(batch))
        problems = {place: problem for place, problem in named if problem is not None}
        scored = {
            label: score_rows(metric, batch, problems, threads) for label, metric in metrics.items()
        }
        return batch, scored, problems

    scored: Iterable[_Computed] = map(compute, batches())
    if threads > 1:
        from otherwords.io.processes import in_order

        scored = in_order(compute, batches(), 1)
    for computed in scored:
        _collect(growing, computed, metrics, keep)
        progress(len(computed[0]))
    if not growing:
        raise InputError("there is nothing to score: the files have no segments")
    systems = [growing.pop(name).finish(name) for name in list(growing)]
    for scores in systems:
        if not scores.problems:
            continue
        _refuse_unread(scores, metrics)
        if not find_problems:
            for line in describe([*scores.problems.values()], len(scores.items)):
                warnings.warn(line, LongTextWarning, stacklevel=2)
    return systems


def _collect(
    growing: dict[str, _Growing], computed: _Computed, metrics: Mapping[str, Metric], keep: bool
) -> None:
    """Add the statistics of a batch to those of its systems."""
    batch, scored, problems = computed
    seen = {
        label: seen_rows(batch, metric)
        for label, metric in metrics.items()
        if metric.seen is not None
    }
    places = _places(batch)
    for system, mine in places.items():
        into = growing.setdefault(system, _Growing())
        alone = len(places) == 1  # most files have one system: nothing is copied
        before = len(into.items)
        into.add(batch if alone else [batch[place] for place in mine], keep)
        for place, old in enumerate(mine, before):
            if old in problems:
                into.problems[place] = replace(problems[old], item=into.items[place])
        for label, (statistics, missing) in scored.items():
            chosen = statistics if alone else statistics[mine]
            into.statistics.setdefault(label, []).append(chosen)
            into.missing.setdefault(label, []).append(missing if alone else missing[mine])
        for label, marks in seen.items():
            into.seen.setdefault(label, []).append(marks if alone else marks[mine])


def _refuse_unread(system: SystemScores, metrics: Mapping[str, Metric]) -> None:
    """Refuse a system of which no row can be read: this is a wrong file, not a wrong row."""
    foreign = [p for p in system.problems.values() if p.code in ("language", INPUT)]
    unread = [p for p in foreign if p.scored != "as it is"]
    if len(unread) < len(system.items):
        for label, marks in system.missing.items():
            if marks.all():
                raise InputError(f"{label} can score no segment of {system.system}")
        return
    *_, metric = (metric for metric in metrics.values() if metric.traits.english)
    role = "sources" if metric.against == "source" else "references"
    what = f"the {role} of " * (unread[0].code == INPUT) + (unread[0].path or system.system)
    why = explain_other([problem.hypothesis for problem in unread], metric.against)
    raise LanguageError(f"the text of {what}, given to {metric.name}, {why}")


def by_row(rows: Sequence[Row], scored: Iterable[SystemScores]) -> dict[str, Array]:
    """Statistics by metric in the order of the rows, put together from those of the systems; NaN
    for rows without a score.
    """
    places = _places(rows)
    statistics: dict[str, Array] = {}
    for system in scored:
        for label, mine in system.statistics.items():
            whole = statistics.setdefault(label, np.empty((len(rows), mine.shape[1])))
            marks = system.missing.get(label, np.zeros(len(mine), bool))
            whole[places[system.system]] = np.where(marks[:, None], np.nan, mine)
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


def paired_keys(rows: Sequence[Row]) -> list[str]:
    """The keys of segments whose systems are compared: a segment must have the same references and
    source in all systems. Rows without a system may share a name.
    """
    known: dict[tuple[str | None, str], tuple[int, Row]] = {}
    for row in rows:
        if row.item and row.system != UNNAMED:
            content, other = known.setdefault((row.langs, row.item), (row.content, row))
            if content != row.content:
                raise _other_content(row.item, row.system, other.system, (row.path, row.line))
    return segment_keys(rows)


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
    given = f"given to {metric.name},"
    check_english(segments.hypotheses, f"the text of {name}, {given}", metric.against)
    check_english(targets, f"the text of the {role} of {name}, {given}", metric.against)


def explain_row(metric: Metric, row: Row, *, any_language: bool = False) -> Explanation:
    """Why a row has its score, after the same checks as in scoring."""
    if metric.traits.english and not any_language:
        require_english(metric, metric.check_rows([row]), row.path or row.system)
    return metric.explain_row(row)


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
    check_contents(systems)
    common = set.intersection(*(set(system.keys) for system in systems))
    if not common:
        raise UsageError("the systems have no segment in common")
    return [
        system.pick([n for n, key in enumerate(system.keys) if key in common]) for system in systems
    ]


def check_contents(systems: Sequence[SystemScores]) -> None:
    """Refuse segments that have the same name in two systems and other references or another
    source: their scores are not of the same task.
    """
    known: dict[str, tuple[int, SystemScores]] = {}
    for system in systems:
        for place, (key, content) in enumerate(zip(system.keys, system.contents, strict=True)):
            before, other = known.setdefault(key, (content, system))
            if content != before:
                where = _place(system, place)
                raise _other_content(system.items[place], system.system, other.system, where)


def _other_content(item: str, system: str, other: str, where: _Place) -> InputError:
    return InputError(
        f"the segment '{item}' of {system} has other references or another source than that of "
        f"{other}, so they cannot be compared",
        path=where[0],
        line=where[1],
    )


def _place(system: SystemScores, place: int) -> _Place:
    if not system.paths:
        return None, None
    return system.paths[place], system.lines[place] or None


def shared_segments(system: SystemScores, baseline: SystemScores) -> tuple[list[int], list[int]]:
    """Row numbers of the shared segments in both systems, in the order of the first."""
    check_contents([system, baseline])
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
    check_contents(systems)
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


# Several rows for one segment


def number_repeats(rows: Iterable[Row]) -> Iterator[Row]:
    """Pass the rows on; the second row of a system for the segment `7` becomes that of `7 (2)`.

    Repeats are thus matched between systems in the order of the input; one warning counts them.
    Rows without a system may be several texts for one segment and stay as they are.
    """
    times: dict[tuple[str, str | None], Counter[str]] = {}
    repeats = 0
    first: Row | None = None
    for row in rows:
        if row.item is not None and row.system != UNNAMED:
            mine = times.setdefault((row.system, row.langs), Counter())
            mine[row.item] += 1
            if mine[row.item] > 1:
                repeats += 1
                first = first or row
                row = replace(row, item=f"{row.item} ({mine[row.item]})")
        yield row
    if first is not None:
        where = ":".join(str(part) for part in (first.path, first.line) if part is not None)
        many = f"{repeats:,} rows repeat" if repeats > 1 else "1 row repeats"
        warnings.warn(
            f"{where and f'{where}: '}{first.system} has a second row for the segment "
            f"'{first.item}'; {many} a segment of the same system, and each counts as a segment "
            "of its own, matched in the order of the input",
            RepeatWarning,
            stacklevel=2,
        )


def rows_by_system(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of each system, with repeats numbered."""
    by_system: dict[str, list[Row]] = {}
    for row in number_repeats(rows):
        by_system.setdefault(row.system, []).append(row)
    return by_system
