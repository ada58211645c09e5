"""A judged set as arrays: human scores, systems, units of resampling, and statistics of metrics.

Units are resampled: documents, or segments with the rows of all systems. A resample counts how
often each unit was taken, so a system's score needs only sums by unit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Pair, Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_number
from otherwords.metrics.base import Metric, text_of
from otherwords.metrics.registry import metric as make_metric
from otherwords.scoring.outside_scores import OutsideMetric
from otherwords.scoring.seen import UNFAMILIAR, Familiarity, find_familiar
from otherwords.scoring.stream import SystemScores, by_row, evaluate, number_repeats, paired_keys
from otherwords.stats.arrays import Array, numbered
from otherwords.stats.intervals import Estimate, Resampling, Sampled, estimate
from otherwords.stats.preferences import Preferences, Ties, preferences
from otherwords.stats.resampling import Counts, Resamples
from otherwords.stats.segments import Places
from otherwords.study.agreement.human_scores import (
    NO_SCORES,
    criteria_of,
    is_control,
    rows_of_systems,
    score_of,
    systems_of,
)

Unit = Literal["segments", "documents"]
Group = Literal["none", "item", "system", "langs"]


@dataclass(frozen=True)
class Scoring:
    """How rows are scored: the number of threads, whether text may be in any language, and a
    callback that receives the number of scored rows.
    """

    threads: int = 1
    any_language: bool = False
    progress: Callable[[int], None] = lambda done: None

    def score(
        self, rows: Sequence[Row], metrics: Mapping[str, Metric], *, every: bool = True
    ) -> tuple[dict[str, Array], list[SystemScores]]:
        """Return the statistics of each metric in the order of the rows, and scores by system.

        A row whose text is too long for a metric is refused; without `every` its statistics are
        NaN.
        """
        scored = evaluate(
            rows,
            metrics,
            threads=self.threads,
            any_language=self.any_language,
            progress=self.progress,
        )
        for system in scored if every else ():
            for problem in system.problems.values():
                raise InputError(problem.reason, path=problem.path, line=problem.line)
        return by_row(rows, scored), scored


def metrics_by_label(metrics: Mapping[str, Metric] | Sequence[str] | str) -> Mapping[str, Metric]:
    """Return metrics by label; a name is its own label."""
    if isinstance(metrics, Mapping):
        return metrics
    return {
        name: make_metric(name) for name in ([metrics] if isinstance(metrics, str) else metrics)
    }


def once(size: int) -> Counts:
    """The whole set as a resample: every unit once."""
    return np.ones((1, size), dtype=np.uint16)


def estimate_over(
    measure: Callable[[Counts], Array], size: int, resampling: Resampling | None, points: int = 0
) -> Estimate:
    """Estimate a measure of `size` units; `points` counts its points if they are not the units."""
    blocks: Iterable[Counts] = ()
    if resampling is not None and size > 1:
        blocks = Resamples(size, resampling.resamples, resampling.seed)
    draws = np.concatenate([np.zeros(0), *map(measure, blocks)])
    sampled = Sampled(float(measure(once(size))[0]), points or size, draws)
    return estimate(sampled, resampling, alone=size < 2)


@dataclass(frozen=True)
class JudgedRows:
    """Rows as arrays: human scores (NaN if none), systems, units of resampling.

    `units[row]` is the number of the row's document or segment, `unit` says which.
    """

    human: Mapping[str, Array]
    systems: Mapping[str, Places]
    units: Places
    unit: Unit

    @property
    def size(self) -> int:
        return int(self.units.max()) + 1 if len(self.units) else 0


def judged_rows(
    rows: Sequence[Row], criteria: Sequence[str], keys: Sequence[str], unit: Unit | None = None
) -> JudgedRows:
    """Turn rows into arrays, with the human scores of these criteria.

    Rows with the same key belong to the same segment. The default unit of resampling is documents
    if rows have them, else segments.
    """
    chosen, names = _choose_units(rows, keys, unit)
    human = {name: np.array([score_of(row, name) for row in rows]) for name in criteria}
    return JudgedRows(human, rows_of_systems(rows), numbered(names), chosen)


def _choose_units(
    rows: Sequence[Row], keys: Sequence[str], unit: Unit | None
) -> tuple[Unit, Sequence[str]]:
    """Return the unit of resampling, and the unit that each row belongs to."""
    if unit not in (None, "segments", "documents"):
        raise UsageError(f"unit must be segments or documents, not {unit!r}")
    documents = [] if unit == "segments" else [row.doc for row in rows if row.doc is not None]
    if documents and len(documents) != len(rows):
        row = next(row for row in rows if row.doc is None)
        message = "this row has no document, but others have one; give it to all or to none"
        raise InputError(message, path=row.path, line=row.line)
    if unit == "documents" and not documents:
        raise UsageError("documents cannot be resampled: no row has one (its key is 'doc')")
    return ("documents", documents) if documents else ("segments", keys)


@dataclass(frozen=True)
class SystemSums:
    """Sums of statistics and of human scores by unit and system; a resample weights them.

    `fixed` holds human scores of the systems that no resample changes.
    """

    metric: Metric
    statistics: Array  # [units, systems, columns]
    human: Array  # [units, systems]
    rows: Array  # [units, systems]: the number of rows
    fixed: Array | None = None

    @property
    def known(self) -> Places:
        """The systems with a row that counts and a human score."""
        there = self.rows.sum(axis=0) > 0
        return np.flatnonzero(there & np.isfinite(self.people(once(len(self.rows)))[0]))

    @property
    def systems(self) -> int:
        return len(self.known)

    def scores(self, times: Counts) -> Array:
        """Return each system's corpus score in each resample; NaN if none of its rows is in it."""
        weights = times.astype(np.float64)
        units, systems, columns = self.statistics.shape
        sums = (weights @ self.statistics.reshape(units, -1)).reshape(-1, systems, columns)
        there = weights @ self.rows > 0
        scores = np.full(sums.shape[:2], np.nan)
        scores[there] = self.metric.corpus_scores(sums[there])
        return scores

    def people(self, times: Counts) -> Array:
        """Return each system's mean human score in each resample; NaN if it has no row there."""
        if self.fixed is not None:
            return np.broadcast_to(self.fixed, (len(times), len(self.fixed)))
        weights = times.astype(np.float64)
        rows = weights @ self.rows
        return np.where(rows > 0, weights @ self.human / np.maximum(rows, 1), np.nan)

    def with_fixed(self) -> SystemSums:
        """Fix the human scores at those of the whole set, as ParaEval does (§4.1)."""
        return replace(self, fixed=self.people(once(len(self.rows)))[0])


