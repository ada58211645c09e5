"""MAXSIM's tables (Chan & Ng 2008, MetricsMATR, §4) on any judged set: Spearman over systems with
adequacy and preference (Table 2), and for alpha from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.io.arguments import check_number, check_whole
from otherwords.metrics.base import Array, Metric
from otherwords.metrics.maxsim import MaxSim, statistics_of
from otherwords.scoring.seen import cautions
from otherwords.scoring.stream import require_english, segment_keys
from otherwords.stats.coefficients import FEWEST, spearman_each
from otherwords.stats.intervals import Estimate, Resampling, Sampled, estimate
from otherwords.stats.resampling import Resamples
from otherwords.study.agreement.arrays import (
    JudgedRows,
    Scoring,
    judged_rows,
    metrics_by_label,
    once,
    system_sums,
)
from otherwords.study.agreement.human_scores import read_system_scores, rows_with_scores, systems_of
from otherwords.study.agreement.result import (
    coefficient_column,
    estimate_dict,
    number_of,
    resampling_dict,
)
from otherwords.tables.table import Cell, Column, Number, Table
from otherwords.tables.tabular import Tabular

__all__ = ["ALPHAS", "MaxSimLine", "MaxSimTables", "maxsim_tables"]

ALPHAS = tuple(round(0.05 * step, 2) for step in range(21))  # §4
AVERAGE = "average"  # over the human scores, as Table 2 has it
BATCH = 2000  # rows whose words are matched at once
HUMAN = "human"  # the name of human scores that only systems have


@dataclass(frozen=True)
class MaxSimLine:
    """A metric's Spearman with each human score over systems, and their average."""

    metric: str
    signature: str
    with_human: Mapping[str, Estimate]


@dataclass(frozen=True)
class MaxSimTables(Tabular):
    """Table 2 of the metrics, and MAXSIM's correlations by alpha: `sweep[alpha][human]`."""

    lines: Sequence[MaxSimLine]
    sweep: Mapping[float, Mapping[str, float | None]]
    systems: Mapping[str, int]  # of each group of languages
    resampling: Resampling | None
    units: int
    remarks: Sequence[str]

    @property
    def humans(self) -> list[str]:
        """The human scores, and `average` if there are several."""
        return list(self.lines[0].with_human)

    @property
    def best_alphas(self) -> list[float]:
        """The values of alpha whose average correlation is the highest."""
        values = {alpha: found[self.humans[-1]] for alpha, found in self.sweep.items()}
        best = max((value for value in values.values() if value is not None), default=None)
        return [alpha for alpha, value in values.items() if value is not None and value == best]

    def tables(self) -> Iterator[Table]:
        number = " + ".join(f"{size} {name}".strip() for name, size in self.systems.items())
        head = [Column("metric", "", left=True), *map(coefficient_column, self.humans)]
        rows: list[list[Cell]] = [
            [one.metric, *(number_of(found, self.resampling) for found in one.with_human.values())]
            for one in self.lines
        ]
        yield Table("table2", head, rows, f"Table 2: Spearman over systems ({number})")
        head = [Column("alpha", decimals=2), *map(coefficient_column, self.humans)]
        swept: list[list[Cell]] = [
            [alpha, *(Number(value) for value in found.values())]
            for alpha, found in self.sweep.items()
        ]
        yield Table("sweep", head, swept, "MAXSIM by alpha: Spearman over systems (§4)")

    def notes(self) -> list[str]:
        best = ", ".join(f"{alpha:g}" for alpha in self.best_alphas)
        said = [f"highest {self.humans[-1]} at alpha {best}"] if best else []
        made = []
        if self.resampling is not None:
            made = [f"intervals: {self.resampling.signature('segments')}"]
        return [*said, *self.remarks, *made, *(one.signature for one in self.lines)]

    def to_dict(self) -> dict[str, Any]:
        return {
            "paper": "maxsim",
            "systems": dict(self.systems),
            "table2": [
                {
                    "metric": one.metric,
                    **{
                        human: estimate_dict(found, self.resampling)
                        for human, found in one.with_human.items()
                    },
                    "signature": one.signature,
                }
                for one in self.lines
            ],
            "sweep": [{"alpha": alpha, **found} for alpha, found in self.sweep.items()],
            "best_alphas": self.best_alphas,
            "resampling": resampling_dict(self.resampling, "segments", self.units),
            "notes": list(self.remarks),
        }


