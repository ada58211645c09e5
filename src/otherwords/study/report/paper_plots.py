"""The figures of the papers as plots: the points behind the lines of a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import UsageError
from otherwords.study.papers.paradigm import FigurePoint
from otherwords.study.papers.pem import PemLine, PemTables
from otherwords.study.report.look import SERIES
from otherwords.study.report.plot import Plot, jitter, lines, scatter, standalone

__all__ = ["figure4_svg", "pem_plots"]

POINTS = 1500  # of a figure; more would be a blot
_JITTER = "points have jitter, so that none hides another (footnote 3)"


def pem_plots(found: PemTables) -> list[Plot]:
    """PEM's figures as far as the set has what they show.

    Figure 3 is dissimilarity against the overall score where adequacy and fluency are high (the
    last line of Table 2), Figures 4 and 5 each metric against human scores, over sentences and over
    systems. Both axes of Figure 3 have jitter, as the paper's; so do human scores in Figure 4.
    """
    plots = [
        _sentences("figure3", f"{one.one} against {found.human} where {one.where}", one, found)
        for one in found.criteria
        if one.where
    ]
    of_mean = [one for one in found.metrics if one.other is None]
    for one in of_mean:
        name = f"figure4-{one.one}" if len(of_mean) > 1 else "figure4"
        plots.append(_sentences(name, f"{one.one} against {found.human}, sentences", one, found))
    for one in of_mean:
        name = f"figure5-{one.one}" if len(of_mean) > 1 else "figure5"
        plots.append(_systems(name, f"{one.one} against {found.human}, systems", one, found))
    return [plot for plot in plots if plot is not None]


def figure4_svg(grammars: Mapping[str, Sequence[FigurePoint]]) -> str:
    """PARADIGM's Figure 4: a lower bound on precision, and relative recall, by size of grammar.

    >>> figure4_svg({"mine": [FigurePoint(10, 0.5, 0.1), FigurePoint(20, 0.3, 0.2)]})[:4]
    '<svg'
    """
    if 2 * len(grammars) > SERIES:
        message = f"Figure 4 has room for {SERIES // 2} grammars, not {len(grammars)}"
        raise UsageError(f"{message}: name those that it shows")
    series = {
        f"{name}: {what}": [(float(point.rules), getattr(point, what)) for point in points]
        for name, points in grammars.items()
        for what in ("precision", "recall")
    }
    caption = "Lower bound on precision, and relative recall, as less probable rules are added."
    axes = ("rules", "share")
    return standalone(lines("figure4", "Precision and recall by size", caption, series, axes))


def _sentences(name: str, title: str, line: PemLine, found: PemTables) -> Plot | None:
    if len(line.points) < 2:
        return None
    shown = line.points[_sample(len(line.points))]
    x = jitter(shown[:, 0], seed=1) if line.where else shown[:, 0]
    y = jitter(shown[:, 1])
    caption = f"{len(line.points):,} pairs; Pearson {_shown(line.sentence.r)}; {_JITTER}"
    if len(shown) < len(line.points):
        caption += f"; {len(shown):,} of them sampled at random are shown"
    points = list(zip(y.tolist(), x.tolist(), strict=True))
    return scatter(name, title, caption, points, (f"human: {found.human}", line.one))


def _systems(name: str, title: str, line: PemLine, found: PemTables) -> Plot | None:
    if len(line.means) < 2:
        return None
    points = [(people, score) for score, people in line.means.values()]
    caption = f"{len(points)} systems; Pearson {_shown(line.system.r)}"
    axes = f"human: mean {found.human}", line.one
    return scatter(name, title, caption, points, axes, list(line.means))


def _sample(size: int) -> NDArray[np.intp]:
    """Some of the rows, in their order, the same ones for every metric on the same rows."""
    if size <= POINTS:
        return np.arange(size)
    raw = np.random.PCG64(0).random_raw(size)
    return np.sort(np.argsort(raw, kind="stable")[:POINTS])


def _shown(r: float | None) -> str:
    return "n/a" if r is None else f"{r:z.3f}"
