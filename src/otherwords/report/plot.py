"""Plots as SVG: points, rankings with error bars, curves. The same numbers give the same bytes.

Colours are classes, so that a page can give them a light and a dark look; a plot that stands by
itself (`standalone`) carries the light one. Series differ in shape and dash as well as in colour.
The width is that of a phone, so that its words can be read there.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from otherwords.metrics.base import Array
from otherwords.report.spans import plain_html

__all__ = ["SERIES", "Estimated", "Plot", "curves", "lines", "ranking", "scatter", "standalone"]

WIDTH, HEIGHT = 360.0, 270.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 12.0, 44.0
LETTER = 6.6  # width of a letter, about
SERIES = 6  # how many series can be told apart
DASHES = ("", "6 3", "2 3", "8 3 2 3", "4 4", "1 2")

LIGHT = {
    "ground": "#ffffff",
    "text": "#1b1f24",
    "quiet": "#4c5663",
    "line": "#c3cad3",
    "c0": "#1f5fbf",
    "c1": "#a83a16",
    "c2": "#1a6b41",
    "c3": "#7a3fa0",
    "c4": "#7a5a00",
    "c5": "#a3185f",
}

Estimated = tuple[float, float | None, float | None]  # a value with the ends of its interval


@dataclass(frozen=True)
class Plot:
    """A drawing with a title, a caption that says how to read it, and the name of its file."""

    name: str
    title: str
    caption: str
    svg: str


@dataclass(frozen=True)
class _Axis:
    """Values on a line from `start` to `end`."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, number: int = 6) -> list[float]:
        """Round values from low to high."""
        step = _round_step((self.high - self.low) / number)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [place * step for place in range(first, last + 1)]


def _round_step(rough: float) -> float:
    """1, 2 or 5 times a power of ten, not below the step asked for.

    >>> _round_step(0.13), _round_step(3.0)
    (0.2, 5.0)
    """
    power = 10.0 ** math.floor(math.log10(rough))
    return next(times * power for times in (1.0, 2.0, 5.0, 10.0) if times * power >= rough * 0.999)


def _spread(values: Sequence[float]) -> tuple[float, float]:
    """The range of the values and a little more, never empty."""
    low, high = min(values), max(values)
    margin = (high - low) * 0.05 or abs(low) * 0.1 or 1.0
    return low - margin, high + margin


def _tick(value: float, step: float) -> str:
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    return f"{value:z.{digits}f}" if digits < 7 else f"{value:.3g}"


def _labels(axis: _Axis, ticks: Sequence[float]) -> list[str]:
    step = ticks[1] - ticks[0] if len(ticks) > 1 else axis.high - axis.low
    return [_tick(tick, step) for tick in ticks]


def _text(x: float, y: float, words: str, anchor: str = "middle", kind: str = "t") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text class="{kind}" {place}>{plain_html(words)}</text>'


def _cut(words: str, letters: int) -> str:
    """The words, or their beginning.

    >>> _cut("a long name", 7)
    'a long…'
    """
    return words if len(words) <= letters else words[: max(letters - 1, 1)] + "…"


def _grid_y(axis: _Axis, right: float = WIDTH - RIGHT) -> Iterator[str]:
    ticks = axis.ticks()
    for tick, label in zip(ticks, _labels(axis, ticks), strict=True):
        yield f'<path class="g" d="M{LEFT:.1f} {axis(tick):.1f}H{right:.1f}"/>'
        yield _text(LEFT - 5, axis(tick) + 4, label, "end")


def _grid_x(axis: _Axis, bottom: float) -> Iterator[str]:
    ticks = axis.ticks()
    for tick, label in zip(ticks, _labels(axis, ticks), strict=True):
        yield f'<path class="g" d="M{axis(tick):.1f} {TOP:.1f}V{bottom:.1f}"/>'
        yield _text(axis(tick), bottom + 15, label)


def _upright(words: str, height: float) -> str:
    """The name of the axis that goes up, along it."""
    middle = (TOP + height - BOTTOM) / 2
    return (
        f'<text class="t" transform="translate(12 {middle:.1f}) rotate(-90)" '
        f'text-anchor="middle">{plain_html(_cut(words, 34))}</text>'
    )


