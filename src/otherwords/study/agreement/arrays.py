"""From rows to the arrays behind coefficients: which rows count, and in what groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from otherwords.corpus.rows import Pair, Row
from otherwords.errors import InputError, UsageError, near
from otherwords.io.arguments import check_number
from otherwords.metrics.base import Array, Metric, text_of
from otherwords.scoring.coverage import check_rows_once
from otherwords.scoring.given import Given
from otherwords.scoring.seen import UNFAMILIAR, Familiarity, familiar
from otherwords.scoring.stream import by_row, segment_keys
from otherwords.scoring.stream import evaluate as score_rows
from otherwords.stats.preferences import Preferences, Ties, preferences
from otherwords.stats.segments import Places
from otherwords.study.agreement.judged import criteria_of, is_control, systems_of
from otherwords.study.agreement.levels import JudgedArrays, ScoredRows
from otherwords.study.agreement.sums import Unit, judged_rows

__all__ = ["Group", "arrays_of_pairs", "arrays_of_rows", "rows_that_count", "score"]

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