def maxsim_tables(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = ("bleu",),
    humans: Sequence[str] | None = None,
    *,
    system_human: Mapping[str, float] | str | None = None,
    reference: int | None = None,
    alphas: Sequence[float] = ALPHAS,
    resampling: Resampling | None = None,
    controls: bool = False,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> MaxSimTables:
    """Spearman of MAXSIM and of other metrics with human scores over systems.

    Systems are ranked within each pair of languages, and the coefficients averaged, as WMT does.

    Parameters
    ----------
    rows, humans
        Judged rows, and the human scores to average by system: all unless named (adequacy and
        preference in the paper).
    metrics
        Names, or metrics by label, to compare MAXSIM with.
    system_human
        A score of each system instead, or a JSON file of them.
    reference
        Use only the reference of that number, as the paper does on MT06 (§3.3).
    alphas
        The values of alpha that MAXSIM is scored with.
    """
    fixed = read_system_scores(system_human) if isinstance(system_human, str) else system_human
    if fixed is None:
        kept, wanted, remarks = rows_with_scores(rows, humans, controls=controls)
    else:
        if humans is not None:
            raise UsageError("give human scores of systems or human scores of rows, not both")
        kept, wanted, remarks = [*rows], [HUMAN], []
    kept = [_with_reference(row, reference) for row in kept]
    groups = _groups(kept, wanted, fixed)
    swept = [check_number("alpha", alpha, 0, 1) for alpha in alphas]
    named = {
        "maxsim, alpha 0.9 (Table 2)": MaxSim(alpha=0.9),
        "maxsim, alpha 0.8 (submission)": MaxSim(alpha=0.8),
    }
    plain = named["maxsim, alpha 0.8 (submission)"]
    counts, several = _counts(kept, plain, scoring)
    beside = metrics_by_label(metrics)
    statistics = {
        label: statistics_of(counts, several, metric.alpha) for label, metric in named.items()
    }
    if beside:
        others, scored = replace(scoring, progress=lambda done: None).score(kept, beside)
        statistics |= others
        remarks += cautions(beside, scored)
    scorers: dict[str, Metric] = {**named, **beside}

    def correlate(
        metric: Metric, of_rows: Array, resampling: Resampling | None
    ) -> dict[str, Estimate]:
        by_human = {
            human: _spearman(groups, metric, of_rows, human, fixed, resampling) for human in wanted
        }
        return _with_average(by_human, resampling)

    lines = [
        MaxSimLine(label, metric.signature, correlate(metric, statistics[label], resampling))
        for label, metric in scorers.items()
    ]
    sweep = {}
    for alpha in swept:
        estimates = correlate(plain, statistics_of(counts, several, alpha), None)
        sweep[alpha] = {name: one.value for name, one in estimates.items()}
    units = sum(group.judged.size for group in groups)
    sizes = {group.name: len(group.judged.systems) for group in groups}
    remarks += [
        f"{label}: lower is better; its correlations are not reversed"
        for label, metric in scorers.items()
        if not metric.traits.higher_is_better
    ]
    return MaxSimTables(lines, sweep, sizes, resampling, units, remarks)


@dataclass(frozen=True)
class _Group:
    """The rows of a pair of languages."""

    name: str
    places: Any
    judged: JudgedRows


def _groups(
    rows: Sequence[Row], humans: Sequence[str], fixed: Mapping[str, float] | None
) -> list[_Group]:
    by_name: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        by_name.setdefault(row.langs or "", []).append(place)
    found = []
    for name, places in by_name.items():
        some = [rows[place] for place in places]
        judged = judged_rows(some, [] if fixed is not None else humans, segment_keys(some))
        found.append(_Group(name, np.array(places), judged))
    if fixed is not None:
        known = {system for row in rows for system in systems_of(row)}
        if len(known & fixed.keys()) < FEWEST:
            raise UsageError(f"fewer than {FEWEST} systems of the rows have a human score")
    return found


def _with_reference(row: Row, reference: int | None) -> Row:
    if reference is None:
        return row
    check_whole("reference", reference, 1, 1000)
    if len(row.references) < reference:
        message = f"this row has no reference {reference}; it has {len(row.references)}"
        raise InputError(message, path=row.path, line=row.line)
    return replace(row, references=(row.references[reference - 1],))


def _counts(rows: Sequence[Row], metric: MaxSim, scoring: Scoring) -> tuple[Array, Any]:
    """What MAXSIM matched of every row and reference, once for all values of alpha."""
    parts, sizes = [], []
    for first in range(0, len(rows), BATCH):
        batch = rows[first : first + BATCH]
        segments = metric.check_rows(batch)
        if not scoring.any_language and first == 0:
            require_english(metric, segments, batch[0].path or "the rows")
        parts.append(metric.counts(segments, scoring.threads))
        sizes += [len(targets) for targets in segments.targets]
        scoring.progress(len(batch))
    return np.concatenate(parts), np.array(sizes)


def _spearman(
    groups: Sequence[_Group],
    metric: Metric,
    statistics: Array,
    human: str,
    fixed: Mapping[str, float] | None,
    resampling: Resampling | None,
) -> Estimate:
    """Over the systems of each group, the mean of the groups that have a coefficient."""
    values, draws, systems = [], [], 0
    for group in groups:
        judged, mine = group.judged, statistics[group.places]
        people = np.zeros(len(mine)) if fixed is not None else judged.human[human]
        known = np.ones(len(mine), bool)
        sums = system_sums(judged, people, metric, mine, known, fixed=fixed)
        every = once(judged.size)
        value = float(spearman_each(sums.scores(every), sums.people(every))[0])
        if not np.isfinite(value):
            continue
        values.append(value)
        systems += sums.systems
        if resampling is not None:
            blocks = Resamples(judged.size, resampling.resamples, resampling.seed)
            parts = [spearman_each(sums.scores(times), sums.people(times)) for times in blocks]
            draws.append(np.concatenate(parts))
    if not values:
        return Estimate(None, 0, reason=f"fewer than {FEWEST} systems")
    mean = float(np.mean(values))
    drawn = np.mean(draws, axis=0) if draws else np.zeros(0)
    return estimate(Sampled(mean, systems, drawn, len(values)), resampling)


def _with_average(found: dict[str, Estimate], resampling: Resampling | None) -> dict[str, Estimate]:
    """The estimates, and their average if there are several (Table 2)."""
    if len(found) < 2:
        return found
    values = [one.value for one in found.values() if one.value is not None]
    if len(values) < len(found):
        return found | {AVERAGE: Estimate(None, 0, reason="one of them has no value")}
    known = [one.draws for one in found.values() if one.draws is not None]
    drawn = np.mean(known, axis=0) if len(known) == len(found) else np.zeros(0)
    size = max(one.size for one in found.values())
    mean = float(np.mean(values))
    return found | {AVERAGE: estimate(Sampled(mean, size, drawn), resampling)}
