"""A judged set as arrays, and the coefficients of a metric on it and on its resamples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Pair, Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_number
from otherwords.metrics.base import Array, MeanMetric, Metric, text_of
from otherwords.scoring.coverage import check_rows_once
from otherwords.scoring.given import Given
from otherwords.scoring.seen import UNFAMILIAR, Familiarity, familiar
from otherwords.scoring.stream import by_row, segment_keys
from otherwords.scoring.stream import evaluate as score_rows
from otherwords.stats.arrays import numbered
from otherwords.stats.intervals import Sampled
from otherwords.stats.preferences import Preferences, Ties, better_worse, preferences
from otherwords.stats.resampling import Counts
from otherwords.stats.segments import (
    Places,
    SegmentScores,
    correlation_each,
    mean_known,
    soft_accuracy_resampled,
    soft_pairs,
)
from otherwords.study.agreement.human_scores import (
    criteria_of,
    is_control,
    rows_of_systems,
    score_of,
    systems_of,
)

__all__ = [
    "Group",
    "JudgedArrays",
    "JudgedRows",
    "ScoredRows",
    "SystemSums",
    "Unit",
    "arrays_of_pairs",
    "arrays_of_rows",
    "judged_rows",
    "rows_that_count",
    "score",
    "segment_level",
    "system_level",
    "system_sums",
]

Unit = Literal["segments", "documents", "systems"]


@dataclass(frozen=True)
class JudgedRows:
    """Rows as arrays: human scores (NaN if none), systems, units of resampling.

    `units[row]` is the number of the row's document, segment or system, `unit` says which.
    """

    human: Mapping[str, Array]
    systems: Mapping[str, NDArray[np.intp]]
    units: NDArray[np.intp]
    unit: Unit

    @property
    def size(self) -> int:
        """How many units there are."""
        return int(self.units.max()) + 1 if len(self.units) else 0


def judged_rows(
    rows: Sequence[Row], criteria: Sequence[str], keys: Sequence[str], unit: Unit | None = None
) -> JudgedRows:
    """The rows as arrays; `keys` say which rows are of the same segment.

    Unless a unit is named, documents are resampled where rows have them, else segments.
    """
    chosen, names = _names(rows, keys, unit)
    return JudgedRows(
        {name: np.array([score_of(row, name) for row in rows]) for name in criteria},
        rows_of_systems(rows),
        numbered(names),
        chosen,
    )


def _names(
    rows: Sequence[Row], keys: Sequence[str], unit: Unit | None
) -> tuple[Unit, Sequence[str]]:
    """The unit of resampling, and which of them each row is of."""
    if unit == "systems":
        several = next((row for row in rows if len(systems_of(row)) > 1), None)
        if several is not None:
            message = "several systems produced this row, so that systems cannot be resampled"
            raise InputError(message, path=several.path, line=several.line)
        return unit, [systems_of(row)[0] for row in rows]
    documents = [] if unit == "segments" else _documents(rows)
    if unit == "documents" and not documents:
        raise UsageError("documents cannot be resampled: no row has one (its key is 'doc')")
    return ("documents", documents) if documents else ("segments", keys)


def _documents(rows: Sequence[Row]) -> list[str]:
    """The documents of the rows; none if no row has one."""
    found = [row.doc for row in rows if row.doc is not None]
    if found and len(found) != len(rows):
        lacking = next(row for row in rows if row.doc is None)
        message = "this row has no document, but others have one; give it to all or to none"
        raise InputError(message, path=lacking.path, line=lacking.line)
    return found


@dataclass(frozen=True)
class SystemSums:
    """What a resample weighs: sums of statistics and human scores by unit and system.

    `fixed` are human scores of the systems that no resample changes.
    """

    metric: Metric
    statistics: Array  # [units, systems, columns]
    human: Array  # [units, systems]
    rows: Array  # [units, systems]: how many
    fixed: Array | None = None

    @property
    def systems(self) -> int:
        """How many systems have a row that counts and a human score."""
        there = self.rows.sum(axis=0) > 0
        return int((there & np.isfinite(self.people(_every(self))[0])).sum())

    def scores(self, times: Counts) -> Array:
        """Each system's corpus score in each resample; NaN where it has no row of it."""
        weights = times.astype(np.float64)
        units, systems, columns = self.statistics.shape
        sums = (weights @ self.statistics.reshape(units, -1)).reshape(-1, systems, columns)
        there = weights @ self.rows > 0
        scores = np.full(sums.shape[:2], np.nan)
        if type(self.metric).from_sums is MeanMetric.from_sums:
            np.divide(sums[..., 0], sums[..., -1], out=scores, where=there)
            return scores
        for draw, system in np.argwhere(there):
            scores[draw, system] = self.metric.from_sums(sums[draw, system])
        return scores

    def people(self, times: Counts) -> Array:
        """Each system's mean human score in each resample; NaN where it has no row of it."""
        if self.fixed is not None:
            return np.broadcast_to(self.fixed, (len(times), len(self.fixed)))
        weights = times.astype(np.float64)
        rows = weights @ self.rows
        return np.where(rows > 0, weights @ self.human / np.maximum(rows, 1), np.nan)

    def with_fixed(self) -> SystemSums:
        """The same with the human scores of the whole set, as ParaEval's were (§4.1)."""
        return replace(self, fixed=self.people(_every(self))[0])