def system_sums(
    judged: JudgedRows,
    people: Array,
    metric: Metric,
    statistics: Array,
    known: NDArray[np.bool_],
    *,
    fixed: Mapping[str, float] | None = None,
) -> SystemSums:
    """Sum statistics and human scores over the rows that have a score.

    `known` marks rows that have statistics. Without `fixed` human scores of systems, only rows with
    a human score count.
    """
    counts = known if fixed is not None else known & np.isfinite(people)
    shape = judged.size, len(judged.systems)
    of_statistics = np.zeros((*shape, statistics.shape[1]))
    of_people, of_rows = np.zeros(shape), np.zeros(shape)
    for system, rows in enumerate(judged.systems.values()):
        mine = rows[counts[rows]]
        units = judged.units[mine]
        np.add.at(of_statistics[:, system], units, statistics[mine])
        np.add.at(of_rows[:, system], units, 1)
        if fixed is None:
            np.add.at(of_people[:, system], units, people[mine])
    fixed_scores = None
    if fixed is not None:
        fixed_scores = np.array([fixed.get(system, np.nan) for system in judged.systems])
    return SystemSums(metric, of_statistics, of_people, of_rows, fixed_scores)


@dataclass(frozen=True)
class ScoredRows:
    """A metric with its statistics for each row; `known` marks the rows that have them.

    `segments` holds the scores of the rows, reversed if lower is better, NaN where there is none.
    `familiarity` says whether the metric was trained on these rows.
    """

    label: str
    metric: Metric
    statistics: Array = field(repr=False)
    known: NDArray[np.bool_] = field(repr=False)
    segments: Array = field(repr=False)
    familiarity: Familiarity = UNFAMILIAR

    def among(self, rows: NDArray[np.bool_]) -> ScoredRows:
        """Restrict the scores to these rows."""
        segments = np.where(rows, self.segments, np.nan)
        return replace(self, known=self.known & rows, segments=segments)

    @property
    def sign(self) -> float:
        """-1 for a metric whose lower scores are better."""
        return 1.0 if self.metric.traits.higher_is_better else -1.0


