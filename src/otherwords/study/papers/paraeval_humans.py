"""The distance between human translations and systems (ParaEval §4.1, Figure 5) as a number.

Each reference in turn is scored as a system against the others; systems are scored against the same
references, so that all have equally many.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.metrics.base import Metric
from otherwords.scoring.stream import segment_keys
from otherwords.stats.arrays import Array
from otherwords.stats.intervals import Estimate, Resampling, Sampled, estimate
from otherwords.stats.resampling import Counts, Resamples
from otherwords.study.agreement.arrays import (
    JudgedRows,
    Scoring,
    judged_rows,
    metrics_by_label,
    once,
    system_sums,
)
from otherwords.study.agreement.human_scores import is_control
from otherwords.study.agreement.result import (
    LineTables,
    coefficient_column,
    estimate_dict,
    number_of,
    resampling_dict,
)
from otherwords.tables.table import Cell, Column, Table

DISTANCES = {
    "margin": "the lowest reference minus the highest system",
    "gap": "mean of the references minus mean of the systems, in deviations of the systems",
    "above": "share of pairs of a reference and a system in which the reference scores higher",
}
METRICS = ("paraeval-p", "paraeval-f", "bleu")


@dataclass(frozen=True)
class HumanDistance:
    """A metric's scores of systems and references, and the distances between the two."""

    metric: str
    signature: str
    systems: Mapping[str, float]
    references: Mapping[str, float]
    distances: Mapping[str, Estimate]


