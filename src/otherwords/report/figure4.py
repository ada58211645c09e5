"""PARADIGM's Figure 4 as SVG: precision and recall of ever larger parts of grammars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from otherwords.diagnostics.paradigm_paper import FigurePoint
from otherwords.errors import UsageError
from otherwords.report.plot import SERIES, lines, standalone

__all__ = ["figure4_svg"]


def figure4_svg(grammars: Mapping[str, Sequence[FigurePoint]]) -> str:
    """The lower bound on precision and relative recall by the size of each grammar.

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
    caption = "Precision at least, and relative recall, as ever less probable rules are added."
    axes = ("rules", "share")
    return standalone(lines("figure4", "Precision and recall by size", caption, series, axes))
