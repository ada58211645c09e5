"""Plots as SVG: points, rankings with error bars, curves. The same numbers give the same bytes.

Colours are classes, so that a page can define light and dark ones; a `standalone` plot has the
light ones. Series differ in shape and dash as well as in colour. Plots are as wide as a phone, so
that their text can be read there.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from otherwords.stats.arrays import Array
from otherwords.study.report.spans import plain_html
from otherwords.study.report.style import LIGHT, MARKS, SERIES

WIDTH, HEIGHT = 360.0, 270.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 12.0, 44.0
LETTER = 6.6  # approximate width of a letter
DASHES = ("", "6 3", "2 3", "8 3 2 3", "4 4", "1 2")
Estimated = tuple[float, float | None, float | None]  # a value with the ends of its interval
_LINE, _NEAR = 12.0, 6.0  # height of a label, and its distance from its point
_BAR_WIDTH, _BAR_HEIGHT = 124.0, 20.0  # the size of a drawn interval


@dataclass(frozen=True)
class Plot:
    """A drawing with a title, a caption, and the name of its file."""

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
    """Round up to 1, 2 or 5 times a power of ten.

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
    """Shorten words to a number of letters.

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


def _wrap(words: str, letters: int) -> list[str]:
    """The name of an axis in at most two lines, never cut.

    >>> _wrap("length of the reference", 15)
    ['length of the', 'reference']
    """
    return textwrap.wrap(words, max(letters, math.ceil(len(words) / 2) + 8)) or [""]


def _below(words: str, middle: float, base: float) -> Iterator[str]:
    """The name of the horizontal axis, below it."""
    lines = _wrap(words, 46)
    for place, line in enumerate(lines):
        yield _text(middle, base + 7 * (2 * place - len(lines) + 1), line)


def _axis_names(names: tuple[str, str]) -> Iterator[str]:
    """The names of the horizontal and the vertical axis."""
    yield from _below(names[0], (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10)
    middle = (TOP + HEIGHT - BOTTOM) / 2
    lines = _wrap(names[1], 36)
    for place, line in enumerate(lines):
        left = 12 + 13 * place - (4 if len(lines) > 1 else 0)
        yield (
            f'<text class="t" transform="translate({left} {middle:.1f}) rotate(-90)" '
            f'text-anchor="middle">{plain_html(line)}</text>'
        )


def _svg(title: str, caption: str, height: float, parts: Iterator[str]) -> str:
    """A drawing that fills its container, with a description for screen readers."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" '
        f'viewBox="0 0 {WIDTH:g} {height:g}" font-family="Liberation Sans, Arial, sans-serif" '
        f'font-size="12"><title>{plain_html(title)}</title><desc>{plain_html(caption)}</desc>'
        f"{''.join(parts)}</svg>"
    )


def _mark(series: int, x: float, y: float, size: float = 4.0, about: str = "") -> str:
    """A point in the shape of its series; `about` has further attributes."""
    if series % SERIES == 0:
        return f'<circle class="m" cx="{x:.1f}" cy="{y:.1f}" r="{size:g}"{about}/>'
    shapes = (
        "",
        f"M{x - size:.1f} {y - size:.1f}h{2 * size}v{2 * size}h{-2 * size}z",
        f"M{x:.1f} {y - size:.1f}l{size} {2 * size}h{-2 * size}z",
        f"M{x:.1f} {y - size:.1f}l{size} {size}l{-size} {size}l{-size} {-size}z",
        f"M{x:.1f} {y + size:.1f}l{size} {-2 * size}h{-2 * size}z",
        f"M{x - size / 3:.1f} {y - size:.1f}h{size * 2 / 3:.2f}v{2 * size}h{-size * 2 / 3:.2f}z",
    )
    return f'<path class="m"{about} d="{shapes[series % SERIES]}"/>'


def _legend(place: int, label: str) -> str:
    """The mark and the name of a series below the plot. It closes the group of the series."""
    line = HEIGHT + 16.0 * place + 8
    return _mark(place, LEFT, line - 4) + "</g>" + _text(LEFT + 12, line, _cut(label, 42), "start")


