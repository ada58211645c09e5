"""Systems in a report: scores, rankings, and which differences may be chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from otherwords.report.agreement import starred_p
from otherwords.report.data import ReportData, ResampledScores
from otherwords.report.page import Section
from otherwords.report.plot import Plot, ranking
from otherwords.scoring.seen import SEEN
from otherwords.stats.families import Family
from otherwords.tables.table import LEVEL, Cell, Column, Number, Table, decimals_of

__all__ = ["MOST", "score_section", "significance_section"]

MOST = 20  # systems of a plot or a matrix


def score_section(found: ReportData) -> Section:
    """Scores with intervals, and the systems in the order of each metric and human score."""
    plots = [_of_metric(found, label) for label in found.metrics]
    plots += [_of_people(found, name) for name in found.people]
    return Section("scores", "Scores", [one for one in plots if one], [_scores(found)])


def _scores(found: ReportData) -> Table:
    fair = [label for label in found.metrics if not found.is_seen(label)]
    first = next(iter([*fair, *found.metrics]))
    rows: list[list[Cell]] = []
    for system in found.ranked(first):
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
            *(Column(name, decimals=4, best="highest") for name in found.people),
        ],
        rows,
        f"Scores of {len(rows)} systems, in the order of {first}",
        notes,
    )


def _column(found: ReportData, label: str) -> Column:
    """The column of a metric; its head says if lower scores are better."""
    traits = found.metrics[label].traits
    if found.is_seen(label):
        return Column(label, label + SEEN, decimals=decimals_of(traits.high))
    if traits.higher_is_better:
        return Column(label, decimals=decimals_of(traits.high), best="highest")
    head = f"{label} (lower is better)"
    return Column(label, head, decimals=decimals_of(traits.high), best="lowest")


def _number(found: ReportData, drawn: ResampledScores, system: int) -> Number:
    value, low, high = drawn.around(system, found.resampling.confidence)
    return Number(value, low, high) if np.isfinite(value) else Number(None)


def _cut(systems: Sequence[int]) -> str:
    return f"; the best {MOST} of {len(systems)}" if len(systems) > MOST else ""


def _of_metric(found: ReportData, label: str) -> Plot | None:
    return _ranking(found, f"ranking-{label}", label, found.systems[label], found.ranked(label))


def _of_people(found: ReportData, name: str) -> Plot | None:
    drawn = found.people[name]
    return _ranking(found, f"ranking-people-{name}", f"human score {name}", drawn, drawn.order())


def _ranking(
    found: ReportData, name: str, what: str, drawn: ResampledScores, order: Sequence[int]
) -> Plot | None:
    """The systems, best first, with error bars (ParaEval, Figure 5)."""
    if len(order) < 2:
        return None
    confidence = found.resampling.confidence
    lines = [(found.names[system], drawn.around(system, confidence)) for system in order[:MOST]]
    caption = f"Systems, best first, with {found.share} bootstrap intervals{_cut(order)}"
    return ranking(name, f"Systems by {what}", caption, lines, what)


def significance_section(found: ReportData) -> Section | None:
    """For each metric, which systems are better than which others, beyond chance."""
    if len(found.names) < 2 or found.judged.size < 2:
        return None
    tables = [
        _matrix(found, label, found.family, found.ranked(label), label)
        for label in found.metrics
        if not found.is_seen(label)
    ]
    if found.human is not None:
        what, order = f"human score {found.human}", found.people[found.human].order()
        tables.append(_matrix(found, what, found.family_of_people, order, found.human))
    return Section("significance", "Significance", tables=[one for one in tables if one.rows])


def _matrix(
    found: ReportData,
    what: str,
    tested: Callable[[str, Sequence[int]], Family],
    systems: Sequence[int],
    name: str,
) -> Table:
    shown = systems[:MOST]
    family = tested(name, shown)
    names = [found.names[system] for system in shown]
    columns = list(enumerate(names))[1:]
    rows: list[list[Cell]] = [
        [one, *(_p(family, one, other) if place < number else "" for number, other in columns)]
        for place, one in enumerate(names[:-1])
    ]
    trials = max((one.trials for one in family.tests.values()), default=0)
    notes = [
        f"p of the paired bootstrap over {found.judged.unit}, two-sided, up to {trials:,} trials, "
        f"corrected for the {len(family.tests)} pairs (Holm); * below {LEVEL:g}"
    ]
    if any(one.is_unresolved(LEVEL) for one in family.tests.values()):
        notes.append("< ...: so few trials do not decide; raise --resamples-max")
    if found.coverage is not None:
        notes.append("each pair on the segments of both; n/a if there are none")
    return Table(
        f"significance-{what}",
        [Column("system", "", left=True), *map(Column, names[1:])],
        rows,
        f"Is the row better than the column? {what}{_cut(systems)}",
        notes,
    )


def _p(family: Family, one: str, other: str) -> str:
    """The p-value; on the segments of both, the row can be the worse one."""
    found = family.between(one, other)
    if found is None:
        return "n/a"
    text = starred_p(found.adjusted, is_floor=found.is_floor)
    gap = family.scores[one] - family.scores[other]
    return f"{text} (worse)" if found.difference * gap < 0 else text