def _svg(title: str, caption: str, height: float, parts: Iterator[str]) -> str:
    """A drawing that is as wide as its place, and tells what it is to those who cannot see it."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" '
        f'viewBox="0 0 {WIDTH:g} {height:g}" font-family="Liberation Sans, Arial, sans-serif" '
        f'font-size="12"><title>{plain_html(title)}</title><desc>{plain_html(caption)}</desc>'
        f"{''.join(parts)}</svg>"
    )


def _mark(series: int, x: float, y: float, size: float = 4.0) -> str:
    """A point, in the shape of its series."""
    if series % SERIES == 0:
        return f'<circle class="m" cx="{x:.1f}" cy="{y:.1f}" r="{size:g}"/>'
    shapes = (
        "",
        f"M{x - size:.1f} {y - size:.1f}h{2 * size}v{2 * size}h{-2 * size}z",
        f"M{x:.1f} {y - size:.1f}l{size} {2 * size}h{-2 * size}z",
        f"M{x:.1f} {y - size:.1f}l{size} {size}l{-size} {size}l{-size} {-size}z",
        f"M{x:.1f} {y + size:.1f}l{size} {-2 * size}h{-2 * size}z",
        f"M{x - size / 3:.1f} {y - size:.1f}h{size * 2 / 3:.2f}v{2 * size}h{-size * 2 / 3:.2f}z",
    )
    return f'<path class="m" d="{shapes[series % SERIES]}"/>'


def scatter(
    name: str,
    title: str,
    caption: str,
    points: Sequence[tuple[float, float]],
    axes: tuple[str, str],
    labels: Sequence[str] = (),
) -> Plot:
    """Points of two scores, the first one to the right; labels are shown at the points."""
    x = _Axis(*_spread([one for one, _ in points]), LEFT, WIDTH - RIGHT)
    y = _Axis(*_spread([other for _, other in points]), HEIGHT - BOTTOM, TOP)

    def parts() -> Iterator[str]:
        yield from _grid_y(y)
        yield from _grid_x(x, HEIGHT - BOTTOM)
        yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, _cut(axes[0], 40))
        yield _upright(axes[1], HEIGHT)
        yield f'<g class="c0{" cloud" if len(points) > 50 else ""}">'
        size = 4.0 if len(points) <= 50 else 3.0 if len(points) <= 300 else 2.2
        for one, other in points:
            yield _mark(0, x(one), y(other), size)
        yield "</g>"
        yield from _names(points, labels, x, y)

    return Plot(name, title, caption, _svg(title, caption, HEIGHT, parts()))


def _names(
    points: Sequence[tuple[float, float]], labels: Sequence[str], x: _Axis, y: _Axis
) -> Iterator[str]:
    """The labels beside the points, but none over another one."""
    taken: list[tuple[float, float, float]] = []
    for (one, other), label in zip(points, labels, strict=False):
        words = _cut(label, 16)
        left = x(one) > WIDTH / 2
        start = x(one) - 7 - LETTER * len(words) if left else x(one) + 7
        end, line = start + LETTER * len(words), y(other) + 4
        if any(abs(line - there) < 11 and start < b and a < end for a, b, there in taken):
            continue
        taken.append((start, end, line))
        yield _text(x(one) + (-7 if left else 7), line, words, "end" if left else "start")


def ranking(
    name: str, title: str, caption: str, lines: Sequence[tuple[str, Estimated]], axis: str
) -> Plot:
    """A line a name, best first: its value as a point, its interval as a bar."""
    letters = min(max((len(label) for label, _ in lines), default=1), 22)
    left = 12 + LETTER * letters
    height = TOP + 20.0 * len(lines) + BOTTOM
    ends = [end for _, around in lines for end in around if end is not None]
    x = _Axis(*_spread(ends), left, WIDTH - RIGHT)

    def parts() -> Iterator[str]:
        yield from _grid_x(x, height - BOTTOM)
        for place, (label, around) in enumerate(lines):
            line = TOP + 20.0 * place + 10
            yield _text(left - 6, line + 4, _cut(label, 22), "end")
            yield f'<g class="c0">{_bar(x, line, around)}{_mark(0, x(around[0]), line)}</g>'
        yield _text((left + WIDTH - RIGHT) / 2, height - 10, _cut(axis, 40))

    return Plot(name, title, caption, _svg(title, caption, height, parts()))


def _bar(x: _Axis, line: float, around: Estimated) -> str:
    _, low, high = around
    if low is None or high is None:
        return ""
    return (
        f'<path class="e" d="M{x(low):.1f} {line:.1f}H{x(high):.1f}'
        f'M{x(low):.1f} {line - 4:.1f}v8M{x(high):.1f} {line - 4:.1f}v8"/>'
    )


def curves(
    name: str,
    title: str,
    caption: str,
    steps: Sequence[str],
    series: Mapping[str, Sequence[Estimated | None]],
    axes: tuple[str, str],
    *,
    joined: bool = True,
) -> Plot:
    """Values of each series at each step, with their intervals; at most six series."""
    shown = dict(list(series.items())[:SERIES])
    values = [end for one in shown.values() for at in one if at for end in at if end is not None]
    legend = 16.0 * len(shown)
    y = _Axis(*_spread(values or [0.0, 1.0]), HEIGHT - BOTTOM, TOP)
    width = (WIDTH - RIGHT - LEFT) / max(len(steps), 1)
    letters = max(int(width / LETTER), 3)

    def x(step: int, place: int) -> float:
        apart = min(width / (len(shown) + 1), 9.0)
        return LEFT + width * (step + 0.5) + apart * (place - (len(shown) - 1) / 2)

    def parts() -> Iterator[str]:
        yield from _grid_y(y)
        for step, label in enumerate(steps):
            yield _text(LEFT + width * (step + 0.5), HEIGHT - BOTTOM + 15, _cut(label, letters))
        yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, _cut(axes[0], 40))
        yield _upright(axes[1], HEIGHT)
        for place, (label, found) in enumerate(shown.items()):
            yield f'<g class="c{place}">'
            yield from _curve(found, place, x, y, joined=joined)
            line = HEIGHT + 16.0 * place + 8
            yield _mark(place, LEFT, line - 4)
            yield "</g>" + _text(LEFT + 12, line, _cut(label, 42), "start")

    return Plot(name, title, caption, _svg(title, caption, HEIGHT + legend + 4, parts()))


def _curve(
    found: Sequence[Estimated | None],
    place: int,
    x: Callable[[int, int], float],
    y: _Axis,
    *,
    joined: bool,
) -> Iterator[str]:
    known = [(x(step, place), around) for step, around in enumerate(found) if around is not None]
    if joined and len(known) > 1:
        spots = "L".join(f"{right:.1f} {y(around[0]):.1f}" for right, around in known)
        yield f'<path class="l" stroke-dasharray="{DASHES[place]}" d="M{spots}"/>'
    for right, (value, low, high) in known:
        if low is not None and high is not None:
            yield f'<path class="e" d="M{right:.1f} {y(low):.1f}V{y(high):.1f}"/>'
        yield _mark(place, right, y(value), 3.5)


def lines(
    name: str,
    title: str,
    caption: str,
    series: Mapping[str, Sequence[tuple[float, float]]],
    axes: tuple[str, str],
) -> Plot:
    """Points of each series joined in order, both axes numbers from 0; at most six series."""
    shown = dict(list(series.items())[:SERIES])
    points = [point for line in shown.values() for point in line]
    x, y = (
        _Axis(0.0, max([value for value in values if value > 0], default=1.0) * 1.05, *ends)
        for values, ends in (
            ([point[0] for point in points], (LEFT, WIDTH - RIGHT - 8)),
            ([point[1] for point in points], (HEIGHT - BOTTOM, TOP)),
        )
    )

    def parts() -> Iterator[str]:
        yield from _grid_y(y)
        yield from _grid_x(x, HEIGHT - BOTTOM)
        yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, _cut(axes[0], 40))
        yield _upright(axes[1], HEIGHT)
        for place, (label, line) in enumerate(shown.items()):
            spots = [(x(right), y(up)) for right, up in line]
            yield f'<g class="c{place}">'
            path = "L".join(f"{right:.1f} {up:.1f}" for right, up in spots)
            if path:
                yield f'<path class="l" stroke-dasharray="{DASHES[place]}" d="M{path}"/>'
            yield from (_mark(place, right, up, 3.5) for right, up in spots)
            below = HEIGHT + 16.0 * place + 8
            yield _mark(place, LEFT, below - 4)
            yield "</g>" + _text(LEFT + 12, below, _cut(label, 42), "start")

    return Plot(name, title, caption, _svg(title, caption, HEIGHT + 16.0 * len(shown) + 4, parts()))


def standalone(plot: Plot) -> str:
    """The plot as a file of its own, light, with its size."""
    rules = "".join(f".{name}{{color:{LIGHT[name]}}}" for name in LIGHT if name[0] == "c")
    style = (
        f"<style>{rules}.t{{fill:{LIGHT['text']}}}.g{{stroke:{LIGHT['line']};fill:none}}{MARKS}"
        f'</style><rect width="100%" height="100%" fill="{LIGHT["ground"]}"/>'
    )
    height = plot.svg.split('viewBox="0 0 360 ', 1)[1].split('"', 1)[0]
    sized = plot.svg.replace('class="plot"', f'width="{WIDTH:g}" height="{height}"', 1)
    head, title, rest = sized.partition("<title>")
    before, end, after = rest.partition("</desc>")
    return f"{head}{title}{before}{end}{style}{after}\n"


# What lines and points look like, in whatever colour.
MARKS = (
    ".m{fill:currentColor;stroke:none}.cloud .m{fill-opacity:.6}"
    ".e,.l{fill:none;stroke:currentColor;stroke-width:1.6}"
)


def jitter(values: Array, seed: int = 0) -> Array:
    """The values with a little noise, if they lie on few points (PEM, footnote 3).

    The noise reaches over 0.6 of the least distance of two points, so that they stay apart.
    """
    import numpy as np

    points = np.unique(values)
    if len(points) < 2 or len(points) > 40:
        return values
    raw = np.random.PCG64(seed).random_raw(len(values)) >> np.uint64(11)
    noise = raw.astype(np.float64) / 2.0**53 - 0.5
    return np.asarray(values + noise * 0.6 * float(np.diff(points).min()))
