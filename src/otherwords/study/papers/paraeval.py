"""ParaEval's tables (Zhou, Lin & Hovy 2006) on any judged set: agreement with human scores (Tables
1-3, 5 and 6, §4.2, §4.3), and references ranked among systems (Figure 5).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError, near
from otherwords.metrics.base import Metric
from otherwords.metrics.registry import metric as make_metric
from otherwords.metrics.registry import metric_class, option_names
from otherwords.scoring.seen import cautions
from otherwords.scoring.stream import number_repeats, segment_keys
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import FEWEST
from otherwords.stats.intervals import (
    Estimate,
    Resampling,
    Sampled,
    estimate,
)
from otherwords.stats.resampling import Counts, Resamples
from otherwords.stats.segments import SegmentScores, correlation_each
from otherwords.study.agreement.arrays import (
    JudgedRows,
    Scoring,
    SystemSums,
    judged_rows,
    metrics_by_label,
    once,
    system_sums,
)
from otherwords.study.agreement.human_scores import is_control, rows_with_scores
from otherwords.study.agreement.result import (
    POINTS,
    LineTables,
    coefficient_column,
    no_value,
    number_of,
)
from otherwords.study.agreement.system_correlation import Human, scores_of_systems
from otherwords.tables.table import Block, Cell, Column, Lines, Number, Table
from otherwords.tables.tabular import Tabular

COEFFICIENTS = {"system": ("spearman", "pearson", "accuracy"), "segment": ("pearson", "kendall")}


@dataclass(frozen=True)
class MetricVariant:
    """A metric with its own options and references, and the statistics of each row.

    `reference` is the number of the only reference used, from 1; `known` marks rows that have it.
    """

    label: str
    metric: Metric
    statistics: Array = field(repr=False)
    reference: int | None = None
    known: NDArray[np.bool_] | None = field(default=None, repr=False)


@dataclass(frozen=True)
class ParaEvalLine:
    """A variant's agreement with a human score: estimates by level and coefficient."""

    human: str
    variant: MetricVariant
    estimates: Mapping[tuple[str, str], Estimate]


@dataclass(frozen=True)
class ParaEvalTables(Tabular):
    """The lines of ParaEval's tables, with the notes that explain them."""

    lines: Sequence[ParaEvalLine]
    resampling: Resampling
    judged: JudgedRows = field(repr=False)
    remarks: Sequence[str]

    def signature(self, line: ParaEvalLine) -> str:
        reference = line.variant.reference
        only = "" if reference is None else f"|reference:{reference}"
        resampled = self.resampling.signature(self.judged.unit)
        return f"{line.variant.metric.signature}{only}|{resampled}"

    @property
    def signatures(self) -> list[str]:
        return list(dict.fromkeys(map(self.signature, self.lines)))

    def tables(self) -> Iterator[Block]:
        for human in self.judged.human:
            mine = [line for line in self.lines if line.human == human]
            for level, names in COEFFICIENTS.items():
                caption = f"{level.capitalize()} level, {human}"
                most = max(line.estimates[level, names[0]].size for line in mine)
                if most < FEWEST:
                    reason = no_value(most, level)
                    yield Lines(f"{human}-{level}", [f"{caption}: n/a ({reason})"])
                    continue
                columns = [
                    Column("metric", "", left=True),
                    *map(coefficient_column, names),
                    Column(POINTS[level]),
                ]
                rows = [self._cells(line, level) for line in mine]
                yield Table(f"{human}-{level}", columns, rows, caption)

    def _cells(self, line: ParaEvalLine, level: str) -> list[Cell]:
        estimates = [line.estimates[level, name] for name in COEFFICIENTS[level]]
        shown = [self._number(value) for value in estimates]
        return [self._label(line), *shown, estimates[0].size]

    def _number(self, estimate: Estimate) -> Number:
        """Return the value; with the paper's intervals, the mean of the resamples."""
        number = number_of(estimate, self.resampling)
        if self.resampling.kind == "paper" and estimate.mean is not None:
            return replace(number, value=estimate.mean)
        return number

    def _label(self, line: ParaEvalLine) -> str:
        label, reference = line.variant.label, line.variant.reference
        if reference is not None:
            return f"{label}, reference {reference}"
        single = any(other.variant.reference is not None for other in self.lines)
        return f"{label}, all references" if single else label

    def notes(self) -> list[str]:
        how = self.resampling
        resamples = f"{how.resamples} resamples of {self.judged.size} {self.judged.unit}"
        if how.kind == "percentile":
            both = "scores and human scores resampled together"
            intervals = f"[low, high]: {100 * how.confidence:.4g} % interval, {resamples}, {both}"
        else:
            intervals = (
                f"figures: means over {resamples}, compared with the human scores of the whole "
                f"set; intervals: Student's t of that mean, {how.confidence:.4g}, as the paper "
                "has them (too narrow)"
            )
        several = [intervals] if self.judged.size > 1 else []
        return [*several, *self.remarks, *self.signatures]

    def records(self) -> Iterator[Table]:
        head = "human metric reference level coefficient estimate mean size reason signature"
        rows: list[list[Cell]] = []
        for line in self.lines:
            variant, signature = line.variant, self.signature(line)
            reference = "all" if variant.reference is None else variant.reference
            for (level, name), value in line.estimates.items():
                left: list[Cell] = [line.human, variant.label, reference, level, name]
                numbers: list[Cell] = [
                    number_of(value, self.resampling),
                    value.mean,
                    value.size,
                ]
                rows.append([*left, *numbers, value.reason or None, signature])
        yield Table("lines", [*map(Column, head.split())], rows)


