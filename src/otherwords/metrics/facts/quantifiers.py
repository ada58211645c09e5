"""Quantifiers: how much of something, or how often, from nothing to everything."""

from __future__ import annotations

from otherwords.metrics.facts.alignment import STEM, tightness
from otherwords.metrics.facts.calls import Calls, Units
from otherwords.metrics.facts.evidence import OPPOSITE
from otherwords.metrics.facts.negation import cues
from otherwords.metrics.facts.reading import Side
from otherwords.metrics.facts.words import LEVELS, QUANTITIES

__all__ = ["find"]

_TIGHT = 0.5
_APART = 1.5  # how far two levels are apart that cannot both hold
_EQUAL = 0.5
_LONGEST = 4  # words of a quantifier
_ALL, _SINGLE = 5.0, 1.0
# Bounds of a number: at least, or at most.
_BOUNDS = {
    ("at", "least"): 1,
    ("more", "than"): 1,
    ("over",): 1,
    ("above",): 1,
    ("no", "less", "than"): 1,
    ("no", "few", "than"): 1,
    ("no", "fewer", "than"): 1,
    ("minimum", "of"): 1,
    ("exceed",): 1,
    ("at", "most"): -1,
    ("less", "than"): -1,
    ("few", "than"): -1,
    ("fewer", "than"): -1,
    ("under",): -1,
    ("below",): -1,
    ("up", "to"): -1,
    ("no", "more", "than"): -1,
    ("not", "more", "than"): -1,
    ("maximum", "of"): -1,
}


def find(calls: Calls) -> None:
    """Quantifiers of both texts in the same place; then the bounds of the same numbers."""
    pair = calls.pair
    mine, theirs = _quantifiers(pair.a), _quantifiers(pair.b)
    for a, level in mine:
        for b, other in theirs:
            if _is_linked(calls, a, b) or not calls.free(a, b):
                continue
            tight = tightness(pair, a, b)
            if tight >= _TIGHT and abs(level - other) <= _EQUAL:
                calls.add("quantifier", "equivalent", 0.8, a, b)
            elif tight >= _TIGHT and _differ(calls, level, other):
                calls.add("quantifier", "contradicted", 0.4 + 0.6 * tight, a, b)
    _bounds(calls)


def _quantifiers(side: Side) -> list[tuple[Units, float]]:
    """Stretches that are quantifiers, the longest first, with their levels."""
    found: list[tuple[Units, float]] = []
    end = 0
    for begin in range(len(side)):
        if begin < end:
            continue
        if begin in side.numbers:
            number = side.numbers[begin]
            if number.kind == "share" and number.value == 0.5:
                found.append(((begin, begin + 1), 2.5))
            elif number.kind == "count" and number.value == 1.0 and _next(side, begin) != "in":
                found.append(((begin, begin + 1), _SINGLE))
            continue
        words = [_plain(side, u) for u in range(begin, min(len(side), begin + _LONGEST))]
        for length in range(len(words), 0, -1):
            level = LEVELS.get(tuple(words[:length]))
            if level is not None:
                end = begin + length
                found.append(((begin, end), level))
                break
    return found


def _next(side: Side, unit: int) -> str:
    return side.words[unit + 1] if unit + 1 < len(side) else ""


def _plain(side: Side, unit: int) -> str:
    if unit in side.numbers:
        return "one" if side.numbers[unit].value == 1.0 else "#"
    word = side.words[unit]
    return side.lemmas[unit] if side.lemmas[unit] in QUANTITIES else word


def _is_linked(calls: Calls, a: Units, b: Units) -> bool:
    """Whether the two are the same words."""
    pair = calls.pair
    same = all(pair.same(a[0] + step, b[0] + step) for step in range(a[1] - a[0]))
    return same and a[1] - a[0] == b[1] - b[0]


def _differ(calls: Calls, level: float, other: float) -> bool:
    pair = calls.pair
    low, high = sorted((level, other))
    if low == high or (high < _ALL and high - low < _APART):
        return False
    if low == 0.0:
        if len(cues(pair.a)) + len(cues(pair.b)) > 1:
            return False  # never fails, always
        return not any(kind == OPPOSITE for kind in pair.kinds)  # never remembers, always forgets
    return True


def _bounds(calls: Calls) -> None:
    pair = calls.pair
    for i in pair.a.numbers:
        j = pair.to_b[i]
        if j < 0 or pair.kinds[i] < STEM:
            continue
        one, other = _bound(pair.a, i), _bound(pair.b, j)
        if one is None or other is None or one[1] == other[1]:
            continue
        a, b = (one[0], i + 1), (other[0], j + 1)
        if calls.free(a, b):
            calls.add("quantifier", "contradicted", 0.8, a, b)


def _bound(side: Side, number: int) -> tuple[int, int] | None:
    """Where the words begin that bound a number from below (1) or from above (-1)."""
    for length in (3, 2, 1):
        begin = number - length
        if begin < 0:
            continue
        for words in (side.words[begin:number], side.lemmas[begin:number]):
            direction = _BOUNDS.get(tuple(words))
            if direction is not None:
                if begin and side.words[begin - 1] in ("not", "n't"):
                    direction = -direction
                return begin, direction
    return None