def score_rows(
    rows: Sequence[Row], metrics: Mapping[str, Metric], scoring: Scoring
) -> list[ScoredRows]:
    """Score all rows with each metric; metrics read from score files are not computed."""
    ours = {
        label: metric for label, metric in metrics.items() if not isinstance(metric, OutsideMetric)
    }
    statistics: dict[str, Array] = {}
    familiarities: dict[str, Familiarity] = {}
    if ours:
        statistics, scored = scoring.score(rows, ours, every=False)
        familiarities = find_familiar(ours, scored)
    result = []
    for label, metric in metrics.items():
        mine = metric.known(rows) if isinstance(metric, OutsideMetric) else statistics[label]
        known = np.asarray(np.isfinite(mine).all(axis=1))
        scores = np.full(len(rows), np.nan)
        if metric.by_segment:
            scores[known] = metric.segment_scores(mine[known])
        sign = 1.0 if metric.traits.higher_is_better else -1.0
        filled = np.where(known[:, None], mine, 0)
        familiarity = familiarities.get(label, UNFAMILIAR)
        result.append(ScoredRows(label, metric, filled, known, sign * scores, familiarity))
    return result


def rows_that_count(
    rows: Sequence[Row],
    human: str,
    system_human: Mapping[str, float] | None,
    controls: bool,
) -> tuple[list[Row], list[str]]:
    """Return the rows that count, and remarks on rows and systems that are left out.

    Rows need the human score, unless scores of systems replace it. Control rows count only with
    `controls`.
    """
    _check_ids(rows)
    rows = list(number_repeats(rows))
    remarks = []
    chosen = [row for row in rows if controls or not is_control(row)]
    if len(chosen) < len(rows):
        remarks.append(f"rows of controls, left out: {len(rows) - len(chosen)}")
    if not chosen:
        raise UsageError("all rows are controls" if rows else "there are no rows")
    if system_human is not None:
        systems = {system for row in chosen for system in systems_of(row)}
        if systems.isdisjoint(system_human):
            raise UsageError("none of the systems with a human score has a row")
        for what, names in (
            ("systems with a human score, without rows", set(system_human) - systems),
            ("systems without a human score, left out", systems - set(system_human)),
        ):
            if names:
                remarks.append(f"{what}: {', '.join(sorted(names))}")
        return [row for row in chosen if not set(system_human).isdisjoint(systems_of(row))], remarks
    known = criteria_of(chosen)
    if human not in known:
        hint = near(human, known) if known else NO_SCORES
        raise UsageError(f"no row has the human score '{human}'; {hint}")
    judged = [row for row in chosen if human in criteria_of([row])]
    if len(judged) < len(chosen):
        remarks.append(f"rows without {human}, left out: {len(chosen) - len(judged)}")
    return judged, remarks


def _check_ids(rows: Sequence[Row]) -> None:
    """Refuse a row that was read twice, because it would count twice."""
    seen: dict[tuple[str, str], Row] = {}
    for row in rows:
        if row.id is None:
            continue
        first = seen.setdefault((row.system, row.id), row)
        if first is not row:
            what = f"'{row.system}' has the id '{row.id}' twice"
            if first.line is not None:
                of = "" if first.path == row.path else f" of {first.path}"
                what += f"; the first is in line {first.line}{of}"
            raise InputError(what, path=row.path, line=row.line)