@dataclass(frozen=True)
class Fit:
    """A straight line through points and its interval: at each `x` the middle, low and high."""

    x: Sequence[float]
    middle: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]


def scatter(
    name: str,
    title: str,
    caption: str,
    points: Sequence[tuple[float, float]],
    axes: tuple[str, str],
    labels: Sequence[str] = (),
    *,
    rows: Sequence[int] = (),
    fit: Fit | None = None,
) -> Plot:
    """A scatter plot of two scores, the first one horizontal.

    Every label is shown: next to its point, at the end of a line from it, or in a key below.
    `rows` are the numbers of the points' rows.
    """
    x = _Axis(*_spread([point[0] for point in points]), LEFT, WIDTH - RIGHT)
    y = _Axis(*_spread([point[1] for point in points]), HEIGHT - BOTTOM, TOP)
    spots = [Point(x(right), y(up)) for right, up in points]
    frame = Label("", LEFT + 2, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM - 2)
    drawn = place_labels(spots, labels, frame, LETTER) if labels else ()
    is_numbered = bool(labels) and drawn is None
    if drawn is None:
        drawn = place_labels(spots, [str(n + 1) for n in range(len(labels))], frame, LETTER) or ()
    key = _key(labels) if is_numbered else []
    height = HEIGHT + 15.0 * len(key) + (6 if key else 0)

    def parts() -> Iterator[str]:
        yield from _grid_y(y)
        yield from _grid_x(x, HEIGHT - BOTTOM)
        yield from _axis_names(axes)
        if fit is not None:
            yield f'<g class="c1">{_draw_fit(fit, x, y)}</g>'
        yield f'<g class="c0{" cloud" if len(points) > 50 else ""}">'
        size = 4.0 if len(points) <= 50 else 3.0 if len(points) <= 300 else 2.2
        for place, spot in enumerate(spots):
            about = f' data-row="{rows[place]}"' if rows else ""
            if labels:
                about = f' data-tip="{plain_html(labels[place])}"'
            yield _mark(0, spot.x, spot.y, size, about)
        yield "</g>"
        for label, spot in zip(drawn, spots, strict=False):
            yield from label.drawn(spot)
        for line, columns in enumerate(key):
            for column, words in enumerate(columns):
                left = LEFT + column * (WIDTH - LEFT) / len(columns)
                yield _text(left, HEIGHT + 15.0 * line + 10, words, "start")

    return Plot(name, title, caption, _svg(title, caption, height, parts()))


def _key(labels: Sequence[str]) -> list[list[str]]:
    """The names of numbered points, in as many columns as their width allows."""
    named = [_cut(f"{place} {label}", 44) for place, label in enumerate(labels, 1)]
    width = max(map(len, named)) * LETTER + 8
    columns = max(1, min(4, int((WIDTH - LEFT) / width)))
    rows = math.ceil(len(named) / columns)
    return [
        [
            named[place] if (place := line + column * rows) < len(named) else ""
            for column in range(columns)
        ]
        for line in range(rows)
    ]


def _draw_fit(fit: Fit, x: _Axis, y: _Axis) -> str:
    def inside(value: float) -> float:
        return min(max(y(value), TOP), HEIGHT - BOTTOM)

    def path(values: Sequence[float]) -> list[str]:
        return [f"{x(at):.1f} {inside(up):.1f}" for at, up in zip(fit.x, values, strict=True)]

    around = "L".join([*path(fit.low), *reversed(path(fit.high))])
    return (
        f'<path class="band" d="M{around}z"/><path class="fit" d="M{"L".join(path(fit.middle))}"/>'
    )


