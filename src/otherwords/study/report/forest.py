"""The systems of a report as a forest plot: clusters, scores, intervals on a shared axis."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from otherwords.scoring.seen import SEEN
from otherwords.study.report.data import ReportData, ResampledScores
from otherwords.study.report.plot import Estimated
from otherwords.study.report.spans import plain_html
from otherwords.study.report.standing import Standing
from otherwords.tables.table import LEVEL

__all__ = ["decimals_of_interval", "forests", "interval_svg"]

_COLUMNS = 5  # scores side by side; more go into another table
_WIDTH, _HEIGHT = 124.0, 20.0  # of an interval


def decimals_of_interval(halves: Sequence[float]) -> int | None:
    """As many decimals as make two digits of a usual half interval; None if there is none.

    >>> decimals_of_interval([2.285]), decimals_of_interval([0.0229]), decimals_of_interval([31.0])
    (1, 3, 0)
    """
    known = sorted(half for half in halves if half > 0)
    if not known:
        return None
    return min(max(0, 1 - math.floor(math.log10(known[len(known) // 2]))), 6)


def forests(found: ReportData) -> Iterator[str]:
    """Tables of all systems, at most five scores in each."""
    measures: dict[str, tuple[ResampledScores, Standing | None, bool]] = {}
    by_label = {one.label: one for one in found.standings}
    for label, metric in found.metrics.items():
        higher = metric.traits.higher_is_better
        head = label + SEEN * found.is_seen(label) + ("" if higher else " (lower is better)")
        measures[head] = found.systems[label], by_label.get(label), higher
    if found.human is not None:
        people = found.people[found.human]
        measures[f"human: {found.human}"] = people, found.human_standing, True
    heads = list(measures)
    for start in range(0, len(heads), _COLUMNS):
        chosen = {head: measures[head] for head in heads[start : start + _COLUMNS]}
        yield _forest(found, chosen)


def _forest(
    found: ReportData, measures: Mapping[str, tuple[ResampledScores, Standing | None, bool]]
) -> str:
    """A table of systems, best first, each score with its interval drawn on a shared axis."""
    lead = found.lead
    order = list(lead.names) if lead else [found.names[n] for n in found.ranked(found.first)]
    ranks = lead.ranks if lead else {}
    starts = {group[0] for group in lead.groups} if lead else set()
    cells = {head: _column(found, order, *one) for head, one in measures.items()}
    heads = "".join(f'<th scope="col">{plain_html(head)}</th>' for head in measures)
    lines = []
    for name in order:
        rank = f'<span class="rank">{ranks[name]}</span>' if ranks else ""
        kinds = ["first"] * (name in starts) + ["best"] * (ranks.get(name) == 1)
        kind = f' class="{" ".join(kinds)}"' if kinds else ""
        row = "".join(
            f'<td data-head="{plain_html(head)}">{cells[head].get(name, "n/a")}</td>'
            for head in measures
        )
        shown = plain_html(name)
        head = f'<th scope="row" data-value="{shown}">{rank}{shown}</th>'
        lines.append(f"<tr{kind}>{head}{row}</tr>")
    body = "\n".join(lines)
    many = " many" if len(measures) > 4 else ""
    caption = f"<caption>{plain_html(_caption(found))}</caption>"
    return (
        f'<div class="table"><table class="forest sorts{many}">{caption}<thead><tr>'
        f'<th scope="col">system</th>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>'
    )


def _caption(found: ReportData) -> str:
    ranked = ""
    if found.lead is not None and len(found.names) > 1:
        ranked = f"in clusters by {found.lead.label}: lines separate systems that differ "
        ranked += f"from the best system of the cluster above (p < {LEVEL:g}, Holm); "
    return f"Systems {ranked}± and bars: {found.share} intervals; shaded: the interval of the best"


def _column(
    found: ReportData,
    order: Sequence[str],
    drawn: ResampledScores,
    standing: Standing | None,
    higher: bool,
) -> dict[str, str]:
    numbers = {name: place for place, name in enumerate(found.names)}
    around = {
        name: drawn.around(numbers[name], found.resampling.confidence)
        for name in order
        if np.isfinite(drawn.values[numbers[name]])
    }
    if not around:
        return {}
    halves = [
        (high - low) / 2 for _, low, high in around.values() if low is not None and high is not None
    ]
    decimals = decimals_of_interval(halves)
    ends = [end for one in around.values() for end in one if end is not None]
    axis = min(ends), max(ends)
    best = (max if higher else min)(around, key=lambda name: around[name][0])

    def cell(name: str) -> str:
        text = plain_html(_number(around[name], decimals))
        is_best = name == best and standing is not None
        text = f'<span class="best-value">{text}</span>' if is_best else text
        return f"{interval_svg(around[name], axis, around[best])}<span>{text}</span>"

    return {name: cell(name) for name in around}


def _number(around: Estimated, decimals: int | None) -> str:
    value, low, high = around
    if decimals is None or low is None or high is None:
        return f"{value:.4g}"
    return f"{value:z.{decimals}f} ± {(high - low) / 2:.{decimals}f}"


def interval_svg(
    around: Estimated,
    ends: tuple[float, float],
    best: Estimated | None = None,
    *,
    zero: bool = False,
) -> str:
    """A value and its interval on an axis between two ends.

    The interval of the `best` one is shaded; with `zero` there is a line at zero.
    """
    value, low, high = around
    middle = _HEIGHT / 2

    def x(at: float) -> float:
        reach = ends[1] - ends[0]
        return 6 + (at - ends[0]) * (_WIDTH - 12) / reach if reach > 0 else _WIDTH / 2

    parts = [f'<path class="axis" d="M0 {middle:g}H{_WIDTH:g}"/>']
    if best is not None and best[1] is not None and best[2] is not None:
        left, right = x(best[1]), x(best[2])
        zone = f'<path class="zone" d="M{left:.1f} 0H{right:.1f}V{_HEIGHT:g}H{left:.1f}z"/>'
        parts.insert(0, zone)
    if zero:
        parts.append(f'<path class="axis" d="M{x(0):.1f} 0V{_HEIGHT:g}"/>')
    if low is not None and high is not None:
        parts.append(f'<path class="e" d="M{x(low):.1f} {middle:g}H{x(high):.1f}"/>')
    parts.append(f'<circle class="m" cx="{x(value):.1f}" cy="{middle:g}" r="3.6"/>')
    box = f'viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}"'
    return f'<svg class="c0" {box} aria-hidden="true">{"".join(parts)}</svg>'
