"""The part of a report that is on systems: scores, rankings, and which differences are chance."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherwords.report.data import Drawn, Evidence
from otherwords.report.page import Section
from otherwords.report.plot import Plot, ranking
from otherwords.scoring.comparison.contrasts import adjust
from otherwords.stats.paired import p_value
from otherwords.tables.plain import Table, decimals, p_shown

__all__ = ["MOST", "score_section", "significance_section"]

MOST = 20  # systems of a plot or a matrix


def score_section(found: Evidence) -> Section:
    """Scores with intervals, and the systems in the order of each metric and of people."""
    plots = [_of_metric(found, label) for label in found.metrics]
    plots += [_of_people(found, name) for name in found.people]
    return Section("scores", "Scores", [one for one in plots if one], [_scores(found)])


def _scores(found: Evidence) -> Table:
    first = next(iter(found.metrics))
    rows = []
    for system in found.ranked(first):
        line = [found.names[system], str(len(found.judged.systems[found.names[system]]))]
        for label, metric in found.metrics.items():
            line.append(_shown(found, found.systems[label], system, metric.traits.high))
        line += [_shown(found, drawn, system, 5) for drawn in found.people.values()]
        rows.append(line)
    return Table(
        "scores",
        f"Scores of {len(rows)} systems, in the order of {first}",
        ["system", "segments", *(_label(found, label) for label in found.metrics), *found.people],
        rows,
        f"±: half the {found.share} bootstrap interval over {found.judged.unit}"
        + ("; people's scores are means" if found.people else ""),
    )


def _label(found: Evidence, label: str) -> str:
    """The label of a metric, told if its lower scores are better."""
    higher = found.metrics[label].traits.higher_is_better
    return label if higher else f"{label} (lower is better)"


def _shown(found: Evidence, drawn: Drawn, system: int, high: float) -> str:
    value, low, top = drawn.around(system, found.resampling.confidence)
    if not np.isfinite(value):
        return "n/a"
    if low is None or top is None:
        return decimals(value, high)
    return f"{decimals(value, high)} ± {decimals((top - low) / 2, high)}"


def _cut(systems: Sequence[int]) -> str:
    return f"; the best {MOST} of {len(systems)}" if len(systems) > MOST else ""


def _of_metric(found: Evidence, label: str) -> Plot | None:
    return _ranking(found, f"ranking-{label}", label, found.systems[label], found.ranked(label))


def _of_people(found: Evidence, name: str) -> Plot | None:
    drawn = found.people[name]
    return _ranking(found, f"ranking-people-{name}", f"people ({name})", drawn, drawn.order())


def _ranking(
    found: Evidence, name: str, what: str, drawn: Drawn, order: Sequence[int]
) -> Plot | None:
    """The systems, best first, with error bars (ParaEval, Figure 5)."""
    if len(order) < 2:
        return None
    confidence = found.resampling.confidence
    lines = [(found.names[system], drawn.around(system, confidence)) for system in order[:MOST]]
    caption = f"Systems, best first, with {found.share} bootstrap intervals{_cut(order)}"
    return ranking(name, f"Systems by {what}", caption, lines, what)


def significance_section(found: Evidence) -> Section | None:
    """For each metric, which systems are better than which others, beyond chance."""
    if len(found.names) < 2 or found.judged.size < 2:
        return None
    tables = [
        _matrix(found, label, found.systems[label], found.ranked(label)) for label in found.metrics
    ]
    if found.human is not None:
        people = found.people[found.human]
        tables.append(_matrix(found, f"people ({found.human})", people, people.order()))
    return Section("significance", "Significance", tables=[one for one in tables if one.rows])


def _matrix(found: Evidence, what: str, drawn: Drawn, systems: Sequence[int]) -> Table:
    shown = systems[:MOST]
    pairs = [(a, b) for place, a in enumerate(shown) for b in shown[place + 1 :]]
    p = dict(zip(pairs, adjust([_p(drawn, a, b) for a, b in pairs]), strict=True))
    names = [found.names[system] for system in shown]
    rows = [
        [found.names[a], *(p_shown(p[a, b]) if (a, b) in p else "" for b in shown[1:])]
        for a in shown[:-1]
    ]
    return Table(
        f"significance-{what}",
        f"Is the row better than the column? {what}{_cut(systems)}",
        ["", *names[1:]],
        rows,
        f"p of the paired bootstrap over {found.judged.unit}, two-sided, corrected for the "
        f"{len(pairs)} pairs (Holm); * below 0.05",
    )


def _p(drawn: Drawn, one: int, other: int) -> float:
    """Both systems on the same draws, those where both have a score."""
    gaps = drawn.draws[:, one] - drawn.draws[:, other]
    gaps = gaps[np.isfinite(gaps)]
    if not len(gaps):
        return 1.0
    return p_value(gaps - gaps.mean(), float(drawn.values[one] - drawn.values[other]))