def ranking(
    name: str, title: str, caption: str, lines: Sequence[tuple[str, Estimated]], axis: str
) -> Plot:
    """One line per name, best first: the value as a point, the interval as a bar."""
    letters = min(max((len(label) for label, _ in lines), default=1), 32)
    left = 12 + LETTER * letters
    height = TOP + 20.0 * len(lines) + BOTTOM
    ends = [end for _, around in lines for end in around if end is not None]
    x = _Axis(*_spread(ends), left, WIDTH - RIGHT)

    def parts() -> Iterator[str]:
        yield from _grid_x(x, height - BOTTOM)
        for place, (label, around) in enumerate(lines):
            line = TOP + 20.0 * place + 10
            yield _text(left - 6, line + 4, _cut(label, 32), "end")
            yield f'<g class="c0">{_bar(x, line, around)}{_mark(0, x(around[0]), line)}</g>'
        yield from _below(axis, (left + WIDTH - RIGHT) / 2, height - 10)

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
    """Curves of at most six series over named steps, with intervals."""
    shown = dict(list(series.items())[:SERIES])
    points = [point for line in shown.values() for point in line if point]
    values = [end for point in points for end in point if end is not None]
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
        yield from _axis_names(axes)
        for place, (label, estimates) in enumerate(shown.items()):
            yield f'<g class="c{place}">'
            yield from _curve(estimates, place, x, y, joined=joined)
            yield _legend(place, label)

    return Plot(name, title, caption, _svg(title, caption, HEIGHT + legend + 4, parts()))


def _curve(
    estimates: Sequence[Estimated | None],
    place: int,
    x: Callable[[int, int], float],
    y: _Axis,
    *,
    joined: bool,
) -> Iterator[str]:
    known = [
        (x(step, place), around) for step, around in enumerate(estimates) if around is not None
    ]
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
    """Lines of at most six series; both axes start at 0."""
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
        yield from _axis_names(axes)
        for place, (label, line) in enumerate(shown.items()):
            spots = [(x(right), y(up)) for right, up in line]
            yield f'<g class="c{place}">'
            path = "L".join(f"{right:.1f} {up:.1f}" for right, up in spots)
            if path:
                yield f'<path class="l" stroke-dasharray="{DASHES[place]}" d="M{path}"/>'
            yield from (_mark(place, right, up, 3.5) for right, up in spots)
            yield _legend(place, label)

    return Plot(name, title, caption, _svg(title, caption, HEIGHT + 16.0 * len(shown) + 4, parts()))


def standalone(plot: Plot) -> str:
    """The plot as a separate SVG file in light colours, with its size."""
    rules = "".join(f".{name}{{color:{LIGHT[name]}}}" for name in LIGHT if name[1:].isdigit())
    style = (
        f"<style>{rules}.t,.q{{fill:{LIGHT['text']}}}.g{{stroke:{LIGHT['line']};fill:none}}{MARKS}"
        f'</style><rect width="100%" height="100%" fill="{LIGHT["ground"]}"/>'
    )
    height = plot.svg.split(f'viewBox="0 0 {WIDTH:g} ', 1)[1].split('"', 1)[0]
    sized = plot.svg.replace('class="plot"', f'width="{WIDTH:g}" height="{height}"', 1)
    head, title, rest = sized.partition("<title>")
    before, end, after = rest.partition("</desc>")
    return f"{head}{title}{before}{end}{style}{after}\n"


def jitter(values: Array, seed: int = 0) -> Array:
    """Add a little noise if most values lie on few points (PEM, footnote 3).

    The noise spans 0.6 of the smallest distance between two such points, so that they stay apart.
    """
    import numpy as np

    points, times = np.unique(values, return_counts=True)
    common = times >= max(len(values) / 100, 1)
    points = points[common]
    if not 2 <= len(points) <= 40 or times[common].sum() < len(values) / 2:
        return values
    raw = np.random.PCG64(seed).random_raw(len(values)) >> np.uint64(11)
    noise = raw.astype(np.float64) / 2.0**53 - 0.5
    return np.asarray(values + noise * 0.6 * float(np.diff(points).min()))


@dataclass(frozen=True)
class Point:
    """A place in a drawing."""

    x: float
    y: float