def _every(sums: SystemSums) -> Counts:
    return np.ones((1, len(sums.rows)), dtype=np.uint16)


def system_sums(
    judged: JudgedRows,
    people: Array,
    metric: Metric,
    statistics: Array,
    known: NDArray[np.bool_],
    *,
    fixed: Mapping[str, float] | None = None,
) -> SystemSums:
    """The sums over the rows that are known; these need a human score unless systems have one."""
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
    given = None
    if fixed is not None:
        given = np.array([fixed.get(system, np.nan) for system in judged.systems])
    return SystemSums(metric, of_statistics, of_people, of_rows, given)


BETTER_WORSE = "better-worse"
SOFT = "soft-accuracy"


@dataclass(frozen=True)
class JudgedArrays:
    """A judged set, ready for any metric.

    `groups` are rows within which segments are correlated, `parts` those within which systems
    are; `items` are the rows of one segment; `system_human` are human scores of systems that
    have none of segments.
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
    seed: int = 0
    trials_max: int = 1000  # of a permutation test


@dataclass(frozen=True)
class ScoredRows:
    """A metric with the statistics of each row, and whether it has any of it.

    `segments` are the scores of the rows, higher being better, NaN where there is none.
    `familiarity` says whether it was trained on them.
    """

    label: str
    metric: Metric
    statistics: Array = field(repr=False)
    known: NDArray[np.bool_] = field(repr=False)
    segments: Array = field(repr=False)
    familiarity: Familiarity = UNFAMILIAR

    def among(self, rows: NDArray[np.bool_]) -> ScoredRows:
        """The same with these rows alone."""
        segments = np.where(rows, self.segments, np.nan)
        return replace(self, known=self.known & rows, segments=segments)

    @property
    def sign(self) -> float:
        """-1 for a metric whose lower scores are better."""
        return 1.0 if self.metric.traits.higher_is_better else -1.0


def segment_level(
    scored: ScoredRows,
    arrays: JudgedArrays,
    names: Sequence[str],
    blocks: Iterable[Counts],
    *,
    threads: int = 1,
) -> tuple[dict[str, Sampled], float]:
    """Each coefficient over segments, and the threshold of ties on the metric's scale."""
    scores = np.where(scored.known, scored.segments, np.nan)
    both = SegmentScores(scores, arrays.people, arrays.judged.units, arrays.groups)
    within = [name for name in names if name != BETTER_WORSE]
    drawn: dict[str, list[Array]] = {name: [] for name in names}
    for times in blocks:
        for name, draws in both.drawn(within, times, threads=threads).items():
            drawn[name].append(draws)
        if BETTER_WORSE in names:
            drawn[BETTER_WORSE].append(better_worse(scores, arrays.pairs, times, ties=arrays.ties))
    found = {}
    for name in within:
        values = both.by_group(name, threads=threads)
        left_out = int(np.isnan(values).sum())
        found[name] = Sampled(
            float(mean_known(values)) if len(values) else np.nan,
            both.size,
            _joined(drawn[name]),
            len(values) - left_out,
            left_out,
        )
    if BETTER_WORSE in names:
        every = np.ones((1, arrays.judged.size), dtype=np.uint16)
        value = float(better_worse(scores, arrays.pairs, every, ties=arrays.ties)[0])
        among = arrays.pairs.among(scores)
        groups = len(np.unique(among.groups))
        found[BETTER_WORSE] = Sampled(
            value, len(among.better), _joined(drawn[BETTER_WORSE]), groups
        )
    return found, both.threshold if "accuracy" in names and both.size else 0.0


