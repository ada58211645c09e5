"""Lines with intervals in panels side by side, as an SVG, without a plotting library."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

COLOURS = ("#1b6ca8", "#c8553d", "#3c8d53", "#7a4fa3", "#8a6d1b")
WIDTH, HEIGHT, MARGIN = 210, 170, 34


class Point(NamedTuple):
    """A place on a line, and its interval if there is one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None


Lines = Mapping[str, Sequence[Point]]
Scale = Callable[[float], float]


def plot(panels: Mapping[str, Lines], names: Sequence[str], ticks: Sequence[float] = ()) -> str:
    """Panels by title; a line has the colour of its place among the names in all of them.

    The ticks of the x axis are those given, or else its ends and its middle in thousands.
    """
    drawn = "".join(
        f'<g transform="translate({place * WIDTH},0)">'
        f"{''.join(_panel(title, lines, names, ticks))}</g>"
        for place, (title, lines) in enumerate(panels.items())
    )
    labels = "".join(
        f'<text x="{MARGIN + 120 * place}" y="{HEIGHT + 28}" fill="{_colour(place)}">'
        f"{escape(name)}</text>"
        for place, name in enumerate(names)
    )
    width = max(len(panels) * WIDTH, MARGIN + 120 * len(names))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT + 40}" '
        f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
        f"{drawn}{labels}</svg>\n"
    )


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _panel(title: str, lines: Lines, names: Sequence[str], ticks: Sequence[float]) -> Iterator[str]:
    points = [point for line in lines.values() for point in line]
    highs = [point.y if point.high is None else point.high for point in points]
    top = max([0.1 if ticks else 1e-6, *highs])
    digits = 2 if top >= 0.1 else 3
    first = min(ticks, default=0.0)
    last = max([*ticks, *(point.x for point in points)], default=1.0)

    def x(value: float) -> float:
        return MARGIN + (value - first) / ((last - first) or 1) * (WIDTH - MARGIN - 12)

    def y(value: float) -> float:
        return HEIGHT - 16 - value / top * (HEIGHT - 44)

    yield f'<text x="{MARGIN}" y="14" font-weight="bold">{escape(title)}</text>'
    for tick in (0.0, top / 2, top):
        label = f"{tick:.{digits}f}"
        yield f'<text x="{MARGIN - 5}" y="{y(tick) + 4:.1f}" text-anchor="end">{label}</text>'
        yield f'<path d="M{MARGIN} {y(tick):.1f}H{WIDTH - 12}" stroke="#ddd"/>'
    for tick in ticks or (0.0, last / 2, last):
        label = f"{tick:g}" if ticks else f"{tick / 1000:.0f}k"
        yield f'<text x="{x(tick):.1f}" y="{HEIGHT}" text-anchor="middle">{label}</text>'
    for place, name in enumerate(names):
        yield from _line([(x(p.x), y(p.y), p) for p in lines.get(name, ())], _colour(place), y)


def _line(spots: Sequence[tuple[float, float, Point]], colour: str, y: Scale) -> Iterator[str]:
    places = " ".join(f"{left:.1f},{down:.1f}" for left, down, _ in spots)
    yield f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
    for left, down, point in spots:
        yield f'<circle cx="{left:.1f}" cy="{down:.1f}" r="2.2" fill="{colour}"/>'
        if point.low is not None and point.high is not None:
            ends = f"{y(point.low):.1f}V{y(point.high):.1f}"
            yield f'<path d="M{left:.1f} {ends}" stroke="{colour}"/>'
