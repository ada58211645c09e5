"""Where the names of points go, so that none sits on another point or name, and none vanishes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from otherwords.study.report.spans import plain_html

__all__ = ["Label", "Point", "placed"]

_LINE, _NEAR = 12.0, 6.0  # height of a name, and how far from a point it is


@dataclass(frozen=True)
class Point:
    """A spot of a drawing."""

    x: float
    y: float


@dataclass(frozen=True)
class Label:
    """A name in its box."""

    words: str
    left: float
    right: float
    top: float
    bottom: float

    def meets(self, other: Label) -> bool:
        """Whether the two boxes share a spot."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def within(self, frame: Label) -> bool:
        """Whether all of it is inside a frame."""
        across = self.left >= frame.left and self.right <= frame.right
        return across and self.top >= frame.top and self.bottom <= frame.bottom

    def drawn(self, point: Point) -> Iterator[str]:
        """The name as SVG, with a line to its point if it is not next to it."""
        near = Point(
            min(max(point.x, self.left), self.right), min(max(point.y, self.top), self.bottom)
        )
        if math.hypot(near.x - point.x, near.y - point.y) > _NEAR + 3:
            ends = f"M{point.x:.1f} {point.y:.1f}L{near.x:.1f} {near.y:.1f}"
            yield f'<path class="lead q" d="{ends}"/>'
        is_left = self.right <= point.x  # so that a name that is wider than we think stays off
        place = f'x="{self.right if is_left else self.left:.1f}" y="{self.bottom - 2.5:.1f}"'
        anchor = ' text-anchor="end"' if is_left else ""
        yield f'<text class="t" {place}{anchor}>{plain_html(self.words)}</text>'


def placed(
    points: Sequence[Point], labels: Sequence[str], frame: Label, letter: float
) -> list[Label] | None:
    """A place for each name within the frame, the nearest that is free, or None if one has none.

    >>> frame = Label("", 0, 200, 0, 100)
    >>> [label.left for label in placed([Point(20, 50), Point(90, 50)], ["a", "b"], frame, 6)]
    [26.0, 96.0]
    >>> placed([Point(20, 50)], ["a" * 50], frame, 6) is None
    True
    """
    marks = [Label("", one.x - 4, one.x + 4, one.y - 4, one.y + 4) for one in points]
    found: list[Label] = []
    for point, words in zip(points, labels, strict=True):
        width = letter * len(words)
        spot = next(
            (
                one
                for one in _around(point, words, width)
                if one.within(frame) and not any(one.meets(other) for other in [*marks, *found])
            ),
            None,
        )
        if spot is None:
            return None
        found.append(spot)
    return found


def _around(point: Point, words: str, width: float) -> Iterator[Label]:
    """Boxes for a name around a point: next to it, then in rings further and further away."""
    for ring in range(7):
        far = _NEAR + 11.0 * ring
        for step in range(16):
            angle = math.pi / 8 * (step // 2 + 1 if step % 2 else -(step // 2))
            x, y = point.x + far * math.cos(angle), point.y + far * math.sin(angle)
            left = x - width / 2 + width / 2 * math.cos(angle)
            middle = y + _LINE / 2 * math.sin(angle)
            yield Label(words, left, left + width, middle - _LINE / 2, middle + _LINE / 2)