def system_level(
    scored: ScoredRows, arrays: JudgedArrays, names: Sequence[str], blocks: Iterable[Counts]
) -> dict[str, Sampled]:
    """Each coefficient over systems, within each part of the set, averaged."""
    sums = [sums_of(scored, arrays, part) for part in arrays.parts]
    every = np.ones((1, arrays.judged.size), dtype=np.uint16)
    whole = [_over_systems(one, names, scored.sign, every) for one in sums]
    drawn = [_drawn_systems(one, names, scored.sign, arrays, blocks) for one in sums]
    found = {}
    for name in names:
        if name == SOFT:
            found[name] = _soft(scored, arrays, blocks)
            continue
        values = np.array([one[name][0] for one in whole])
        left_out = int(np.isnan(values).sum())
        draws = mean_known(np.array([one[name] for one in drawn]))
        found[name] = Sampled(
            float(mean_known(values)),
            sum(one.systems for one in sums),
            draws,
            len(values) - left_out,
            left_out,
        )
    return found


def sums_of(scored: ScoredRows, arrays: JudgedArrays, part: Places) -> SystemSums:
    """The sums of a part of the rows."""
    known = np.zeros(len(arrays.people), dtype=bool)
    known[part] = scored.known[part]
    return system_sums(
        arrays.judged,
        arrays.people,
        scored.metric,
        scored.statistics,
        known,
        fixed=arrays.system_human,
    )


def _over_systems(
    sums: SystemSums, names: Sequence[str], sign: float, times: Counts
) -> dict[str, Array]:
    x, y = sign * sums.scores(times), sums.people(times)
    return {name: correlation_each(name, x, y) for name in names if name != SOFT}


def _drawn_systems(
    sums: SystemSums,
    names: Sequence[str],
    sign: float,
    arrays: JudgedArrays,
    blocks: Iterable[Counts],
) -> dict[str, Array]:
    found: dict[str, list[Array]] = {name: [] for name in names if name != SOFT}
    every = np.ones((1, arrays.judged.size), dtype=np.uint16)
    for times in blocks:
        if arrays.judged.unit == "systems":
            drawn = taken(times)
            x, y = (side[0][drawn] for side in (sign * sums.scores(every), sums.people(every)))
            block = {name: correlation_each(name, x, y) for name in found}
        else:
            block = _over_systems(sums, names, sign, times)
        for name, draws in block.items():
            found[name].append(draws)
    return {name: _joined(draws) for name, draws in found.items()}


def taken(times: Counts) -> Places:
    """The units of each resample, each as often as it is in it.

    >>> taken(np.array([[2, 0, 1]], dtype=np.uint16)).tolist()
    [[0, 0, 2]]
    """
    return np.array([np.repeat(np.arange(times.shape[1]), one) for one in times], dtype=np.intp)


