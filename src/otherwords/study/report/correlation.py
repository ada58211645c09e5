"""Metrics against human scores: scatter plots and lines, for reports and for the papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import UsageError
from otherwords.scoring.stream import paired_keys
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson
from otherwords.study.report.data import ReportData
from otherwords.study.report.page import Section
from otherwords.study.report.plot import Plot, histogram, jitter, lines, scatter, standalone
from otherwords.study.report.rows import decimals_of
from otherwords.study.report.style import SERIES

if TYPE_CHECKING:
    from otherwords.study.papers.paradigm import FigurePoint
    from otherwords.study.papers.paraeval import HumanRanking
    from otherwords.study.papers.pem import PemLine, PemTables


POINTS = 1500  # most points in a scatter plot; more would hide each other
_JITTER = "human scores have jitter, so that no point hides another"
_PAPER_JITTER = "points have jitter, so that none hides another (footnote 3)"


def scatter_section(data: ReportData) -> Section | None:
    """Each metric against human scores, by segment and by system (PEM, Figures 4 and 5)."""
    if data.human is None:
        return None
    plots = [_segment_plot(data, label, data.human) for label in data.metrics]
    plots += [_system_plot(data, label, data.human) for label in data.metrics]
    known = [plot for plot in plots if plot is not None]
    return Section("scatter", "Metrics against human scores", known) if known else None


def _segment_plot(data: ReportData, label: str, human: str) -> Plot | None:
    people, scores = data.judged.human[human], data.scores(label)
    known = np.flatnonzero(np.isfinite(people) & np.isfinite(scores))
    if len(known) < 2:
        return None
    sample = _sample(known)
    moved = jitter(people[sample])
    texts = f"{len(known):,} texts of " if len(data.names) > 1 else ""
    size = f"{texts}{data.segments:,} segments"
    caption = f"{size}; Pearson {_show_pearson(scores[known], people[known])}"
    if len(sample) < len(known):
        caption += f"; {len(sample):,} of them sampled at random are shown"
    if not np.array_equal(moved, people[sample]):
        caption += f"; {_JITTER}"
    points = list(zip(moved.tolist(), scores[sample].tolist(), strict=True))
    title, axes = f"{label} against {human}, segments", (f"human: {human}", label)
    rows = sample.tolist()
    return scatter(f"scatter-{label}", title, caption, points, axes, rows=rows)


def _system_plot(data: ReportData, label: str, human: str) -> Plot | None:
    people, scores = data.people[human].values, data.systems[label].values
    known = np.flatnonzero(np.isfinite(people) & np.isfinite(scores))
    if len(known) < 3:
        return None
    points = list(zip(people[known].tolist(), scores[known].tolist(), strict=True))
    names = [data.names[int(system)] for system in known]
    caption = f"{len(known)} systems; Pearson {_show_pearson(scores[known], people[known])}"
    title, axes = f"{label} against {human}, systems", (f"human: mean {human}", label)
    name = f"scatter-systems-{label}"
    series = [data.series[one] for one in names]
    return scatter(name, title, caption, points, axes, names, series=series)


def pair_plots(
    label: str,
    systems: Mapping[str, tuple[int, Array]],
    rows: Sequence[int],
    higher_is_better: bool,
) -> list[Plot]:
    """Two systems by segment: the first against the second, and their differences.

    `systems` has the number and the segment scores of each; `rows` are those of the first.
    """
    (one, (first, mine)), (other, (second, theirs)) = systems.items()
    known = np.flatnonzero(np.isfinite(mine) & np.isfinite(theirs))
    if len(known) < 2:
        return []
    gaps = (mine - theirs)[known]
    better = gaps if higher_is_better else -gaps
    counts = int((better > 0).sum()), int((better < 0).sum())
    even = len(known) - sum(counts)
    won = f"{one} is better on {counts[0]:,}, {other} on {counts[1]:,}, even on {even:,}"
    sample = _sample(known)
    winners = [
        None if gap == 0 else first if (gap > 0) == higher_is_better else second
        for gap in (mine - theirs)[sample].tolist()
    ]
    points = list(zip(theirs[sample].tolist(), mine[sample].tolist(), strict=True))
    title, caption = f"{label}, each segment", f"A dot has the colour of the better system: {won}"
    axes = f"{label}: {other}", f"{label}: {one}"
    numbers = [rows[place] for place in sample.tolist()]
    drawn = scatter(
        f"pair-{label}", title, caption, points, axes, rows=numbers, series=winners, diagonal=True
    )
    sides = (second, first) if higher_is_better else (first, second)
    spread = f"Segments by {one} − {other}; median {np.median(gaps):+z.{decimals_of(gaps)}f}"
    axis = f"{label}: {one} − {other}"
    name, title = f"differences-{label}", f"{label}, differences"
    return [drawn, histogram(name, title, spread, gaps.tolist(), axis, sides)]


def pair_section(data: ReportData, faults: Plot | None) -> Section | None:
    """The best two systems by segment, or the spread of one; and faults of all systems."""
    label = data.first
    more = [] if faults is None else [faults]
    if len(data.names) == 1:
        spread = [_spread_plot(data, name) for name in data.metrics]
        known = [plot for plot in spread if plot is not None]
        return Section("spread", "How scores spread", [*known, *more]) if known else None
    names = [data.names[system] for system in data.ranked(label)[:2]]
    keys = paired_keys(data.rows)
    by_key = [{keys[row]: row for row in data.judged.systems[name].tolist()} for name in names]
    rows = [(row, by_key[-1][key]) for key, row in by_key[0].items() if key in by_key[-1]]
    plots: list[Plot] = []
    if len(names) == 2 and rows:
        scores = data.scores(label)[np.array(rows)]
        systems = {name: (data.series[name], scores[:, side]) for side, name in enumerate(names)}
        higher = data.metrics[label].traits.higher_is_better
        plots = pair_plots(label, systems, [row for row, _ in rows], higher)
    heading = " against ".join(names)
    return Section("pair", heading, [*plots, *more]) if plots or more else None


def _spread_plot(data: ReportData, label: str) -> Plot | None:
    scores = data.scores(label)
    known = scores[np.isfinite(scores)]
    if len(known) < 2:
        return None
    low, middle, high = np.percentile(known, [25, 50, 75])
    low, middle, high = (f"{value:z.{decimals_of(known)}f}" for value in (low, middle, high))
    caption = f"{len(known):,} segments; median {middle}, half of them {low} to {high}"
    return histogram(f"spread-{label}", label, caption, known.tolist(), label, (0, 0))


def _sample(known: NDArray[np.intp]) -> NDArray[np.intp]:
    """At most `POINTS` rows in their order; every metric on the same rows gets the same sample."""
    if len(known) <= POINTS:
        return known
    raw = np.random.PCG64(0).random_raw(len(known))
    return np.sort(known[np.argsort(raw, kind="stable")[:POINTS]])


def _show_pearson(x: Array, y: Array) -> str:
    r = pearson(x, y)
    return "n/a (constant)" if r is None else f"{r:z.3f}"


def pem_plots(tables: PemTables) -> list[Plot]:
    """The figures of PEM for which the set has data.

    Figure 3 is dissimilarity against the overall score where adequacy and fluency are high (the
    last line of Table 2). Figures 4 and 5 are each metric against human scores, over sentences and
    over systems. Both axes of Figure 3 have jitter, as in the paper, and human scores in Figure 4.
    """
    human = tables.human
    plots = [
        _pem_sentences("figure3", f"{line.name} against {human} where {line.where}", line, human)
        for line in tables.criteria
        if line.where
    ]
    metric_lines = [line for line in tables.metrics if line.other is None]
    for figure, draw, unit in (
        ("figure4", _pem_sentences, "sentences"),
        ("figure5", _pem_systems, "systems"),
    ):
        for line in metric_lines:
            name = f"{figure}-{line.name}" if len(metric_lines) > 1 else figure
            plots.append(draw(name, f"{line.name} against {human}, {unit}", line, human))
    return [plot for plot in plots if plot is not None]


def paraeval_plots(lines: Sequence[HumanRanking]) -> list[Plot]:
    """Figure 5 of ParaEval for each metric: the ranking of systems and human translations."""
    plots = []
    for line in lines:
        points = [(float(rank), score) for rank, score in enumerate(line.ranked.values(), 1)]
        caption = f"{len(line.references)} references and {len(line.systems)} systems"
        title, axes = f"Ranking by {line.metric}", ("rank", line.metric)
        plots.append(
            scatter(f"figure5-{line.metric}", title, caption, points, axes, list(line.ranked))
        )
    return plots


def _pem_sentences(name: str, title: str, line: PemLine, human: str) -> Plot | None:
    if len(line.points) < 2:
        return None
    shown = line.points[_sample(np.arange(len(line.points)))]
    x = jitter(shown[:, 0], seed=1) if line.where else shown[:, 0]
    y = jitter(shown[:, 1])
    r = line.sentence.value
    caption = f"{len(line.points):,} pairs; Pearson {_show_r(r)}; {_PAPER_JITTER}"
    if len(shown) < len(line.points):
        caption += f"; {len(shown):,} of them sampled at random are shown"
    points = list(zip(y.tolist(), x.tolist(), strict=True))
    return scatter(name, title, caption, points, (f"human: {human}", line.name))


def _pem_systems(name: str, title: str, line: PemLine, human: str) -> Plot | None:
    if len(line.means) < 2:
        return None
    points = [(people, score) for score, people in line.means.values()]
    caption = f"{len(points)} systems; Pearson {_show_r(line.system.value)}"
    return scatter(
        name, title, caption, points, (f"human: mean {human}", line.name), list(line.means)
    )


def _show_r(r: float | None) -> str:
    return "n/a" if r is None else f"{r:z.3f}"


def figure4_svg(grammars: Mapping[str, Sequence[FigurePoint]]) -> str:
    """PARADIGM's Figure 4: a lower bound on precision, and relative recall, by size of grammar.

    >>> from otherwords.study.papers.paradigm import FigurePoint
    >>> figure4_svg({"mine": [FigurePoint(10, 0.5, 0.1), FigurePoint(20, 0.3, 0.2)]})[:4]
    '<svg'
    """
    panels = {
        name: {
            grammar: [(float(point.rules), getattr(point, part)) for point in points]
            for grammar, points in grammars.items()
        }
        for name, part in (("precision, at least", "precision"), ("relative recall", "recall"))
    }
    caption = "Lower bound on precision, and relative recall, as less probable rules are added."
    return standalone(lines("figure4", "Precision and recall by size", caption, panels, "rules"))


def check_figure4(grammars: Sequence[str]) -> None:
    """Refuse more grammars than the figure can distinguish."""
    if len(grammars) > SERIES:
        message = f"Figure 4 has room for {SERIES} grammars, not {len(grammars)}"
        raise UsageError(f"{message}: name those that it shows (--figure)")