@dataclass(frozen=True)
class Label:
    """A label and its box."""

    words: str
    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: Label) -> bool:
        """Whether the two boxes overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def within(self, frame: Label) -> bool:
        """Whether the box is inside a frame."""
        across = self.left >= frame.left and self.right <= frame.right
        return across and self.top >= frame.top and self.bottom <= frame.bottom

    def drawn(self, point: Point) -> Iterator[str]:
        """The label as SVG, with a line to its point unless it is next to it."""
        near = Point(
            min(max(point.x, self.left), self.right), min(max(point.y, self.top), self.bottom)
        )
        if math.hypot(near.x - point.x, near.y - point.y) > _NEAR + 3:
            ends = f"M{point.x:.1f} {point.y:.1f}L{near.x:.1f} {near.y:.1f}"
            yield f'<path class="lead q" d="{ends}"/>'
        is_left = self.right <= point.x  # a label wider than estimated must not reach the point
        place = f'x="{self.right if is_left else self.left:.1f}" y="{self.bottom - 2.5:.1f}"'
        anchor = ' text-anchor="end"' if is_left else ""
        yield f'<text class="t" {place}{anchor}>{plain_html(self.words)}</text>'


def place_labels(
    points: Sequence[Point], labels: Sequence[str], frame: Label, letter: float
) -> list[Label] | None:
    """Place each label at the nearest free place in the frame; None if one finds no place.

    >>> frame = Label("", 0, 200, 0, 100)
    >>> [label.left for label in place_labels([Point(20, 50), Point(90, 50)], ["a", "b"], frame, 6)]
    [26.0, 96.0]
    >>> place_labels([Point(20, 50)], ["a" * 50], frame, 6) is None
    True
    """
    marks = [Label("", at.x - 4, at.x + 4, at.y - 4, at.y + 4) for at in points]
    placed: list[Label] = []
    for point, words in zip(points, labels, strict=True):
        for label in _around(point, words, letter * len(words)):
            taken = any(label.meets(other) for other in [*marks, *placed])
            if label.within(frame) and not taken:
                placed.append(label)
                break
        else:
            return None
    return placed


def _around(point: Point, words: str, width: float) -> Iterator[Label]:
    """Boxes for a label around a point: next to it, then in wider and wider rings."""
    for ring in range(7):
        far = _NEAR + 11.0 * ring
        for step in range(16):
            angle = math.pi / 8 * (step // 2 + 1 if step % 2 else -(step // 2))
            x, y = point.x + far * math.cos(angle), point.y + far * math.sin(angle)
            left = x - width / 2 + width / 2 * math.cos(angle)
            middle = y + _LINE / 2 * math.sin(angle)
            yield Label(words, left, left + width, middle - _LINE / 2, middle + _LINE / 2)


def draw_interval(
    around: Estimated,
    ends: tuple[float, float],
    best: Estimated | None = None,
    *,
    zero: bool = False,
) -> str:
    """A value and its interval on an axis between two ends.

    The interval of `best` is shaded; `zero` adds a line at zero.
    """
    value, low, high = around
    middle = _BAR_HEIGHT / 2

    def x(at: float) -> float:
        reach = ends[1] - ends[0]
        return 6 + (at - ends[0]) * (_BAR_WIDTH - 12) / reach if reach > 0 else _BAR_WIDTH / 2

    parts = [f'<path class="axis" d="M0 {middle:g}H{_BAR_WIDTH:g}"/>']
    if best is not None and best[1] is not None and best[2] is not None:
        left, right = x(best[1]), x(best[2])
        zone = f'<path class="zone" d="M{left:.1f} 0H{right:.1f}V{_BAR_HEIGHT:g}H{left:.1f}z"/>'
        parts.insert(0, zone)
    if zero:
        parts.append(f'<path class="axis" d="M{x(0):.1f} 0V{_BAR_HEIGHT:g}"/>')
    if low is not None and high is not None:
        parts.append(f'<path class="e" d="M{x(low):.1f} {middle:g}H{x(high):.1f}"/>')
    parts.append(f'<circle class="m" cx="{x(value):.1f}" cy="{middle:g}" r="3.6"/>')
    box = f'viewBox="0 0 {_BAR_WIDTH:g} {_BAR_HEIGHT:g}"'
    return f'<svg class="c0" {box} aria-hidden="true">{"".join(parts)}</svg>'
