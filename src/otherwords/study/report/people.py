"""The part of a report that compares metrics with human scores: scatter plots and curves."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from otherwords.metrics.base import Array
from otherwords.scoring.comparison.words import bucket_name
from otherwords.stats.coefficients import pearson
from otherwords.stats.drawn import pearson_drawn
from otherwords.stats.draws import Draws
from otherwords.stats.intervals import percentiles
from otherwords.study.report.data import LENGTHS, ReportData
from otherwords.study.report.look import SERIES
from otherwords.study.report.page import Section
from otherwords.study.report.plot import Estimated, Fit, Plot, curves, jitter, scatter
from otherwords.tables.table import Cell, Column, Number, Table

__all__ = ["criterion_section", "length_section", "scatter_section"]

POINTS = 1500  # of a scatter plot; more would be a blot
_JITTER = "human scores have jitter, so that no point hides another"
FEWEST, FEWEST_SYSTEMS = 10, 5  # rows that a correlation by length needs, systems of a line


def scatter_section(found: ReportData) -> Section | None:
    """Each metric against human scores, segments and systems (PEM, Figures 4 and 5)."""
    if found.human is None:
        return None
    plots = [_segments(found, label, found.human) for label in found.metrics]
    plots += [_systems(found, label, found.human) for label in found.metrics]
    drawn = [plot for plot in plots if plot is not None]
    return Section("scatter", "Metrics against human scores", drawn) if drawn else None


def _segments(found: ReportData, label: str, human: str) -> Plot | None:
    people, scores = found.judged.human[human], found.scores(label)
    known = np.flatnonzero(np.isfinite(people) & np.isfinite(scores))
    if len(known) < 2:
        return None
    chosen = _sample(known)
    moved = jitter(people[chosen])
    fit = _fit(found, people[known], scores[known], found.judged.units[known])
    caption = f"{len(known):,} segments; Pearson {_r(scores[known], people[known])}"
    if len(chosen) < len(known):
        caption += f"; {len(chosen):,} of them sampled at random are shown"
    if not np.array_equal(moved, people[chosen]):
        caption += f"; {_JITTER}"
    caption += f"; dashed: least squares with its {found.share} interval" if fit else ""
    points = list(zip(moved.tolist(), scores[chosen].tolist(), strict=True))
    title = f"{label} against {human}, segments"
    axes = f"human: {human}", label
    rows = chosen.tolist()
    return scatter(f"scatter-{label}", title, caption, points, axes, rows=rows, fit=fit)


def _fit(found: ReportData, x: Array, y: Array, units: NDArray[np.intp]) -> Fit | None:
    """The line of least squares; its interval at some places of x is over resamples of units."""
    if len(x) < 3 or np.ptp(x) == 0:
        return None
    _, unit = np.unique(units, return_inverse=True)
    parts = np.column_stack([np.ones(len(x)), x, y, x * y, x * x])
    sums = np.zeros((int(unit.max()) + 1, 5))
    np.add.at(sums, unit, parts)
    every = np.ones((1, len(sums)))
    how = found.resampling
    drawn = [times @ sums for times in (every, *Draws(len(sums), how.resamples, how.seed))]
    n, one, other, both, square = np.concatenate(drawn).T
    spread = n * square - one * one
    known = spread > 1e-9 * np.maximum(n * square, 1e-300)
    slope = (n * both - one * other)[known] / spread[known]
    start = (other[known] - slope * one[known]) / n[known]
    at = np.linspace(x.min(), x.max(), 21)
    lines = start[:, None] + slope[:, None] * at
    if not known[0] or len(lines) < 3:
        return None
    ends = [percentiles(lines[1:, place], how.confidence) for place in range(len(at))]
    low, high = zip(*ends, strict=True)
    return Fit(at.tolist(), lines[0].tolist(), low, high)


def _sample(known: NDArray[np.intp]) -> NDArray[np.intp]:
    """Some of the rows, in their order, the same ones for every metric on the same rows."""
    if len(known) <= POINTS:
        return known
    raw = np.random.PCG64(0).random_raw(len(known))
    return np.sort(known[np.argsort(raw, kind="stable")[:POINTS]])


def _systems(found: ReportData, label: str, human: str) -> Plot | None:
    people, scores = found.people[human].values, found.systems[label].values
    known = np.flatnonzero(np.isfinite(people) & np.isfinite(scores))
    if len(known) < 3:
        return None
    points = list(zip(people[known].tolist(), scores[known].tolist(), strict=True))
    names = [found.names[int(system)] for system in known]
    fit = None
    if len(known) >= FEWEST_SYSTEMS:
        fit = _fit(found, people[known], scores[known], np.arange(len(known)))
    caption = f"{len(known)} systems; Pearson {_r(scores[known], people[known])}"
    caption += f"; dashed: least squares, {found.share} interval over systems" if fit else ""
    title = f"{label} against {human}, systems"
    axes = f"human: mean {human}", label
    return scatter(f"scatter-systems-{label}", title, caption, points, axes, names, fit=fit)


def _r(scores: Array, people: Array) -> str:
    r = pearson(scores, people)
    return "n/a (constant)" if r is None else f"{r:z.3f}"


def length_section(found: ReportData) -> Section:
    """Agreement with human scores by length; without them, scores by length."""
    steps = [bucket_name(LENGTHS, place) for place in range(len(LENGTHS))]
    there = sorted(set(found.lengths.tolist()))
    if found.human is None:
        plots = [_scores_by_length(found, label, steps, there) for label in found.metrics]
        return Section("length", "By length", plots)
    people = found.judged.human[found.human]
    series = {
        label: [_agreement(found, label, people, found.lengths == place) for place in there]
        for label in list(found.metrics)[:SERIES]
    }
    caption = (
        f"Pearson over the segments of each length, with {found.share} bootstrap intervals; "
        f"lengths with fewer than {FEWEST} segments are left out{_first_of(found)}"
    )
    names = [steps[place] for place in there]
    plot = curves(
        "length",
        f"Agreement with {found.human} by length",
        caption,
        names,
        series,
        ("length of the reference (or source) in tokens", "Pearson"),
    )
    sizes = [int((found.lengths == place).sum()) for place in there]
    return Section("length", "By length", [plot], [_table("length", plot, names, series, sizes)])


def _first_of(found: ReportData) -> str:
    return f"; the first {SERIES} metrics" if len(found.metrics) > SERIES else ""


def _scores_by_length(
    found: ReportData, label: str, steps: Sequence[str], there: Sequence[int]
) -> Plot:
    metric, statistics = found.metrics[label], found.scored[label].statistics
    series: dict[str, list[Estimated | None]] = {}
    best = found.ranked(label)[:SERIES]
    for system in best:
        mine = found.judged.systems[found.names[system]]
        series[found.names[system]] = [
            (metric.aggregate(statistics[mine[found.lengths[mine] == place]]), None, None)
            if (found.lengths[mine] == place).any()
            else None
            for place in there
        ]
    few = f", the best {len(best)} systems" if len(best) < len(found.names) else ""
    return curves(
        f"length-{label}",
        f"{label} by length",
        f"Corpus score of the segments of each length{few}",
        [steps[place] for place in there],
        series,
        ("length of the reference (or source) in tokens", label),
    )


def _agreement(
    found: ReportData, label: str, people: Array, chosen: NDArray[np.bool_]
) -> Estimated | None:
    """Pearson over the chosen rows, with its interval; more is always more agreement."""
    scores = found.better(label)
    rows = np.flatnonzero(chosen & np.isfinite(people) & np.isfinite(scores))
    r = pearson(scores[rows], people[rows])
    if len(rows) < FEWEST or r is None:
        return None
    names, units = np.unique(found.judged.units[rows], return_inverse=True)
    resampling = found.resampling
    blocks = Draws(len(names), resampling.resamples, resampling.seed)
    drawn = [pearson_drawn(scores[rows], people[rows], units, times) for times in blocks]
    draws = np.concatenate(drawn)
    draws = draws[np.isfinite(draws)]
    if len(draws) < 2:
        return r, None, None
    return r, *percentiles(draws, resampling.confidence)


def criterion_section(found: ReportData) -> Section | None:
    """Agreement of each metric with each criterion."""
    if len(found.judged.human) < 2:
        return None
    every = np.ones(len(found.rows), dtype=bool)
    series = {
        label: [_agreement(found, label, said, every) for said in found.judged.human.values()]
        for label in list(found.metrics)[:SERIES]
    }
    names = list(found.judged.human)
    plot = curves(
        "criteria",
        "Agreement by criterion",
        f"Pearson over segments with each human score, with {found.share} bootstrap intervals"
        f"{_first_of(found)}",
        names,
        series,
        ("criterion", "Pearson"),
        joined=False,
    )
    sizes = [int(np.isfinite(said).sum()) for said in found.judged.human.values()]
    table = _table("criteria", plot, names, series, sizes)
    return Section("criteria", "By criterion", [plot, *_between(found)], [table])


def _between(found: ReportData) -> list[Plot]:
    """The other criteria against the human score that counts (PEM, Figure 3)."""
    first, *others = found.judged.human
    plots = []
    for name in others[:SERIES]:
        x, y = found.judged.human[first], found.judged.human[name]
        known = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
        if len(known) < 2:
            continue
        chosen = _sample(known)
        pairs = zip(jitter(x[chosen]).tolist(), jitter(y[chosen], 1).tolist(), strict=True)
        caption = f"{len(known):,} segments; Pearson {_r(x[known], y[known])}; {_JITTER}"
        title, axes = f"{name} against {first}", (f"human: {first}", f"human: {name}")
        plots.append(
            scatter(
                f"scatter-people-{name}", title, caption, list(pairs), axes, rows=chosen.tolist()
            )
        )
    return plots


def _table(
    name: str,
    plot: Plot,
    steps: Sequence[str],
    series: dict[str, list[Estimated | None]],
    sizes: Sequence[int],
) -> Table:
    """The numbers of a plot, for those who cannot see it or want to cite them."""
    columns = [Column(label, decimals=2, interval="range") for label in series]
    rows: list[list[Cell]] = [
        [step, sizes[place], *(_number(mine[place]) for mine in series.values())]
        for place, step in enumerate(steps)
    ]
    head = [Column(name, left=True), Column("segments")]
    return Table(name, [*head, *columns], rows, plot.title, [plot.caption])


def _number(around: Estimated | None) -> Number:
    return Number(None) if around is None else Number(*around)