def _soft(scored: ScoredRows, arrays: JudgedArrays, blocks: Iterable[Counts]) -> Sampled:
    """Soft pairwise accuracy, from the segments of systems, within each part."""
    values, drawn, systems = [], [], 0
    for part in arrays.parts:
        mine = np.zeros(len(arrays.people), dtype=bool)
        mine[part] = True
        scores = np.where(mine & scored.known, scored.segments, np.nan)
        x, y = (_table(side, arrays) for side in (scores, arrays.people))
        pairs = soft_pairs(x, y, trials=arrays.trials, seed=arrays.seed)
        values.append(_mean_of(pairs))
        systems += int((np.isfinite(x) & np.isfinite(y)).any(axis=1).sum())
        drawn.append(_joined([_soft_drawn(x, y, pairs, arrays, times) for times in blocks]))
    left_out = int(np.isnan(values).sum())
    return Sampled(
        float(mean_known(np.array(values))),
        systems,
        mean_known(np.array(drawn)),
        len(values) - left_out,
        left_out,
    )


def _soft_drawn(x: Array, y: Array, pairs: Array, arrays: JudgedArrays, times: Counts) -> Array:
    if arrays.judged.unit == "systems":
        return np.array([_mean_of(pairs[np.ix_(one, one)]) for one in taken(times)])
    units = np.array([arrays.judged.units[rows[0]] for rows in arrays.items], dtype=np.intp)
    return soft_accuracy_resampled(x, y, times[:, units].astype(np.float64))


def _mean_of(pairs: Array) -> float:
    return float(mean_known(pairs.ravel()))


def _table(values: Array, arrays: JudgedArrays) -> Array:
    """Scores [systems, segments], the mean where a system has several rows of a segment."""
    number = np.empty(len(values), dtype=np.intp)
    for segment, rows in enumerate(arrays.items):
        number[rows] = segment
    found = np.full((len(arrays.judged.systems), len(arrays.items)), np.nan)
    for system, rows in enumerate(arrays.judged.systems.values()):
        mine = rows[np.isfinite(values[rows])]
        sums = np.bincount(number[mine], weights=values[mine], minlength=len(arrays.items))
        times = np.bincount(number[mine], minlength=len(arrays.items))
        found[system] = np.where(times > 0, sums / np.maximum(times, 1), np.nan)
    return found


def _joined(blocks: Sequence[Array]) -> Array:
    return np.concatenate(blocks) if blocks else np.zeros(0)


Group = Literal["none", "item", "system", "langs"]


def rows_that_count(
    rows: Sequence[Row],
    human: str,
    system_human: Mapping[str, float] | None,
    controls: bool,
) -> tuple[list[Row], list[str]]:
    """The rows that count, and what is left out."""
    _check_once(rows)
    notes = []
    kept = [row for row in rows if controls or not is_control(row)]
    if len(kept) < len(rows):
        notes.append(f"rows of controls, left out: {len(rows) - len(kept)}")
    if not kept:
        raise UsageError("all rows are controls" if rows else "there are no rows")
    if system_human is not None:
        return _of_systems(kept, system_human, notes)
    known = criteria_of(kept)
    if human not in known:
        hint = near(human, known) if known else "there are no human scores at all"
        raise UsageError(f"no row has the human score '{human}'; {hint}")
    judged = [row for row in kept if human in criteria_of([row])]
    if len(judged) < len(kept):
        notes.append(f"rows without {human}, left out: {len(kept) - len(judged)}")
    return judged, notes


def _check_once(rows: Sequence[Row]) -> None:
    """A row that is read twice would count twice."""
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
    check_rows_once(rows)


