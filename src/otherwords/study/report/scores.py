"""Systems in a report: scores, rankings, and which differences may be chance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from otherwords.scoring.seen import SEEN
from otherwords.stats.families import Family
from otherwords.study.report.agreement import shade, starred_p
from otherwords.study.report.data import ReportData, ResampledScores
from otherwords.study.report.forest import decimals_of_interval
from otherwords.study.report.page import Matrix, Section
from otherwords.study.report.plot import Plot, ranking
from otherwords.study.report.standing import Standing
from otherwords.tables.table import LEVEL, Cell, Column, Number, Table

__all__ = ["score_section", "significance_section"]


def score_section(found: ReportData) -> Section:
    """All scores with intervals as a table; as plots for those who write them to files."""
    return Section("scores", "All scores", tables=[_scores(found)], files=list(_rankings(found)))


def _scores(found: ReportData) -> Table:
    rows: list[list[Cell]] = []
    for system in found.ranked(found.first):
        line: list[Cell] = [found.names[system], len(found.judged.systems[found.names[system]])]
        scores = [*(found.systems[label] for label in found.metrics), *found.people.values()]
        rows.append([*line, *(_number(found, drawn, system) for drawn in scores)])
    notes = [f"±: half the {found.share} bootstrap interval over {found.judged.unit}"]
    if found.people:
        notes[0] += "; human scores are means"
    if found.coverage is not None:
        notes.append(found.coverage.warning())
    notes += found.on_training()
    return Table(
        "scores",
        [
            Column("system", left=True),
            Column("segments"),
            *(_column(found, label) for label in found.metrics),
            *(
                Column(name, decimals=_decimals(found, drawn), best="highest")
                for name, drawn in found.people.items()
            ),
        ],
        rows,
        f"Scores of {len(rows)} systems, in the order of {found.first}",
        notes,
    )


def _column(found: ReportData, label: str) -> Column:
    """The column of a metric; its head says if lower scores are better."""
    decimals = _decimals(found, found.systems[label])
    if found.is_seen(label):
        return Column(label, label + SEEN, decimals=decimals)
    if found.metrics[label].traits.higher_is_better:
        return Column(label, decimals=decimals, best="highest")
    return Column(label, f"{label} (lower is better)", decimals=decimals, best="lowest")


def _decimals(found: ReportData, drawn: ResampledScores) -> int:
    """As many as the intervals support; four where there is none."""
    around = [drawn.around(one, found.resampling.confidence) for one in range(len(found.names))]
    halves = [(high - low) / 2 for _, low, high in around if low is not None and high is not None]
    decimals = decimals_of_interval(halves)
    return 4 if decimals is None else decimals


def _number(found: ReportData, drawn: ResampledScores, system: int) -> Number:
    value, low, high = drawn.around(system, found.resampling.confidence)
    return Number(value, low, high) if np.isfinite(value) else Number(None)


def _rankings(found: ReportData) -> Iterator[Plot]:
    """The systems, best first, with error bars (ParaEval, Figure 5), as separate files."""
    confidence = found.resampling.confidence
    named = {
        f"ranking-{name}": (name, found.systems[name], found.ranked(name)) for name in found.metrics
    }
    for name, drawn in found.people.items():
        named[f"ranking-people-{name}"] = f"human score {name}", drawn, drawn.order()
    for name, (what, drawn, order) in named.items():
        if len(order) > 1:
            lines = [(found.names[system], drawn.around(system, confidence)) for system in order]
            caption = f"Systems, best first, with {found.share} bootstrap intervals"
            yield ranking(name, f"Systems by {what}", caption, lines, what)


def significance_section(found: ReportData) -> Section | None:
    """For each metric, which systems are better than which others, beyond chance."""
    matrices = [_matrix(found, one, one.label) for one in found.standings]
    if found.human_standing is not None:
        matrices.append(_matrix(found, found.human_standing, f"human score {found.human}"))
    known = [one for one in matrices if one.rows]
    return Section("significance", "Which differences are real", tables=known) if known else None


def _matrix(found: ReportData, standing: Standing, what: str) -> Matrix:
    family, names = standing.family, list(standing.names)
    numbered = [f"{place} {name}" for place, name in enumerate(names, 1)]
    rows = [
        [
            label,
            *(
                _p(family, one, other) if place < number else ""
                for number, other in enumerate(names)
                if number
            ),
        ]
        for place, (label, one) in enumerate(zip(numbered[:-1], names[:-1], strict=True))
    ]
    levels = [[_shade(family, one, other) for other in names[1:]] for one in names[:-1]]
    by_number = len(names) > 6
    heads = [str(place) if by_number else name for place, name in enumerate(names, 1)][1:]
    trials = max((one.trials for one in family.tests.values()), default=0)
    notes = [
        f"p of the paired bootstrap over {found.judged.unit}, two-sided, up to {trials:,} trials, "
        f"corrected for the {len(family.tests)} pairs (Holm); * below {LEVEL:g}; lines "
        "part clusters"
    ]
    if any(one.is_unresolved(LEVEL) for one in family.tests.values()):
        notes.append("< ...: too few trials to decide; raise --resamples-max")
    if found.coverage is not None:
        notes.append("each pair on the segments of both; n/a if there are none")
    if by_number:
        notes.append(f"column {len(names)}: {names[-1]}, which has no row")
    starts = {group[0] for group in standing.groups[1:]}
    return Matrix(
        f"significance-{what}",
        [Column("system", "", left=True), *map(Column, heads)],
        rows,
        f"Is the row better than the column? {what}",
        notes,
        levels=levels,
        starts=frozenset(place for place, name in enumerate(names) if name in starts),
    )


def _shade(family: Family, one: str, other: str) -> int:
    found = family.between(one, other)
    return shade(None if found is None else found.adjusted)


def _p(family: Family, one: str, other: str) -> str:
    """The p-value; on the segments of both, the row can be the worse one."""
    found = family.between(one, other)
    if found is None:
        return "n/a"
    text = starred_p(found.adjusted, is_floor=found.is_floor)
    gap = family.scores[one] - family.scores[other]
    return f"{text} (worse)" if found.difference * gap < 0 else text
