"""A judged set as arrays, resamples of its units, and the scores of its systems in each.

What is resampled are units: documents, segments with the rows of all systems, or systems. A
resample is how often each unit was taken, so that sums by unit are all that a system's score needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.metrics.base import Array, MeanMetric, Metric
from otherwords.stats.arrays import numbered
from otherwords.stats.draws import Counts
from otherwords.study.agreement.judged import rows_of_systems, score_of, systems_of

__all__ = ["JudgedRows", "SystemSums", "Unit", "judged_rows", "system_sums"]

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
