"""Measures: a number and its unit as one quantity, so that 90 minutes is an hour and a half."""

from __future__ import annotations

from typing import NamedTuple

from otherwords.metrics.facts.reading import Side
from otherwords.metrics.facts.words import category

__all__ = ["Measure", "measures"]

# Size of each unit in the smallest of its dimension.
_SIZES = {
    "millimetre": 1.0,
    "centimetre": 10.0,
    "metre": 1e3,
    "kilometre": 1e6,
    "inch": 25.4,
    "foot": 304.8,
    "yard": 914.4,
    "mile": 1609344.0,
    "gram": 1.0,
    "kilogram": 1e3,
    "tonne": 1e6,
    "ounce": 28.35,
    "second": 1.0,
    "minute": 60.0,
    "hour": 3600.0,
    "day": 86400.0,
    "week": 604800.0,
    "fortnight": 1209600.0,
    "month": 2629800.0,
    "year": 31557600.0,
    "decade": 315576000.0,
    "century": 3155760000.0,
    "millilitre": 1.0,
    "litre": 1e3,
    "watt": 1.0,
    "kilowatt": 1e3,
    "megawatt": 1e6,
    "gigawatt": 1e9,
    "cent": 1.0,
}
_TOLERANCE = 0.015
_ARTICLES = frozenset({"a", "an", "one"})


class Measure(NamedTuple):
    """Units [begin, end) of a text, the dimension, the value in its smallest unit, the unit."""

    begin: int
    end: int
    dimension: str
    value: float
    unit: int

    def equals(self, other: Measure) -> bool:
        """Whether the two are the same quantity."""
        if self.dimension != other.dimension:
            return False
        return abs(self.value - other.value) <= _TOLERANCE * max(self.value, other.value)


def measures(side: Side) -> list[Measure]:
    """The measures of a text: numbers with units, also "an hour" and "half a year"."""
    found = []
    for unit, lemma in enumerate(side.lemmas):
        known = category(lemma)
        if known is None or known[1] not in _SIZES or not unit:
            continue
        if (count := _count(side, unit)) is None:
            continue
        begin, value, end = count
        found.append(Measure(begin, end, known[0], value * _SIZES[known[1]], unit))
    return found


def _count(side: Side, unit: int) -> tuple[int, float, int] | None:
    """Where the number of a unit begins, its value, and the end of the measure."""
    before, second = unit - 1, unit - 2
    if before in side.numbers:
        begin, value = before, side.numbers[before].value
    elif side.words[before] in _ARTICLES:
        begin, value = before, 1.0
        if second in side.numbers and side.numbers[second].kind == "share":
            begin, value = second, side.numbers[second].value
    else:
        return None
    end = unit + 1
    behind = side.words[end : end + 2]
    half = end + 2
    if behind == ["and", "a"] and half in side.numbers and side.numbers[half].value == 0.5:
        value, end = value + 0.5, half + 1
    return begin, value, end
