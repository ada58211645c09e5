"""Plots as SVG: points, rankings, histograms, bars, lines. Same numbers, same bytes.

Colours are classes, so that a page can define light and dark ones; a `standalone` plot has the
light ones. A colour belongs to a system, grey to everything else. Series differ in shape and dash
as well. Plots are as wide as a phone, so that their text can be read there.
"""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from otherwords.metrics.drawing import plain_html
from otherwords.stats.arrays import Array
from otherwords.study.report.style import LIGHT, PLOT, SERIES, light

WIDTH, HEIGHT = 360.0, 270.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 12.0, 44.0
LETTER = 6.6  # approximate width of a letter
DASHES = ("", "6 3", "2 3", "8 3 2 3", "4 4", "1 2")
Estimated = tuple[float, float | None, float | None]  # a value with the ends of its interval
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

    def ticks(self, number: int = 6) -> dict[float, str]:
        """Round values from low to high, with labels; fewer where labels would meet."""
        step = _round_step((self.high - self.low) / number)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        ticks = {place * step: _tick(place * step, step) for place in range(first, last + 1)}
        width = LETTER * max(map(len, ticks.values()), default=0) + 8
        room = abs(self.end - self.start) * step / (self.high - self.low)
        crowded = self.end > self.start and width > room and len(ticks) > 2
        return self.ticks(number - 1) if crowded and number > 1 else ticks


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
    for tick, label in axis.ticks().items():
        yield f'<path class="g" d="M{LEFT:.1f} {axis(tick):.1f}H{right:.1f}"/>'
        yield _text(LEFT - 5, axis(tick) + 4, label, "end")


def _grid_x(axis: _Axis, bottom: float) -> Iterator[str]:
    for tick, label in axis.ticks().items():
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


def colour(series: int | None) -> str:
    """The class of a series' colour; grey for no series."""
    return "cn" if series is None else f"c{series % SERIES}"


def key_mark(series: int) -> str:
    """The mark of a series beside its name."""
    box = 'viewBox="-6 -6 12 12" aria-hidden="true"'
    return f'<svg class="dot {colour(series)}" {box}>{_mark(series, 0, 0)}</svg>'


