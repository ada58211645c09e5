"""The sections below the verdict: scores, significance, agreement, the worst disagreements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.metrics.drawing import draw, plain_html
from otherwords.scoring.seen import SEEN
from otherwords.scoring.stream import explain_row
from otherwords.stats.coefficients import midranks
from otherwords.study.agreement.result import AgreementResult, MetricAgreement
from otherwords.study.report.data import ReportData, ResampledScores, Standing
from otherwords.study.report.page import (
    Matrix,
    Section,
    example_html,
    fold_html,
    shade,
    star_p,
)
from otherwords.study.report.plot import Plot, ranking
from otherwords.study.report.rows import decimals_of
from otherwords.tables.table import LEVEL, Cell, Column, Number, Table, interval_decimals

_TESTS = {
    "perm-both": "PERM-BOTH",
    "perm-systems": "permutation of systems",
    "williams": "Williams' test",
    "bootstrap": "the paired bootstrap",
}
# The tests to show, best first. Over segments only the bootstrap is valid if several systems have
# the same segments, because the other tests assume independent rows.
_ORDER = {
    "segment": ("bootstrap", "perm-both", "williams"),
    "system": ("perm-both", "perm-systems", "williams", "bootstrap"),
}

_SHADES = "* below .05, ** below .01, *** below .001; point at a cell for its number"


def score_section(data: ReportData) -> Section:
    """A table of all scores with intervals."""
    fold = "Scores of all systems, with numbers of segments"
    return Section("scores", "All scores", (), [_score_table(data)], fold=fold)


def _score_table(data: ReportData) -> Table:
    measures = [*(data.systems[label] for label in data.metrics), *data.people.values()]
    rows: list[list[Cell]] = []
    for system in data.ranked(data.first):
        name = data.names[system]
        scores = [_number(data, measure, system) for measure in measures]
        rows.append([name, len(data.judged.systems[name]), *scores])
    notes = [f"±: half the {data.share} bootstrap interval over {data.judged.unit}"]
    if data.people:
        notes[0] += "; human scores are means"
    if data.coverage is not None:
        notes.append(data.coverage.warning())
    human = [
        Column(name, decimals=_decimals(data, measure), best="highest")
        for name, measure in data.people.items()
    ]
    return Table(
        "scores",
        [
            Column("system", left=True),
            Column("segments"),
            *(_metric_column(data, label) for label in data.metrics),
            *human,
        ],
        rows,
        f"Scores of {len(rows)} systems, in the order of {data.first}",
        [*notes, *data.on_training()],
    )


def _metric_column(data: ReportData, label: str) -> Column:
    """The column of a metric; the head says whether lower scores are better."""
    decimals = _decimals(data, data.systems[label])
    if data.is_seen(label):
        return Column(label, label + SEEN, decimals=decimals)
    if data.metrics[label].traits.higher_is_better:
        return Column(label, decimals=decimals, best="highest")
    return Column(label, f"{label} (lower is better)", decimals=decimals, best="lowest")


def _decimals(data: ReportData, measure: ResampledScores) -> int:
    """As many decimals as the intervals support; four without intervals."""
    every = range(len(data.names))
    decimals = interval_decimals(
        measure.around(system, data.resampling.confidence) for system in every
    )
    return 4 if decimals is None else decimals


def _number(data: ReportData, measure: ResampledScores, system: int) -> Number:
    value, low, high = measure.around(system, data.resampling.confidence)
    return Number(value, low, high) if np.isfinite(value) else Number(None)


_PValue = tuple[str, float | None]  # a cell of a triangle: the text, and the p that shades it


def _triangle(
    names: Sequence[str], p_value: Callable[[str, str], _PValue]
) -> tuple[list[list[str]], list[list[int]]]:
    """The cells above the diagonal, without the first column and the last row, and their shades."""
    cells, levels = [], []
    for place, row in enumerate(names[:-1], 1):
        values = [p_value(row, column) for column in names[1:]]
        cells.append([text if at >= place else "" for at, (text, _) in enumerate(values, 1)])
        levels.append([shade(p) for _, p in values])
    return cells, levels


def significance_section(data: ReportData) -> Section | None:
    """For each metric, which systems are significantly better than which others."""
    matrices = [_system_matrix(data, standing, standing.label) for standing in data.standings]
    if data.human_standing is not None:
        matrices.append(_system_matrix(data, data.human_standing, f"human score {data.human}"))
    known = [matrix for matrix in matrices if matrix.rows]
    return Section("significance", "Which differences are real", tables=known) if known else None


def _system_matrix(data: ReportData, standing: Standing, title: str) -> Matrix:
    family, names = standing.family, list(standing.names)

    def p_value(one: str, other: str) -> _PValue:
        test = family.between(one, other)
        if test is None:
            return "n/a", None
        text = star_p(test.adjusted, is_floor=test.is_floor)
        # On the segments that both have, the system of the row can be the worse one.
        gap = family.scores[one] - family.scores[other]
        return f"{text} (worse)" if test.difference * gap < 0 else text, test.adjusted

    cells, levels = _triangle(names, p_value)
    by_number = len(names) > 4 or max(map(len, names)) > 12
    if by_number:  # a row names each column, also the last
        cells.append([""] * (len(names) - 1))
        levels.append([0] * (len(names) - 1))
    heads = [str(place) if by_number else name for place, name in enumerate(names, 1)][1:]
    notes = [
        f"p of approximate randomization over {data.judged.unit}, two-sided, corrected for the "
        f"{len(family.tests)} pairs (Holm); {_SHADES}; lines separate clusters"
    ]
    if any(test.is_unresolved(LEVEL) for test in family.tests.values()):
        notes.append("< ...: too few trials to decide; raise --resamples")
    if data.coverage is not None:
        notes.append("each pair on the segments of both; n/a if there are none")
    starts = {group[0] for group in standing.groups[1:]}
    return Matrix(
        f"significance-{title}",
        [Column("system", left=True), *map(Column, heads)],
        [[f"{place} {names[place - 1]}", *row] for place, row in enumerate(cells, 1)],
        f"Is the row better than the column? {title}",
        notes,
        levels=levels,
        starts=frozenset(place for place, name in enumerate(names) if name in starts),
    )


def agreement_section(data: ReportData) -> Section | None:
    """All coefficients of all metrics with intervals, and tests of their differences."""
    agreement = data.agreement
    if agreement is None:
        return None
    levels = agreement.coefficients
    plots = [_agreement_plot(data, agreement, level, names[0]) for level, names in levels.items()]
    tables: list[Table] = [
        _agreement_table(data, agreement, level, names) for level, names in levels.items()
    ]
    tables += [_agreement_matrix(agreement, level, names[0]) for level, names in levels.items()]
    return Section(
        "agreement",
        "Which metric agrees with human scores",
        [plot for plot in plots if plot is not None],
        [table for table in tables if table.rows],
        fold="All coefficients",
    )


def _agreement_table(
    data: ReportData, agreement: AgreementResult, level: str, names: Sequence[str]
) -> Table:
    ordered = _order_metrics(agreement, level, names[0])
    numbers = [
        [metric.number(level, name, agreement.resampling) for name in names] for metric in ordered
    ]
    known = any(number.value is not None for row in numbers for number in row)
    columns = [Column(name, decimals=2, best="highest", interval="range") for name in names]
    rows: list[list[Cell]] = [
        [metric.title, *row] for metric, row in zip(ordered, numbers, strict=True)
    ]
    return Table(
        f"agreement-{level}",
        [Column("metric", left=True), *columns],
        rows if known else [],
        f"Agreement with {agreement.human}, {level} level",
        [
            f"[low, high]: {data.share} bootstrap interval over {agreement.unit}; more is more "
            "agreement: scores of metrics whose lower scores are better are reversed",
            *data.on_training(),
        ],
    )


def _order_metrics(agreement: AgreementResult, level: str, name: str) -> list[MetricAgreement]:
    """The metrics, best first; those without a value last."""

    def key(metric: MetricAgreement) -> float:
        value = metric.estimates[level, name].value
        return 2.0 if value is None else -value

    return sorted(agreement.metrics, key=key)


def _agreement_plot(
    data: ReportData, agreement: AgreementResult, level: str, name: str
) -> Plot | None:
    ordered = _order_metrics(agreement, level, name)
    estimates = [(metric.title, metric.estimates[level, name]) for metric in ordered]
    lines = [
        (title, (estimate.value, estimate.low, estimate.high))
        for title, estimate in estimates
        if estimate.value is not None
    ]
    title = f"{name.capitalize()} with {agreement.human}, {level} level"
    caption = f"Metrics, best first, with {data.share} bootstrap intervals"
    plot = f"agreement-{level}", title, caption, lines, f"{name}, {level} level"
    return ranking(*plot) if lines else None


def _agreement_matrix(agreement: AgreementResult, level: str, name: str) -> Matrix:
    ordered = _order_metrics(agreement, level, name)
    labels = [metric.label for metric in ordered if not metric.familiarity.is_marked]
    differences = {
        frozenset((difference.one, difference.other)): difference.adjusted
        for difference in agreement.differences
        if (difference.level, difference.coefficient) == (level, name)
    }
    tests = {test for adjusted in differences.values() for test in adjusted}
    test = next((test for test in _ORDER[level] if test in tests), "")

    def p_value(one: str, other: str) -> _PValue:
        p = differences.get(frozenset((one, other)), {}).get(test)
        return star_p(p), p

    cells, levels = _triangle(labels, p_value)
    return Matrix(
        f"agreement-significance-{level}",
        [Column("metric", left=True), *map(Column, labels[1:])],
        [[label, *row] for label, row in zip(labels, cells, strict=False)] if test else [],
        f"Does the row agree better than the column? {name}, {level} level",
        [
            f"p of {_TESTS.get(test, test)}, two-sided, corrected for all pairs of metrics "
            f"(Holm); {_SHADES}; – where the test cannot be made"
        ],
        levels=levels,
    )


@dataclass(frozen=True)
class Disagreement:
    """A row with its score, its human score, and the share of rows below it by each."""

    row: Row
    score: float
    human: float
    ranks: tuple[float, float]


def find_disagreements(
    data: ReportData, label: str, *, shown: int = 3
) -> tuple[list[Disagreement], list[Disagreement]]:
    """Find the rows that a metric ranks most above, and most below, the human score."""
    people = data.judged.human[data.human or ""]
    better = data.better(label)
    known = np.flatnonzero(np.isfinite(people) & np.isfinite(better))
    if len(known) < 2:
        return [], []
    ranks = midranks(np.stack([better[known], people[known]])) / (len(known) - 1)
    scores = data.scores(label)

    def largest(gaps: np.ndarray) -> list[Disagreement]:
        places = [int(place) for place in np.argsort(-gaps, kind="stable")[:shown]]
        return [
            Disagreement(
                data.rows[row := int(known[place])],
                float(scores[row]),
                float(people[row]),
                (float(ranks[0, place]), float(ranks[1, place])),
            )
            for place in places
            if gaps[place] > 0
        ]

    return largest(ranks[0] - ranks[1]), largest(ranks[1] - ranks[0])


def disagreement_section(data: ReportData, *, shown: int = 3) -> Section | None:
    """The worst disagreements of each metric, both ways, with drawn explanations."""
    if data.human is None or shown == 0:
        return None
    parts = [
        fold_html(f"{label} against {data.human}", inside)
        for label in data.metrics
        if (inside := list(_disagreements_html(data, label, shown)))
    ]
    lead = (
        "<p>Rows by how far apart the metric and the human score rank them. A rank is the share of "
        "rows with a lower score.</p>"
    )
    html = "\n".join([lead, *parts])
    return Section("disagreements", "Worst disagreements", html=html) if parts else None


def _disagreements_html(data: ReportData, label: str, shown: int) -> Iterator[str]:
    sides = find_disagreements(data, label, shown=shown)
    both = data.scores(label), data.judged.human[data.human or ""]
    mine, theirs = map(decimals_of, both)
    for way, side in zip(("higher", "lower"), sides, strict=True):
        if side:
            yield f"<h3>{plain_html(f'{label} ranks {way} than the human score')}</h3>"
        for disagreement in side:
            row = disagreement.row
            name = row.system if row.item is None else f"{row.system}, {row.item}"
            ranks = [f"rank {100 * rank:.0f} %" for rank in disagreement.ranks]
            summary = (
                f"{name}: {label} {disagreement.score:z.{mine}f} ({ranks[0]}), "
                f"{data.human} {disagreement.human:z.{theirs}f} ({ranks[1]})"
            )
            drawing = draw(explain_row(data.metrics[label], row, any_language=True))
            yield example_html(summary, [drawing], row.source)
