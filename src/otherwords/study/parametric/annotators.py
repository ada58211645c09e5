"""Agreement of two annotators who aligned the same sentence pairs.

Kupper & Hafner (1989) compare sets of attributes that two raters choose for each unit. If they
choose a and b of k attributes, x of them in common, a unit's concordance is x / max(a, b); by
chance it would be min(a, b) / k. Over all units, C = (observed - expected) / (1 - expected).
ParaMetric §4 reports it over aligned words and over basic phrase pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from otherwords.build.bitext.gold import Link
from otherwords.build.bitext.links import phrase_spans
from otherwords.errors import InputError

STATISTICS = ("c-words", "c-links", "c-phrases", "kappa", "precision", "recall", "f1")
Unit = tuple[Set[object], Set[object], int]  # the choices of each, and the number of options


@dataclass(frozen=True)
class Statistic:
    """A value, or the reason why there is none, with the observed and expected agreement."""

    value: float | None
    reason: str | None = None
    observed: float | None = None
    expected: float | None = None
    units: int = 0


@dataclass(frozen=True)
class Aligned:
    """A sentence pair: its numbers of words, and the links of two annotators."""

    height: int
    width: int
    first: frozenset[Link]
    second: frozenset[Link]

    def __post_init__(self) -> None:
        for i, j in self.first | self.second:
            if not (0 <= i < self.height and 0 <= j < self.width):
                raise InputError(f"link {i}-{j} is outside of {self.height} and {self.width} words")


def kupper_hafner(units: Iterable[Unit]) -> Statistic:
    """Compute Kupper & Hafner's C; units for which neither chose anything are left out.

    >>> round(kupper_hafner([({1}, {1, 2}, 4), ({2, 3}, {3}, 4), ({4}, {4}, 4)]).value, 4)
    0.5556
    """
    observed = expected = 0.0
    size = 0
    for first, second, choices in units:
        most = max(len(first), len(second))
        if most:
            size += 1
            observed += len(first & second) / most
            expected += min(len(first), len(second)) / choices
    if not size:
        return Statistic(None, "neither annotator has a link")
    return _correct_for_chance(observed / size, expected / size, size)


def cohen_kappa(pairs: Iterable[Aligned]) -> Statistic:
    """Compute Cohen's kappa of linked or not linked, over all word pairs.

    >>> one = Aligned(2, 2, frozenset({(0, 0), (1, 1)}), frozenset({(0, 0)}))
    >>> cohen_kappa([one]).value
    0.5
    """
    cells = first = second = both = 0
    for pair in pairs:
        cells += pair.height * pair.width
        first += len(pair.first)
        second += len(pair.second)
        both += len(pair.first & pair.second)
    if not cells:
        return Statistic(None, "there are no word pairs")
    neither = cells - first - second + both
    by_chance = first * second + (cells - first) * (cells - second)
    return _correct_for_chance((both + neither) / cells, by_chance / cells**2, cells)


def _correct_for_chance(observed: float, expected: float, units: int) -> Statistic:
    """Correct agreement for chance: 0 is chance agreement, 1 is full agreement."""
    if expected >= 1:
        return Statistic(None, "the expected agreement by chance is 1", observed, expected, units)
    return Statistic((observed - expected) / (1 - expected), None, observed, expected, units)


def annotator_agreement(pairs: Sequence[Aligned]) -> dict[str, Statistic]:
    """Compute all STATISTICS of two annotators.

    For `c-words` a unit is a word and its set the words it is linked to. For `c-links` and
    `c-phrases` a unit is a sentence pair and its set the links or basic phrase pairs. Precision and
    recall compare the second annotator's links with the first's.
    """
    return {
        "c-words": kupper_hafner(unit for pair in pairs for unit in _words(pair)),
        "c-links": kupper_hafner((p.first, p.second, p.height * p.width) for p in pairs),
        "c-phrases": kupper_hafner(map(_phrases, pairs)),
        "kappa": cohen_kappa(pairs),
        **_precision_recall(pairs),
    }


def _words(pair: Aligned) -> Iterator[Unit]:
    """Yield a unit for each word of both sides: the words that it is linked to."""
    for side, length, choices in ((0, pair.height, pair.width), (1, pair.width, pair.height)):
        for word in range(length):
            first, second = (
                {link[1 - side] for link in links if link[side] == word}
                for links in (pair.first, pair.second)
            )
            yield first, second, choices


def _phrases(pair: Aligned) -> Unit:
    """Return the basic phrase pairs as a unit; its options are all pairs of spans."""
    first, second = (
        set(map(tuple, phrase_spans(links, pair.height, pair.width, minimal=True).tolist()))
        for links in (pair.first, pair.second)
    )
    return first, second, _stretches(pair.height) * _stretches(pair.width)


def _stretches(length: int) -> int:
    return length * (length + 1) // 2


def _precision_recall(pairs: Sequence[Aligned]) -> dict[str, Statistic]:
    first, second, both = (
        sum(map(len, links))
        for links in (
            [pair.first for pair in pairs],
            [pair.second for pair in pairs],
            [pair.first & pair.second for pair in pairs],
        )
    )
    return {
        "precision": _share(both, second, "the second annotator has no link"),
        "recall": _share(both, first, "the first annotator has no link"),
        "f1": _share(2 * both, first + second, "neither annotator has a link"),
    }


def _share(part: int, whole: int, reason: str) -> Statistic:
    return Statistic(part / whole, units=whole) if whole else Statistic(None, reason)