def _mark(series: int | None, x: float, y: float, size: float = 4.0, about: str = "") -> str:
    """A point in the shape of its series; `about` has further attributes."""
    shape = 0 if series is None else (series + series // SERIES) % SERIES
    if shape == 0:
        return f'<circle class="m" cx="{x:.1f}" cy="{y:.1f}" r="{size:g}"{about}/>'
    thin, rest = 0.4 * size, 0.6 * size
    shapes = (
        "",
        f"M{x - size:.1f} {y - size:.1f}h{2 * size}v{2 * size}h{-2 * size}z",
        f"M{x:.1f} {y - size:.1f}l{size} {2 * size}h{-2 * size}z",
        f"M{x:.1f} {y - size:.1f}l{size} {size}l{-size} {size}l{-size} {-size}z",
        f"M{x:.1f} {y + size:.1f}l{size} {-2 * size}h{-2 * size}z",
        f"M{x - thin:.1f} {y - size:.1f}h{2 * thin}v{rest}h{rest}v{2 * thin}h{-rest}v{rest}"
        f"h{-2 * thin}v{-rest}h{-rest}v{-2 * thin}h{rest}z",
    )
    return f'<path class="m"{about} d="{shapes[shape]}"/>'


def _legend(place: int, label: str) -> str:
    """The mark and the name of a series below the plot. It closes the group of the series."""
    line = HEIGHT + 16.0 * place + 8
    return _mark(place, LEFT, line - 4) + "</g>" + _text(LEFT + 12, line, _cut(label, 42), "start")


def scatter(
    name: str,
    title: str,
    caption: str,
    points: Sequence[tuple[float, float]],
    axes: tuple[str, str],
    labels: Sequence[str] = (),
    *,
    rows: Sequence[int] = (),
    series: Sequence[int | None] = (),
    diagonal: bool = False,
) -> Plot:
    """A scatter plot of two scores, the first one horizontal.

    `labels` are in a key below. `rows` are the numbers of the points' rows, `series` those of their
    systems. A `diagonal` shows where both scores are the same.
    """
    both = [value for point in points for value in point]
    right, up = (_spread(both if diagonal else [p[side] for p in points]) for side in (0, 1))
    x, y = _Axis(*right, LEFT, WIDTH - RIGHT), _Axis(*up, HEIGHT - BOTTOM, TOP)
    spots = [(x(right), y(up)) for right, up in points]
    series = series or (range(len(labels)) if labels else [None] * len(points))
    key = _key(labels, series) if labels else []
    height = HEIGHT + 15.0 * len(key) + (2 if key else 0)
    groups: dict[int | None, list[int]] = {}
    for place in range(len(points)):
        groups.setdefault(series[place], []).append(place)

    def parts() -> Iterator[str]:
        yield from _grid_y(y)
        yield from _grid_x(x, HEIGHT - BOTTOM)
        yield from _axis_names(axes)
        if diagonal:
            ends = f"M{LEFT:.1f} {HEIGHT - BOTTOM:.1f}L{WIDTH - RIGHT:.1f} {TOP:.1f}"
            yield f'<path class="g" d="{ends}"/>'
        yield f'<g class="points{" cloud" if len(points) > 50 else ""}">'
        size = 4.0 if len(points) <= 50 else 3.0 if len(points) <= 300 else 2.2
        for mine, places in groups.items():
            yield f'<g class="{colour(mine)}">'
            for place in places:
                about = f' data-row="{rows[place]}"' if rows else ""
                if labels:
                    about = f' data-tip="{plain_html(labels[place])}"'
                yield _mark(mine, *spots[place], size, about)
            yield "</g>"
        yield "</g>"
        for line in key:
            yield from line

    return Plot(name, title, caption, _svg(title, caption, height, parts()))


def _key(labels: Sequence[str], series: Sequence[int | None]) -> list[list[str]]:
    """The lines below a plot that name its points, each beside its mark."""
    columns = max(1, min(4, int((WIDTH - 12) / (max(map(len, labels)) * LETTER + 22))))
    lines: list[list[str]] = [[] for _ in range(0, len(labels), columns)]
    for place, label in enumerate(labels):
        left = 18 + (place % columns) * (WIDTH - 12) / columns
        line = HEIGHT + 15.0 * (place // columns) + 6
        mark = _mark(series[place], left, line)
        name = _text(left + 9, line + 4, _cut(label, 44), "start")
        lines[place // columns].append(f'<g class="{colour(series[place])}">{mark}</g>{name}')
    return lines


def histogram(
    name: str,
    title: str,
    caption: str,
    values: Sequence[float],
    axis: str,
    series: tuple[int | None, int | None] = (None, None),
) -> Plot:
    """How many values are near each step; `series` colours those below and above zero."""
    step = _round_step((max(values) - min(values)) / 20 or abs(values[0]) / 20 or 0.1)
    places = [round(value / step) for value in values]
    counts = {place: places.count(place) for place in range(min(places), max(places) + 1)}
    x = _Axis((min(places) - 0.5) * step, (max(places) + 0.5) * step, LEFT, WIDTH - RIGHT)
    y = _Axis(0.0, max(counts.values()) * 1.05, HEIGHT - BOTTOM, TOP)

    def parts() -> Iterator[str]:
        yield from _grid_y(y)
        for tick, label in x.ticks().items():
            yield _text(x(tick), HEIGHT - BOTTOM + 15, label)
        yield from _axis_names((axis, "segments"))
        for place, count in counts.items():
            left, right = x((place - 0.5) * step) + 0.5, x((place + 0.5) * step) - 0.5
            kind = colour(None if place == 0 else series[place > 0])
            about = f"about {_tick(place * step, step)}: {count}"
            box = f"M{left:.1f} {y(0):.1f}V{y(count):.1f}H{right:.1f}V{y(0):.1f}z"
            yield f'<g class="{kind}"><path class="m" data-tip="{about}" d="{box}"/></g>'

    return Plot(name, title, caption, _svg(title, caption, HEIGHT, parts()))


def stacked(
    name: str, title: str, caption: str, lines: Mapping[str, Sequence[int]], kinds: Sequence[str]
) -> Plot:
    """A bar per name, divided into kinds: the share of each, with its number."""
    left = 12 + LETTER * min(max(map(len, lines), default=1), 24)
    height = TOP + 20.0 * len(lines) + 26
    x = _Axis(0.0, 1.0, left, WIDTH - RIGHT)

    def parts() -> Iterator[str]:
        for place, (label, counts) in enumerate(lines.items()):
            line, at = TOP + 20.0 * place, 0.0
            yield _text(left - 6, line + 14, _cut(label, 24), "end")
            for kind, count in enumerate(counts):
                share = count / (sum(counts) or 1)
                box = f"M{x(at):.1f} {line + 2:.1f}H{x(at + share):.1f}v16H{x(at):.1f}z"
                about = plain_html(f"{label}, {kinds[kind]}: {count} ({100 * share:.0f} %)")
                yield f'<path class="b{kind}" data-tip="{about}" d="{box}"/>'
                if x(share) - x(0) > LETTER * (len(str(count)) + 1):
                    yield _text(x(at + share / 2), line + 14, str(count))
                at += share
        width = (WIDTH - 12) / len(kinds)
        for kind, words in enumerate(kinds):
            start = 12 + width * kind
            yield f'<path class="b{kind}" d="M{start:.1f} {height - 16:.1f}h10v10h-10z"/>'
            yield _text(start + 15, height - 7, words, "start")

    return Plot(name, title, caption, _svg(title, caption, height, parts()))


def ranking(
    name: str,
    title: str,
    caption: str,
    lines: Sequence[tuple[str, Estimated]],
    axis: str,
    series: Sequence[int] = (),
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
            mine = series[place] if series else None
            mark = _mark(mine, x(around[0]), line)
            yield f'<g class="{colour(mine)}">{_bar(x, line, around)}{mark}</g>'
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


Line = Sequence[tuple[float, float]]


def lines(
    name: str, title: str, caption: str, panels: Mapping[str, Mapping[str, Line]], across: str
) -> Plot:
    """Lines of at most six series, in panels below each other; all axes start at 0.

    `panels` has the series of each vertical axis by its name; `across` names the horizontal one.
    """
    labels = list(dict.fromkeys(label for series in panels.values() for label in series))[:SERIES]
    legend = 16.0 * len(labels) + 4  # below the first panel

    def parts() -> Iterator[str]:
        for place, label in enumerate(labels):
            yield f'<g class="c{place}">' + _legend(place, label)
        for number, (up, series) in enumerate(panels.items()):
            below = number * (HEIGHT + legend)
            yield f'<g transform="translate(0 {below:g})">'
            yield from _panel([series.get(label, ()) for label in labels], (across, up))
            yield "</g>"

    height = len(panels) * HEIGHT + legend
    return Plot(name, title, caption, _svg(title, caption, height, parts()))


def _panel(series: Sequence[Line], axes: tuple[str, str]) -> Iterator[str]:
    points = [point for line in series for point in line]
    x, y = (
        _Axis(0.0, max([value for value in values if value > 0], default=1.0) * 1.05, *ends)
        for values, ends in (
            ([point[0] for point in points], (LEFT, WIDTH - RIGHT - 8)),
            ([point[1] for point in points], (HEIGHT - BOTTOM, TOP)),
        )
    )
    yield from _grid_y(y)
    yield from _grid_x(x, HEIGHT - BOTTOM)
    yield from _axis_names(axes)
    for place, line in enumerate(series):
        spots = [(x(right), y(up)) for right, up in line]
        yield f'<g class="c{place}">'
        path = "L".join(f"{right:.1f} {up:.1f}" for right, up in spots)
        if path:
            yield f'<path class="l" stroke-dasharray="{DASHES[place]}" d="M{path}"/>'
        yield from (_mark(place, right, up, 3.5) for right, up in spots)
        yield "</g>"


def standalone(plot: Plot) -> str:
    """The plot as a separate SVG file in light colours, with its size."""
    ground = f'<rect width="100%" height="100%" fill="{LIGHT["ground"]}"/>'
    style = f"<style>{light(PLOT)}</style>{ground}"
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


def draw_interval(
    around: Estimated,
    ends: tuple[float, float],
    best: Estimated | None = None,
    *,
    zero: bool = False,
    series: int | None = None,
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
    return f'<svg class="{colour(series)}" {box} aria-hidden="true">{"".join(parts)}</svg>'