def human_distance(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = METRICS,
    *,
    resampling: Resampling | None = None,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> LineTables[HumanDistance]:
    """Measure the distance of references from systems; rows need at least two references.

    With references A, B, ...: A is scored against the others, then B, ...; systems get the mean of
    their scores against the same references. Rows that lack a reference are left out.
    """
    translations = [row for row in rows if not is_control(row)]
    number = max((len(row.references) for row in translations), default=0)
    if number < 2:
        path = translations[0].path if translations else None
        raise InputError("no row has two references; one is scored as a system", path=path)
    full = [row for row in translations if len(row.references) == number]
    lacking = len(translations) - len(full)
    remarks = [f"rows with fewer than {number} references, left out: {lacking}"] * bool(lacking)
    by_label = metrics_by_label(metrics)
    if any(metric.against != "references" for metric in by_label.values()):
        raise UsageError("the metrics must compare with references")
    named = [f"reference {place}" for place in range(1, number + 1)]
    parts: list[tuple[JudgedRows, dict[str, Array]]] = []
    for place, name in enumerate(named):
        swapped = _leave_out(full, place, name)
        statistics, _ = scoring.score(swapped, by_label)
        parts.append((judged_rows(swapped, [], segment_keys(swapped)), statistics))
    lines = [_line(label, metric, parts, named, resampling) for label, metric in by_label.items()]
    judged = parts[0][0]
    notes = [*(f"{name}: {what}" for name, what in DISTANCES.items()), *remarks]
    if resampling is not None:
        notes.append(f"intervals: {judged.size} {judged.unit} resampled, {resampling.resamples}")
    document = {
        "paper": "paraeval",
        "distances": [
            {
                "metric": line.metric,
                **{name: estimate_dict(gap, resampling) for name, gap in line.distances.items()},
                "systems": line.systems,
                "references": line.references,
                "signature": line.signature,
            }
            for line in lines
        ],
        "resampling": resampling_dict(resampling, judged.unit, judged.size),
        "notes": remarks,
    }
    notes += [line.signature for line in lines]
    return LineTables(lines, _tables(lines, resampling), notes, document)


def _tables(lines: Sequence[HumanDistance], resampling: Resampling | None) -> list[Table]:
    """Make the table of distances, and for each metric a ranking of systems and references."""
    head = [Column("metric", "", left=True), *map(coefficient_column, DISTANCES)]
    rows: list[list[Cell]] = [
        [line.metric, *(number_of(value, resampling) for value in line.distances.values())]
        for line in lines
    ]
    tables = [
        Table("distance", head, rows, "Separation of references from systems (ParaEval §4.1)")
    ]
    for line in lines:
        scores = {**line.systems, **line.references}
        ranked = sorted(scores, key=lambda name: (-scores[name], name))
        columns = [Column("translation", left=True), Column("score", decimals=4)]
        listed: list[list[Cell]] = [[name, scores[name]] for name in ranked]
        tables.append(Table(f"ranking-{line.metric}", columns, listed, f"Ranking by {line.metric}"))
    return tables


def _leave_out(rows: Sequence[Row], place: int, name: str) -> list[Row]:
    """Remove one reference from the rows, and add it as a system's translation.

    Rows keep the order of segments, so that units have the same numbers whichever reference is
    left out.
    """
    result: list[Row] = []
    done: set[str] = set()
    for key, row in zip(segment_keys(rows), rows, strict=True):
        others = (*row.references[:place], *row.references[place + 1 :])
        item = row.item or key
        result.append(replace(row, references=others, item=item))
        if key not in done:
            done.add(key)
            human = row.references[place]
            result.append(
                replace(
                    row, hypothesis=human, references=others, system=name, systems=(), item=item
                )
            )
    return result


def _line(
    label: str,
    metric: Metric,
    parts: Sequence[tuple[JudgedRows, dict[str, Array]]],
    named: Sequence[str],
    resampling: Resampling | None,
) -> HumanDistance:
    sums = []
    for judged, statistics in parts:
        mine = statistics[label]
        nobody, known = np.zeros(len(mine)), np.ones(len(mine), bool)
        sums.append(system_sums(judged, nobody, metric, mine, known))
    systems = [name for name in parts[0][0].systems if name != named[0]]
    sign = 1.0 if metric.traits.higher_is_better else -1.0

    def scores(times: Counts) -> tuple[Array, Array]:
        """Return scores as [resamples, systems] and [resamples, references]."""
        of_systems, of_humans = [], []
        for part_sums, (judged, _), name in zip(sums, parts, named, strict=True):
            places = {system: place for place, system in enumerate(judged.systems)}
            by_system = part_sums.scores(times)
            of_systems.append(by_system[:, [places[system] for system in systems]])
            of_humans.append(by_system[:, places[name]])
        return np.mean(of_systems, axis=0), np.column_stack(of_humans)

    every = once(parts[0][0].size)
    theirs, humans = scores(every)
    whole = _distances(sign * theirs, sign * humans)
    draws: dict[str, list[Array]] = {name: [] for name in DISTANCES}
    if resampling is not None:
        for times in Resamples(every.shape[1], resampling.resamples, resampling.seed):
            drawn = _distances(*(sign * by_system for by_system in scores(times)))
            for name, values in drawn.items():
                draws[name].append(values)
    size = len(systems) + len(named)
    return HumanDistance(
        label,
        metric.signature,
        dict(zip(systems, theirs[0].tolist(), strict=True)),
        dict(zip(named, humans[0].tolist(), strict=True)),
        {
            name: estimate(
                Sampled(float(value[0]), size, np.concatenate([np.zeros(0), *draws[name]])),
                resampling,
                reason="fewer than two systems",
            )
            for name, value in whole.items()
        },
    )


def _distances(systems: Array, humans: Array) -> dict[str, NDArray[np.float64]]:
    """Compute each distance in each resample; the gap needs two systems that differ."""
    spread = systems.std(axis=1, ddof=1) if systems.shape[1] > 1 else np.zeros(len(systems))
    gap = humans.mean(axis=1) - systems.mean(axis=1)
    above = np.sign(humans[:, :, None] - systems[:, None, :])
    return {
        "margin": humans.min(axis=1) - systems.max(axis=1),
        "gap": np.divide(gap, spread, out=np.full(len(gap), np.nan), where=spread > 0),
        "above": ((above + 1) / 2).mean(axis=(1, 2)),
    }