def _of_systems(
    rows: list[Row], system_human: Mapping[str, float], notes: list[str]
) -> tuple[list[Row], list[str]]:
    systems = {system for row in rows for system in systems_of(row)}
    there = [name for name in system_human if name in systems]
    if not there:
        raise UsageError("none of the systems with a human score has a row")
    for what, names in (
        ("systems with a human score, without rows", set(system_human) - systems),
        ("systems without a human score, left out", systems - set(system_human)),
    ):
        if names:
            notes.append(f"{what}: {', '.join(sorted(names))}")
    return [row for row in rows if not set(system_human).isdisjoint(systems_of(row))], notes


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
    """The arrays of rows that have a human score, or whose systems have one; pairs of rows are
    looked for if they are `paired`.
    """
    check_number("margin", margin, 0, 1e300)
    if group == "langs" and all(row.langs is None for row in rows):
        raise UsageError("no row has `langs`, so there is nothing to group by")
    keys = segment_keys(rows)
    judged = judged_rows(rows, [human], keys, unit)
    people = judged.human[human]
    langs, items = _langs(rows), _items(rows, keys)
    every = [np.arange(len(rows))]
    groups = {
        "none": every,
        "item": items,
        "system": list(judged.systems.values()),
        "langs": langs,
    }[group]
    of_pair = _numbers(langs, len(rows)) if group == "langs" else np.zeros(len(rows), dtype=np.intp)
    # Pairs are of two systems, and cannot be within one.
    compared = items if paired and group != "system" else []
    pairs = preferences(people, compared, judged.units, of_pair, margin)
    parts = langs if group == "langs" else every
    return JudgedArrays(judged, people, groups, parts, items, pairs, ties, system_human)


def arrays_of_pairs(
    pairs: Sequence[Pair], *, group: Group, unit: Unit | None, ties: Ties
) -> tuple[list[Row], JudgedArrays]:
    """The texts of better/worse judgements, each once, and their arrays."""
    if group not in ("none", "langs"):
        raise UsageError(f"better/worse pairs can be grouped by langs, not by {group}")
    if unit == "systems":
        raise UsageError("better/worse pairs have no systems to resample")
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
    groups = np.zeros(len(rows), dtype=np.intp)
    if group == "langs":
        groups = _numbers(_langs(rows), len(rows))
    units = judged.units
    found = Preferences(better, worse, units[better], units[worse], groups[better])
    people = np.full(len(rows), np.nan)
    every = [np.arange(len(rows))]
    return rows, JudgedArrays(judged, people, every, every, _items(rows, keys), found, ties)


def _places(names: Sequence[str]) -> list[Places]:
    """The rows of each name, in order of first appearance."""
    found: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        found.setdefault(name, []).append(place)
    return [np.array(mine, dtype=np.intp) for mine in found.values()]


def _segment(row: Row) -> str:
    """The key of a text of a pair: the item, else the texts that it is compared with."""
    texts = (*row.references, *([row.source] if row.source else []))
    return row.item or "\0".join(text_of(text) for text in texts)


def _langs(rows: Sequence[Row]) -> list[Places]:
    return _places([row.langs or "" for row in rows])


def _items(rows: Sequence[Row], keys: Sequence[str]) -> list[Places]:
    return _places([f"{row.langs or ''}\t{key}" for row, key in zip(rows, keys, strict=True)])


def _numbers(groups: Sequence[Places], size: int) -> Places:
    """The number of each row's group."""
    found = np.zeros(size, dtype=np.intp)
    for number, mine in enumerate(groups):
        found[mine] = number
    return found


def score(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    threads: int,
    any_language: bool,
    progress: Callable[[int], None],
) -> list[ScoredRows]:
    """The metrics with the statistics of all rows; those that are given have them already."""
    ours = {label: one for label, one in metrics.items() if not isinstance(one, Given)}
    statistics: dict[str, Array] = {}
    known_rows: dict[str, Familiarity] = {}
    if ours:
        scored = score_rows(
            rows, ours, threads=threads, any_language=any_language, progress=progress
        )
        statistics = by_row(rows, scored)
        known_rows = familiar(ours, scored)
    found = []
    for label, metric in metrics.items():
        mine = metric.known(rows) if isinstance(metric, Given) else statistics[label]
        known = np.asarray(np.isfinite(mine).all(axis=1))
        scores = np.full(len(rows), np.nan)
        if metric.by_segment:
            scores[known] = metric.segment_scores(mine[known])
        sign = 1.0 if metric.traits.higher_is_better else -1.0
        found.append(
            ScoredRows(
                label,
                metric,
                np.where(known[:, None], mine, 0),
                known,
                sign * scores,
                known_rows.get(label, UNFAMILIAR),
            )
        )
    return found