@dataclass(frozen=True)
class JudgedArrays:
    """A judged set, ready for any metric.

    Segments are correlated within each of `groups`, systems within each of `parts`. Each entry of
    `items` lists the rows of one segment. `system_human` has human scores of systems where segments
    have none. `trials`, `trials_max` and `seed` configure permutation tests. With
    `resample_systems`, coefficients over systems resample the systems as well as the units.
    """

    judged: JudgedRows
    people: Array
    groups: Sequence[Places]
    parts: Sequence[Places]
    items: Sequence[Places]
    pairs: Preferences
    ties: Ties = "wrong"
    system_human: Mapping[str, float] | None = None
    trials: int = 1000
    trials_max: int = 1000
    seed: int = 0
    resample_systems: bool = False


def arrays_of_rows(
    rows: Sequence[Row],
    human: str,
    *,
    group: Group,
    unit: Unit | None,
    system_human: Mapping[str, float] | None,
    ties: Ties,
    margin: float,
    paired: bool = True,
) -> JudgedArrays:
    """Build the arrays of rows that have a human score, or whose systems have one.

    Segments are correlated within groups. `ties` and `margin` say how better/worse pairs of rows
    are formed, `paired` whether they are needed.
    """
    check_number("margin", margin, 0, 1e300)
    if group == "langs" and all(row.langs is None for row in rows):
        raise UsageError("no row has `langs`, so there is nothing to group by")
    keys = paired_keys(rows)
    judged = judged_rows(rows, [human], keys, unit)
    people = judged.human[human]
    langs, items = _places([row.langs or "" for row in rows]), _items(rows, keys)
    every = [np.arange(len(rows))]
    systems = list(judged.systems.values())
    groups = {"none": every, "item": items, "system": systems, "langs": langs}[group]
    of_pair = numbered(row.langs if group == "langs" else None for row in rows)
    # A pair compares two systems, so there are no pairs within one system.
    compared = items if paired and group != "system" else []
    pairs = preferences(people, compared, judged.units, of_pair, margin)
    parts = langs if group == "langs" else every
    return JudgedArrays(
        *(judged, people, groups, parts, items, pairs, ties, system_human),
        resample_systems=unit is None,
    )


def arrays_of_pairs(
    pairs: Sequence[Pair], *, group: Group, unit: Unit | None, ties: Ties
) -> tuple[list[Row], JudgedArrays]:
    """Return each distinct text of better/worse judgements as a row, and the arrays."""
    if group not in ("none", "langs"):
        raise UsageError(f"better/worse pairs can be grouped by langs, not by {group}")
    place: dict[tuple[str, str, str], int] = {}
    rows: list[Row] = []
    places = []
    for pair in pairs:
        for row in (pair.better, pair.worse):
            key = text_of(row.hypothesis), _segment(row), row.langs or ""
            if key not in place:
                place[key] = len(rows)
                rows.append(row)
            places.append(place[key])
    better, worse = np.array(places, dtype=np.intp).reshape(-1, 2).T
    keys = [_segment(row) for row in rows]
    judged = judged_rows(rows, [], keys, unit)
    groups = numbered(row.langs if group == "langs" else None for row in rows)
    units = judged.units
    judgements = Preferences(better, worse, units[better], units[worse], groups[better])
    people = np.full(len(rows), np.nan)
    every = [np.arange(len(rows))]
    return rows, JudgedArrays(judged, people, every, every, _items(rows, keys), judgements, ties)


def _segment(row: Row) -> str:
    """Return the segment key of a row: its item, else its references and source."""
    texts = (*row.references, *([row.source] if row.source else []))
    return row.item or "\0".join(text_of(text) for text in texts)


def _items(rows: Sequence[Row], keys: Sequence[str]) -> list[Places]:
    return _places([f"{row.langs or ''}\t{key}" for row, key in zip(rows, keys, strict=True)])


def _places(names: Sequence[str]) -> list[Places]:
    """Group row numbers by name, in order of first appearance."""
    numbers = numbered(names)
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1) if len(order) else []
