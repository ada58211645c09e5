"""ParaMetric's scores by phrase length as an SVG, without a plotting library."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

NAMES = ("align-precision", "align-recall", "lb-precision", "rel-recall")
COLOURS = ("#1b6ca8", "#c8553d", "#3c8d53", "#7a4fa3", "#8a6d1b")
WIDTH, HEIGHT, MARGIN = 210, 170, 34

Record = dict[str, Any]


def plot(records: Sequence[Record]) -> str:
    """Four panels side by side, a line a system with its intervals."""
    systems = list(dict.fromkeys(str(record["system"]) for record in records))
    whole = [one for one in records if one["domain"] == "all" and one["score"] is not None]
    panels = "".join(
        f'<g transform="translate({place * WIDTH},0)">{"".join(_panel(whole, name, systems))}</g>'
        for place, name in enumerate(NAMES)
    )
    labels = "".join(
        f'<text x="{MARGIN + 120 * place}" y="{HEIGHT + 28}" fill="{_colour(place)}">'
        f"{escape(system)}</text>"
        for place, system in enumerate(systems)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{4 * WIDTH}" height="{HEIGHT + 40}" '
        f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>'
        f"{panels}{labels}</svg>\n"
    )


def _colour(place: int) -> str:
    return COLOURS[place % len(COLOURS)]


def _panel(records: Sequence[Record], name: str, systems: Sequence[str]) -> Iterator[str]:
    mine = [record for record in records if record["metric"] == name]
    longest = max((record["length"] for record in mine), default=1)
    highs = [record.get("interval", {}).get("high", record["score"]) for record in mine]
    top = max([0.1, *highs])

    def x(length: float) -> float:
        return MARGIN + (length - 1) / max(longest - 1, 1) * (WIDTH - MARGIN - 12)

    def y(value: float) -> float:
        return HEIGHT - 16 - value / top * (HEIGHT - 44)

    yield f'<text x="{MARGIN}" y="14" font-weight="bold">{name}</text>'
    for tick in (0.0, top / 2, top):
        yield f'<text x="{MARGIN - 5}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:.2f}</text>'
        yield f'<path d="M{MARGIN} {y(tick):.1f}H{WIDTH - 12}" stroke="#ddd"/>'
    for length in range(1, longest + 1):
        yield f'<text x="{x(length):.1f}" y="{HEIGHT}" text-anchor="middle">{length}</text>'
    for place, system in enumerate(systems):
        points = [record for record in mine if record["system"] == system]
        spots = " ".join(f"{x(one['length']):.1f},{y(one['score']):.1f}" for one in points)
        colour = _colour(place)
        yield f'<polyline points="{spots}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        for one in points:
            spot = f'cx="{x(one["length"]):.1f}" cy="{y(one["score"]):.1f}"'
            yield f'<circle {spot} r="2.2" fill="{colour}"/>'
            if around := one.get("interval"):
                low, high = y(around["low"]), y(around["high"])
                yield f'<path d="M{x(one["length"]):.1f} {low:.1f}V{high:.1f}" stroke="{colour}"/>'
