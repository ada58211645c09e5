"""Metrics against human scores: scatter plots and curves, for reports and for the papers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import UsageError
from otherwords.scoring.compare_pair import bucket_name
from otherwords.stats.arrays import Array
from otherwords.stats.coefficients import pearson, pearson_resampled
from otherwords.stats.intervals import percentiles
from otherwords.stats.resampling import Resamples
from otherwords.study.report.data import LENGTHS, ReportData
from otherwords.study.report.page import Section
from otherwords.study.report.plot import (
    Estimated,
    Fit,
    Plot,
    curves,
    jitter,
    lines,
    scatter,
    standalone,
)
from otherwords.study.report.style import SERIES
from otherwords.tables.table import Cell, Column, Number, Table

if TYPE_CHECKING:
    from otherwords.study.papers.paradigm import FigurePoint
    from otherwords.study.papers.pem import PemLine, PemTables


POINTS = 1500  # most points in a scatter plot; more would hide each other
FEWEST, FEWEST_SYSTEMS = 10, 5  # rows needed for a correlation by length, systems for a fit
_LENGTH = "length of the reference (or source) in tokens"
_JITTER = "human scores have jitter, so that no point hides another"
_PAPER_JITTER = "points have jitter, so that none hides another (footnote 3)"

_Series = dict[str, list[Estimated | None]]


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
    fit = _fit_line(data, people[known], scores[known], data.judged.units[known])
    caption = f"{len(known):,} segments; Pearson {_show_pearson(scores[known], people[known])}"
    if len(sample) < len(known):
        caption += f"; {len(sample):,} of them sampled at random are shown"
    if not np.array_equal(moved, people[sample]):
        caption += f"; {_JITTER}"
    caption += f"; dashed: least squares with its {data.share} interval" if fit else ""
    points = list(zip(moved.tolist(), scores[sample].tolist(), strict=True))
    title, axes = f"{label} against {human}, segments", (f"human: {human}", label)
    rows = sample.tolist()
    return scatter(f"scatter-{label}", title, caption, points, axes, rows=rows, fit=fit)


def _system_plot(data: ReportData, label: str, human: str) -> Plot | None:
    people, scores = data.people[human].values, data.systems[label].values
    known = np.flatnonzero(np.isfinite(people) & np.isfinite(scores))
    if len(known) < 3:
        return None
    points = list(zip(people[known].tolist(), scores[known].tolist(), strict=True))
    names = [data.names[int(system)] for system in known]
    fit = None
    if len(known) >= FEWEST_SYSTEMS:
        fit = _fit_line(data, people[known], scores[known], np.arange(len(known)))
    caption = f"{len(known)} systems; Pearson {_show_pearson(scores[known], people[known])}"
    caption += f"; dashed: least squares, {data.share} interval over systems" if fit else ""
    title, axes = f"{label} against {human}, systems", (f"human: mean {human}", label)
    return scatter(f"scatter-systems-{label}", title, caption, points, axes, names, fit=fit)


def _fit_line(data: ReportData, x: Array, y: Array, units: NDArray[np.intp]) -> Fit | None:
    """The line of least squares, with its interval over resamples of units at 21 places."""
    if len(x) < 3 or np.ptp(x) == 0:
        return None
    _, unit = np.unique(units, return_inverse=True)
    parts = np.column_stack([np.ones(len(x)), x, y, x * y, x * x])
    sums = np.zeros((int(unit.max()) + 1, 5))
    np.add.at(sums, unit, parts)
    every = np.ones((1, len(sums)))
    resamples = Resamples(len(sums), data.resampling.resamples, data.resampling.seed)
    sampled = [times @ sums for times in (every, *resamples)]
    n, sum_x, sum_y, sum_xy, sum_xx = np.concatenate(sampled).T
    spread = n * sum_xx - sum_x * sum_x
    known = spread > 1e-9 * np.maximum(n * sum_xx, 1e-300)
    slope = (n * sum_xy - sum_x * sum_y)[known] / spread[known]
    start = (sum_y[known] - slope * sum_x[known]) / n[known]
    at = np.linspace(x.min(), x.max(), 21)
    fitted = start[:, None] + slope[:, None] * at
    if not known[0] or len(fitted) < 3:
        return None
    confidence = data.resampling.confidence
    ends = [percentiles(fitted[1:, place], confidence) for place in range(len(at))]
    low, high = zip(*ends, strict=True)
    return Fit(at.tolist(), fitted[0].tolist(), low, high)


def _sample(known: NDArray[np.intp]) -> NDArray[np.intp]:
    """At most `POINTS` rows in their order; every metric on the same rows gets the same sample."""
    if len(known) <= POINTS:
        return known
    raw = np.random.PCG64(0).random_raw(len(known))
    return np.sort(known[np.argsort(raw, kind="stable")[:POINTS]])


def _show_pearson(x: Array, y: Array) -> str:
    r = pearson(x, y)
    return "n/a (constant)" if r is None else f"{r:z.3f}"


def length_section(data: ReportData) -> Section:
    """Agreement with human scores by length; without them, scores by length."""
    there = sorted(set(data.lengths.tolist()))
    names = [bucket_name(LENGTHS, place) for place in there]
    if data.human is None:
        plots = [_score_curves(data, label, names, there) for label in data.metrics]
        return Section("length", "By length", plots)
    people = data.judged.human[data.human]
    series: _Series = {
        label: [_agreement(data, label, people, data.lengths == place) for place in there]
        for label in list(data.metrics)[:SERIES]
    }
    caption = (
        f"Pearson over the segments of each length, with {data.share} bootstrap intervals; "
        f"lengths with fewer than {FEWEST} segments are left out{_first_metrics(data)}"
    )
    title = f"Agreement with {data.human} by length"
    plot = curves("length", title, caption, names, series, (_LENGTH, "Pearson"))
    sizes = [int((data.lengths == place).sum()) for place in there]
    return Section("length", "By length", [plot], [_table("length", plot, names, series, sizes)])


def _first_metrics(data: ReportData) -> str:
    return f"; the first {SERIES} metrics" if len(data.metrics) > SERIES else ""


def _score_curves(data: ReportData, label: str, names: Sequence[str], there: Sequence[int]) -> Plot:
    metric, statistics = data.metrics[label], data.scored[label].statistics
    series: _Series = {}
    best = data.ranked(label)[:SERIES]
    for system in best:
        rows = data.judged.systems[data.names[system]]
        by_length = [rows[data.lengths[rows] == place] for place in there]
        series[data.names[system]] = [
            (metric.aggregate(statistics[bucket]), None, None) if len(bucket) else None
            for bucket in by_length
        ]
    few = f", the best {len(best)} systems" if len(best) < len(data.names) else ""
    caption = f"Corpus score of the segments of each length{few}"
    axes = _LENGTH, label
    return curves(f"length-{label}", f"{label} by length", caption, names, series, axes)


def _agreement(
    data: ReportData, label: str, people: Array, chosen: NDArray[np.bool_]
) -> Estimated | None:
    """Pearson over the chosen rows, with its interval; higher is always more agreement."""
    scores = data.better(label)
    rows = np.flatnonzero(chosen & np.isfinite(people) & np.isfinite(scores))
    r = pearson(scores[rows], people[rows])
    if len(rows) < FEWEST or r is None:
        return None
    names, units = np.unique(data.judged.units[rows], return_inverse=True)
    resampling = data.resampling
    blocks = Resamples(len(names), resampling.resamples, resampling.seed)
    sampled = np.concatenate(
        [pearson_resampled(scores[rows], people[rows], units, times) for times in blocks]
    )
    known = sampled[np.isfinite(sampled)]
    if len(known) < 2:
        return r, None, None
    return r, *percentiles(known, resampling.confidence)


def criterion_section(data: ReportData) -> Section | None:
    """Agreement of each metric with each criterion."""
    human = data.judged.human
    if len(human) < 2:
        return None
    every = np.ones(len(data.rows), dtype=bool)
    series: _Series = {
        label: [_agreement(data, label, scores, every) for scores in human.values()]
        for label in list(data.metrics)[:SERIES]
    }
    names = list(human)
    caption = (
        f"Pearson over segments with each human score, with {data.share} bootstrap intervals"
        f"{_first_metrics(data)}"
    )
    axes = "criterion", "Pearson"
    title = "Agreement by criterion"
    plot = curves("criteria", title, caption, names, series, axes, joined=False)
    sizes = [int(np.isfinite(scores).sum()) for scores in human.values()]
    table = _table("criteria", plot, names, series, sizes)
    return Section("criteria", "By criterion", [plot, *_criterion_plots(data)], [table])


def _criterion_plots(data: ReportData) -> list[Plot]:
    """The other criteria against the main human score (PEM, Figure 3)."""
    first, *others = data.judged.human
    plots = []
    for name in others[:SERIES]:
        x, y = data.judged.human[first], data.judged.human[name]
        known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        if len(known) < 2:
            continue
        rows = _sample(known)
        points = zip(jitter(x[rows]).tolist(), jitter(y[rows], 1).tolist(), strict=True)
        caption = f"{len(known):,} segments; Pearson {_show_pearson(x[known], y[known])}; {_JITTER}"
        title, axes = f"{name} against {first}", (f"human: {first}", f"human: {name}")
        file = f"scatter-people-{name}"
        plots.append(scatter(file, title, caption, list(points), axes, rows=rows.tolist()))
    return plots


def _table(
    name: str, plot: Plot, steps: Sequence[str], series: _Series, sizes: Sequence[int]
) -> Table:
    """The numbers of a plot, for readers who cannot see it or want to cite them."""
    columns = [Column(label, decimals=2, interval="range") for label in series]
    rows: list[list[Cell]] = []
    for step, size, *estimates in zip(steps, sizes, *series.values(), strict=True):
        numbers = [Number(*(estimate or (None,))) for estimate in estimates]
        rows.append([step, size, *numbers])
    head = [Column(name, left=True), Column("segments")]
    return Table(name, [*head, *columns], rows, plot.title, [plot.caption])


def pem_plots(tables: PemTables) -> list[Plot]:
    """The figures of PEM for which the set has data.

    Figure 3 is dissimilarity against the overall score where adequacy and fluency are high (the
    last line of Table 2). Figures 4 and 5 are each metric against human scores, over sentences and
    over systems. Both axes of Figure 3 have jitter, as in the paper, and human scores in Figure 4.
    """
    human = tables.human
    plots = [
        _pem_sentences("figure3", f"{line.one} against {human} where {line.where}", line, human)
        for line in tables.criteria
        if line.where
    ]
    metric_lines = [line for line in tables.metrics if line.other is None]
    for figure, draw, unit in (
        ("figure4", _pem_sentences, "sentences"),
        ("figure5", _pem_systems, "systems"),
    ):
        for line in metric_lines:
            name = f"{figure}-{line.one}" if len(metric_lines) > 1 else figure
            plots.append(draw(name, f"{line.one} against {human}, {unit}", line, human))
    return [plot for plot in plots if plot is not None]


def _pem_sentences(name: str, title: str, line: PemLine, human: str) -> Plot | None:
    if len(line.points) < 2:
        return None
    shown = line.points[_sample(np.arange(len(line.points)))]
    x = jitter(shown[:, 0], seed=1) if line.where else shown[:, 0]
    y = jitter(shown[:, 1])
    r = line.sentence.r
    caption = f"{len(line.points):,} pairs; Pearson {_show_r(r)}; {_PAPER_JITTER}"
    if len(shown) < len(line.points):
        caption += f"; {len(shown):,} of them sampled at random are shown"
    points = list(zip(y.tolist(), x.tolist(), strict=True))
    return scatter(name, title, caption, points, (f"human: {human}", line.one))


def _pem_systems(name: str, title: str, line: PemLine, human: str) -> Plot | None:
    if len(line.means) < 2:
        return None
    points = [(people, score) for score, people in line.means.values()]
    caption = f"{len(points)} systems; Pearson {_show_r(line.system.r)}"
    return scatter(
        name, title, caption, points, (f"human: mean {human}", line.one), list(line.means)
    )


def _show_r(r: float | None) -> str:
    return "n/a" if r is None else f"{r:z.3f}"


def figure4_svg(grammars: Mapping[str, Sequence[FigurePoint]]) -> str:
    """PARADIGM's Figure 4: a lower bound on precision, and relative recall, by size of grammar.

    >>> from otherwords.study.papers.paradigm import FigurePoint
    >>> figure4_svg({"mine": [FigurePoint(10, 0.5, 0.1), FigurePoint(20, 0.3, 0.2)]})[:4]
    '<svg'
    """
    if 2 * len(grammars) > SERIES:
        message = f"Figure 4 has room for {SERIES // 2} grammars, not {len(grammars)}"
        raise UsageError(f"{message}: name those that it shows")
    series = {
        f"{name}: {part}": [(float(point.rules), getattr(point, part)) for point in points]
        for name, points in grammars.items()
        for part in ("precision", "recall")
    }
    caption = "Lower bound on precision, and relative recall, as less probable rules are added."
    axes = ("rules", "share")
    return standalone(lines("figure4", "Precision and recall by size", caption, series, axes))