METRICS = ("paraeval-p", "paraeval-r", "paraeval-f", "bleu", "mup", "gm", "bp-bleu")


def paraeval_tables(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = METRICS,
    humans: Sequence[str] | None = None,
    *,
    system_human: Mapping[str, float] | str | None = None,
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    sweep: tuple[str, Sequence[Any]] | None = None,
    single: bool = False,
    controls: bool = True,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> ParaEvalTables:
    """Measure agreement with human scores over systems and segments (Tables 1-3, 5 and 6).

    Parameters
    ----------
    rows, humans
        Judged rows, and the names of human scores (default: all).
    metrics
        Names, or metrics by label.
    system_human
        Human scores of systems to use instead of those of rows, or a file of them: a JSON object,
        or TSV with a column for each criterion. There are then no correlations over segments.
    sweep
        An option and its values; each value adds a variant of every metric with that option.
    single
        Score with each reference alone as well as with all.
    controls
        Whether control rows count.
    """
    rows = list(number_repeats(rows))
    fixed = scores_of_systems(rows, system_human, humans)
    remarks: list[str] = []
    if fixed is None:
        rows, humans, remarks = rows_with_scores(rows, humans, controls=controls)
    by_label = metrics_by_label(metrics)
    scorers = dict(by_label) if sweep is None else _sweep(by_label, *sweep)
    judged = judged_rows(rows, humans or [], segment_keys(rows))
    if fixed is not None:
        judged = replace(judged, human={name: np.full(len(rows), np.nan) for name in fixed})
    asked, notes = _references(rows, scorers, single)
    variants: list[MetricVariant] = []
    for reference, places in asked:
        chosen = {
            label: metric
            for label, metric in scorers.items()
            if reference is None or metric.against == "references"
        }
        shown = [_with_reference(rows[place], reference) for place in places]
        statistics, scored = scoring.score(shown, chosen)
        remarks += cautions(chosen, scored) if reference is None else []
        known = np.zeros(len(rows), dtype=bool)
        known[places] = True
        for label, metric in chosen.items():
            whole = np.zeros((len(rows), statistics[label].shape[1]))
            whole[places] = statistics[label]
            variants.append(MetricVariant(label, metric, whole, reference, known))
    order = list(scorers)
    variants.sort(key=lambda variant: order.index(variant.label))  # stable: references keep order
    correlated = lines(judged, variants, resampling, fixed=fixed, threads=scoring.threads)
    remarks = [*remarks, *notes, *_on_lines(judged, correlated, resampling)]
    return ParaEvalTables(correlated, resampling, judged, remarks)


def _sweep(metrics: Mapping[str, Metric], option: str, values: Sequence[Any]) -> dict[str, Metric]:
    """Make a metric for each value of an option; metrics without the option stay as they are."""
    known = {label: option_names(metric_class(metric.name)) for label, metric in metrics.items()}
    if not any(option in options for options in known.values()):
        every = sorted({name for options in known.values() for name in options})
        raise UsageError(f"none of the metrics has an option '{option}'; {near(option, every)}")
    variants: dict[str, Metric] = {}
    for label, metric in metrics.items():
        if option not in known[label]:
            variants[label] = metric
            continue
        for value in values:
            shown = f"{value:g}" if isinstance(value, float) else value
            variant = make_metric(metric.name, **{**metric.options, option: value})
            variants[f"{label}, {option} {shown}"] = variant
    return variants


def _with_reference(row: Row, reference: int | None) -> Row:
    if reference is None:
        return row
    return replace(row, references=(row.references[reference - 1],))


def _references(
    rows: Sequence[Row], scorers: Mapping[str, Metric], single: bool
) -> tuple[list[tuple[int | None, list[int]]], list[str]]:
    """List each single reference with the rows that have it, then all references together."""
    every: tuple[int | None, list[int]] = (None, list(range(len(rows))))
    if not single:
        return [every], []
    if not any(metric.against == "references" for metric in scorers.values()):
        raise UsageError("`references` single is for metrics that compare with references")
    most = max(len(row.references) for row in rows)
    if most < 2:
        return [every], ["no row has more than one reference: all are the same as single ones"]
    asked, notes = [], []
    for number in range(1, most + 1):
        places = [place for place, row in enumerate(rows) if len(row.references) >= number]
        if len(places) < len(rows):
            lacking = len(rows) - len(places)
            notes.append(f"rows without reference {number}, left out of its lines: {lacking}")
        asked.append((number, places))
    return [*asked, every], notes


def _on_lines(
    judged: JudgedRows, lines: Sequence[ParaEvalLine], resampling: Resampling
) -> list[str]:
    """Remark on rows and resamples that are left out, and on reversed scores."""
    notes = []
    for human, scores in judged.human.items():
        lacking = int(np.isnan(scores).sum())
        if 0 < lacking < len(scores):  # all lack it where systems have scores
            notes.append(f"rows without {human}, left out of its lines: {lacking}")
    if judged.size < 2:
        notes.append(f"there are no intervals: the set is a single one of the {judged.unit}")
    for line in lines:
        for (level, name), result in line.estimates.items():
            lacking = resampling.resamples - result.defined
            if result.value is not None and lacking:
                what = f"{line.variant.label}, {line.human}, {level} {name}"
                notes.append(f"{what}: no value in {lacking} resamples, which are left out")
    variants = [line.variant for line in lines]
    lower = [variant.label for variant in variants if not variant.metric.traits.higher_is_better]
    return notes + [
        f"{label}: lower is better; its correlations are shown as they are, "
        "and accuracy reverses its scores"
        for label in dict.fromkeys(lower)
    ]


def lines(
    judged: JudgedRows,
    variants: Sequence[MetricVariant],
    resampling: Resampling,
    *,
    fixed: Human | None = None,
    threads: int = 1,
) -> list[ParaEvalLine]:
    """Correlate every variant with every human score, on the same resamples."""
    alone = judged.size < 2  # every resample is the set itself
    result = []
    for human in judged.human:
        for variant in variants:
            of_systems = None if fixed is None else fixed[human]
            sampled = correlate(
                judged, human, variant, resampling, fixed=of_systems, threads=threads
            )
            estimates = {
                (level, name): estimate(
                    sampled[level, name],
                    resampling,
                    alone=alone,
                    reason=no_value(sampled[level, name].size, level),
                )
                for level, names in COEFFICIENTS.items()
                for name in names
            }
            result.append(ParaEvalLine(human, variant, estimates))
    return result


def correlate(
    judged: JudgedRows,
    human: str,
    variant: MetricVariant,
    resampling: Resampling = Resampling(),  # noqa: B008 - frozen
    *,
    fixed: Mapping[str, float] | None = None,
    threads: int = 1,
) -> dict[tuple[str, str], Sampled]:
    """Compute all coefficients of a variant with a human score, by level and name.

    `fixed` has human scores of systems, which rows then do not need.

    Each resample scores systems from the sums of their statistics and averages their human scores
    again; the paper's intervals use the human scores of the whole set (§4.1). Accuracy reverses a
    metric whose lower scores are better; correlations do not.
    """
    metric, statistics = variant.metric, variant.statistics
    there = np.ones(len(statistics), dtype=bool) if variant.known is None else variant.known
    people = judged.human[human]
    sums = system_sums(judged, people, metric, statistics, there, fixed=fixed)
    drawn = sums.with_fixed() if resampling.kind == "paper" else sums
    scores = np.full(len(statistics), np.nan)
    scores[there] = metric.segment_scores(statistics[there])
    segments = SegmentScores(scores, people, judged.units, [np.arange(len(scores))])
    blocks = [
        {**_of_systems(drawn, times), **_of_segments(segments, times, threads)}
        for times in Resamples(judged.size, resampling.resamples, resampling.seed)
    ]
    whole = _of_systems(sums, once(judged.size))
    for name in COEFFICIENTS["segment"]:
        whole["segment", name] = segments.by_group(name, threads=threads)
    return {
        key: Sampled(
            float(values[0]),
            sums.systems if key[0] == "system" else segments.size,
            np.concatenate([block[key] for block in blocks]),
        )
        for key, values in whole.items()
    }


def _of_systems(sums: SystemSums, times: Counts) -> dict[tuple[str, str], Array]:
    scores, people = sums.scores(times), sums.people(times)
    upward = scores if sums.metric.traits.higher_is_better else -scores
    return {
        ("system", name): correlation_each(name, upward if name == "accuracy" else scores, people)
        for name in COEFFICIENTS["system"]
    }


def _of_segments(
    segments: SegmentScores, times: Counts, threads: int
) -> dict[tuple[str, str], Array]:
    by_name = segments.drawn(COEFFICIENTS["segment"], times, threads=threads)
    return {("segment", name): draws for name, draws in by_name.items()}


@dataclass(frozen=True)
class HumanRanking:
    """A metric's scores of systems and of references, each scored as a system (Figure 5)."""

    metric: str
    signature: str
    systems: Mapping[str, float]
    references: Mapping[str, float]
    higher_is_better: bool = True

    @property
    def ranked(self) -> dict[str, float]:
        """All scores, the best first."""
        scores = {**self.systems, **self.references}
        sign = -1 if self.higher_is_better else 1
        return dict(sorted(scores.items(), key=lambda score: (sign * score[1], score[0])))

    @property
    def above(self) -> float:
        """The share of pairs of a reference and a system in which the reference is better."""
        sign = 1 if self.higher_is_better else -1
        pairs = [
            np.sign(sign * (reference - system))
            for reference in self.references.values()
            for system in self.systems.values()
        ]
        return float((np.mean(pairs) + 1) / 2)


def rank_humans(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric] | Sequence[str] = ("paraeval-p", "paraeval-f", "bleu"),
    *,
    scoring: Scoring = Scoring(),  # noqa: B008 - frozen
) -> LineTables[HumanRanking]:
    """Rank references among systems (§4.1, Figure 5); rows need at least two references.

    With references A, B, ...: A is scored against the others, then B, ...; systems get the mean of
    their scores against the same references. Rows that lack a reference are left out.
    """
    translations = [row for row in number_repeats(rows) if not is_control(row)]
    number = max((len(row.references) for row in translations), default=0)
    if number < 2:
        path = translations[0].path if translations else None
        raise InputError("no row has two references; one is scored as a system", path=path)
    full = [row for row in translations if len(row.references) == number]
    lacking = len(translations) - len(full)
    notes = [f"rows with fewer than {number} references, left out: {lacking}"] * bool(lacking)
    by_label = metrics_by_label(metrics)
    if any(metric.against != "references" for metric in by_label.values()):
        raise UsageError("the metrics must compare with references")
    scores: dict[str, dict[str, list[float]]] = {label: {} for label in by_label}
    named = [f"reference {place}" for place in range(1, number + 1)]
    for place, name in enumerate(named):
        swapped = _leave_out(full, place, name)
        statistics, _ = scoring.score(swapped, by_label)
        systems = judged_rows(swapped, [], segment_keys(swapped)).systems
        for label, metric in by_label.items():
            for system, places in systems.items():
                score = metric.aggregate(statistics[label][places])
                scores[label].setdefault(system, []).append(score)
    lines = []
    for label, metric in by_label.items():
        means = {system: float(np.mean(values)) for system, values in scores[label].items()}
        references = {name: means.pop(name) for name in named}
        higher = metric.traits.higher_is_better
        lines.append(HumanRanking(label, metric.signature, means, references, higher))
        above = f"a reference scores better than a system in {lines[-1].above:.0%} of all pairs"
        notes.append(f"{label}: {above}")
    tables = [_ranking(line) for line in lines]
    return LineTables(lines, tables, [*notes, *(line.signature for line in lines)])


def _ranking(line: HumanRanking) -> Table:
    rows: list[list[Cell]] = [[name, score] for name, score in line.ranked.items()]
    columns = [Column("translation", left=True), Column("score", decimals=4)]
    caption = f"Ranking by {line.metric} (ParaEval, Figure 5)"
    return Table(f"ranking-{line.metric}", columns, rows, caption)


def _leave_out(rows: Sequence[Row], place: int, name: str) -> list[Row]:
    """Remove one reference from the rows, and add it as a system's translation."""
    result: list[Row] = []
    done: set[str] = set()
    for key, row in zip(segment_keys(rows), rows, strict=True):
        others = (*row.references[:place], *row.references[place + 1 :])
        kept = replace(row, references=others, item=row.item or key)
        result.append(kept)
        if key not in done:
            done.add(key)
            human = row.references[place]
            result.append(replace(kept, hypothesis=human, system=name, systems=()))
    return result
