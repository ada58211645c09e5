"""MAXSIM's tables (Chan & Ng 2008, MetricsMATR, §4) on any judged set: Spearman over systems with
adequacy and preference (Table 2), and a sweep of alpha from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import InputError
from otherwords.io.arguments import check_number, check_whole
from otherwords.metrics.base import Metric
from otherwords.metrics.maxsim import MaxSim, statistics_of
from otherwords.scoring.seen import cautions
from otherwords.scoring.stream import number_repeats, paired_keys, require_english
from otherwords.stats.arrays import Array
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
from otherwords.study.agreement.human_scores import rows_with_scores
from otherwords.study.agreement.result import (
    LineTables,
    coefficient_column,
    number_of,
)
from otherwords.study.agreement.system_correlation import scores_of_systems
from otherwords.tables.table import Cell, Column, Number, Table

ALPHAS = tuple(round(0.05 * step, 2) for step in range(21))  # §4
AVERAGE = "average"  # over the human scores, as in Table 2
BATCH = 2000  # rows whose words are matched at once


@dataclass(frozen=True)
class MaxSimLine:
    """Spearman's rho of a metric with each human score over systems, and their average."""

    metric: str
    signature: str
    with_human: Mapping[str, Estimate]


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
) -> LineTables[MaxSimLine]:
    """Compute Spearman's rho of MAXSIM and other metrics with human scores over systems.

    Systems are ranked within each language pair and the coefficients averaged, as WMT does.

    Parameters
    ----------
    rows, humans
        Judged rows, and the human scores to average by system (default: all; the paper has
        adequacy and preference).
    metrics
        Names, or metrics by label, to compare MAXSIM with.
    system_human
        Human scores of systems to use instead, or a file of them: a JSON object, or TSV with a
        column for each criterion.
    reference
        Use only the reference with this number, as the paper does on MT06 (§3.3).
    alphas
        The values of alpha in the sweep.
    """
    rows = list(number_repeats(rows))
    fixed = scores_of_systems(rows, system_human, humans)
    if fixed is None:
        chosen, wanted, remarks = rows_with_scores(rows, humans, controls=controls)
    else:
        chosen, wanted, remarks = [*rows], list(fixed), []
    chosen = [_with_reference(row, reference) for row in chosen]
    groups = _groups(chosen, wanted if fixed is None else [])
    swept = [check_number("alpha", alpha, 0, 1) for alpha in alphas]
    named = {
        "maxsim, alpha 0.9 (Table 2)": MaxSim(alpha=0.9),
        "maxsim, alpha 0.8 (submission)": MaxSim(alpha=0.8),
    }
    plain = named["maxsim, alpha 0.8 (submission)"]
    counts, references = _counts(chosen, plain, scoring)
    beside = metrics_by_label(metrics)
    statistics = {
        label: statistics_of(counts, references, metric.alpha) for label, metric in named.items()
    }
    if beside:
        others, scored = replace(scoring, progress=lambda done: None).score(chosen, beside)
        statistics |= others
        remarks += cautions(beside, scored)
    scorers: dict[str, Metric] = {**named, **beside}

    def correlate(
        metric: Metric, of_rows: Array, resampling: Resampling | None
    ) -> dict[str, Estimate]:
        by_human = {
            human: _spearman(
                groups, metric, of_rows, human, None if fixed is None else fixed[human], resampling
            )
            for human in wanted
        }
        return _with_average(by_human, resampling)

    lines = [
        MaxSimLine(label, metric.signature, correlate(metric, statistics[label], resampling))
        for label, metric in scorers.items()
    ]
    sweep = {}
    for alpha in swept:
        estimates = correlate(plain, statistics_of(counts, references, alpha), None)
        sweep[alpha] = {name: result.value for name, result in estimates.items()}
    sizes = {group.name: len(group.judged.systems) for group in groups}
    remarks += [
        f"{label}: lower is better; its correlations are not reversed"
        for label, metric in scorers.items()
        if not metric.traits.higher_is_better
    ]
    last = list(lines[0].with_human)[-1]
    known = [value for value in (values[last] for values in sweep.values()) if value is not None]
    best = max(known, default=None)
    best_alphas = [alpha for alpha, row in sweep.items() if best is not None and row[last] == best]
    notes = [f"highest {last} at alpha {', '.join(map('{:g}'.format, best_alphas))}"]
    notes = [*(notes if best_alphas else []), *remarks]
    if resampling is not None:
        notes.append(f"intervals: {resampling.signature('segments')}")
    tables = _tables(lines, sweep, sizes, resampling)
    return LineTables(lines, tables, [*notes, *(line.signature for line in lines)])


def _tables(
    lines: Sequence[MaxSimLine],
    sweep: Mapping[float, Mapping[str, float | None]],
    sizes: Mapping[str, int],
    resampling: Resampling | None,
) -> list[Table]:
    """Make Table 2 and the table of the sweep, one row per alpha."""
    number = " + ".join(f"{size} {name}".strip() for name, size in sizes.items())
    humans = [coefficient_column(name) for name in lines[0].with_human]
    rows: list[list[Cell]] = [
        [line.metric, *(number_of(value, resampling) for value in line.with_human.values())]
        for line in lines
    ]
    swept: list[list[Cell]] = [
        [alpha, *map(Number, values.values())] for alpha, values in sweep.items()
    ]
    metric, alpha_column = Column("metric", "", left=True), Column("alpha", decimals=2)
    caption = f"Table 2: Spearman over systems ({number})"
    swept_caption = "MAXSIM by alpha: Spearman over systems (§4)"
    return [
        Table("table2", [metric, *humans], rows, caption),
        Table("sweep", [alpha_column, *humans], swept, swept_caption),
    ]


@dataclass(frozen=True)
class _Group:
    """The rows of a language pair."""

    name: str
    places: Any
    judged: JudgedRows


def _groups(rows: Sequence[Row], humans: Sequence[str]) -> list[_Group]:
    by_name: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        by_name.setdefault(row.langs or "", []).append(place)
    groups = []
    for name, places in by_name.items():
        members = [rows[place] for place in places]
        judged = judged_rows(members, humans, paired_keys(members))
        groups.append(_Group(name, np.array(places), judged))
    return groups


def _with_reference(row: Row, reference: int | None) -> Row:
    if reference is None:
        return row
    check_whole("reference", reference, 1, 1000)
    if len(row.references) < reference:
        message = f"this row has no reference {reference}; it has {len(row.references)}"
        raise InputError(message, path=row.path, line=row.line)
    return replace(row, references=(row.references[reference - 1],))


def _counts(rows: Sequence[Row], metric: MaxSim, scoring: Scoring) -> tuple[Array, Any]:
    """Count MAXSIM's matches of every row and reference, once for all values of alpha."""
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
    """Correlate the systems of each group; average the groups that have a coefficient."""
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


def _with_average(rhos: dict[str, Estimate], resampling: Resampling | None) -> dict[str, Estimate]:
    """Add the average of the estimates if there are several (Table 2)."""
    if len(rhos) < 2:
        return rhos
    values = [rho.value for rho in rhos.values() if rho.value is not None]
    if len(values) < len(rhos):
        return rhos | {AVERAGE: Estimate(None, 0, reason="one of them has no value")}
    known = [rho.draws for rho in rhos.values() if rho.draws is not None]
    drawn = np.mean(known, axis=0) if len(known) == len(rhos) else np.zeros(0)
    size = max(rho.size for rho in rhos.values())
    mean = float(np.mean(values))
    return rhos | {AVERAGE: estimate(Sampled(mean, size, drawn), resampling)}
