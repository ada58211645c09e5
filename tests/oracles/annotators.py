"""Agreement of two annotators, from the definitions, with exact fractions."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product


def concordance(first, second):
    """Kupper & Hafner 1989: elements common to both, over the larger number of elements."""
    return Fraction(len(set(first) & set(second)), max(len(first), len(second)))


def expected_concordance(a: int, b: int, k: int):
    """The mean over all ways in which raters can choose a and b of k attributes."""
    ways = list(product(combinations(range(k), a), combinations(range(k), b)))
    return sum(concordance(x, y) for x, y in ways) / len(ways)


def kupper_hafner(units):
    """C over units (first, second, k), or None."""
    chosen = [unit for unit in units if unit[0] or unit[1]]
    if not chosen:
        return None
    observed = sum(concordance(x, y) for x, y, _ in chosen) / len(chosen)
    expected = sum(expected_concordance(len(x), len(y), k) for x, y, k in chosen) / len(chosen)
    return None if expected == 1 else (observed - expected) / (1 - expected)


def kappa(pairs):
    """Cohen 1960, over a list of answers of each annotator, one a cell."""
    answers = [
        ((i, j) in first, (i, j) in second)
        for height, width, first, second in pairs
        for i in range(height)
        for j in range(width)
    ]
    if not answers:
        return None
    size = len(answers)
    observed = Fraction(sum(x == y for x, y in answers), size)
    expected = sum(
        Fraction(sum(x == value for x, _ in answers), size)
        * Fraction(sum(y == value for _, y in answers), size)
        for value in (True, False)
    )
    return None if expected == 1 else (observed - expected) / (1 - expected)
