"""Agreement of two annotators who aligned the same sentence pairs.

Kupper & Hafner (1989) compare sets of attributes that two raters choose for each unit. With a and
b attributes chosen of k, x of them by both, a unit's concordance is x / max(a, b); if both chose
at random it would be min(a, b) / k. Over all units, C = (observed - expected) / (1 - expected).
ParaMetric §4 reports it over aligned words and over basic phrase pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from otherwords.build.bitext.gold import Link
from otherwords.build.bitext.links import phrase_spans
from otherwords.errors import InputError

STATISTICS = ("c-words", "c-links", "c-phrases", "kappa", "precision", "recall", "f1")
Unit = tuple[Set[object], Set[object], int]  # what each chose, and of how many


@dataclass(frozen=True)
class Statistic:
    """A number, or the reason why there is none, with the observed and the expected agreement."""

    value: float | None
    reason: str | None = None
    observed: float | None = None
    expected: float | None = None
    units: int = 0


@dataclass(frozen=True)
class Aligned:
    """A sentence pair with its numbers of words and the links of two annotators."""

    height: int
    width: int
    first: frozenset[Link]
    second: frozenset[Link]

    def __post_init__(self) -> None:
        for i, j in self.first | self.second:
            if not (0 <= i < self.height and 0 <= j < self.width):
                raise InputError(f"link {i}-{j} is outside of {self.height} and {self.width} words")


def kupper_hafner(units: Iterable[Unit]) -> Statistic:
    """C of Kupper & Hafner. Units for which neither chose anything are left out.

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
    return _corrected(observed / size, expected / size, size)


def cohen_kappa(pairs: Iterable[Aligned]) -> Statistic:
    """Cohen's kappa of linked or not, over all word pairs of all sentence pairs.

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
    return _corrected((both + neither) / cells, by_chance / cells**2, cells)


def _corrected(observed: float, expected: float, units: int) -> Statistic:
    """Agreement beyond chance: 0 is that of chance, 1 is full."""
    if expected >= 1:
        return Statistic(None, "the expected agreement by chance is 1", observed, expected, units)
    return Statistic((observed - expected) / (1 - expected), None, observed, expected, units)


def annotator_agreement(pairs: Sequence[Aligned]) -> dict[str, Statistic]:
    """All STATISTICS of two annotators.

    `c-words`: a unit is a word, and its set that of the words it is linked to. `c-links` and
    `c-phrases`: a unit is a sentence pair, and its set that of its links or of its basic phrase
    pairs. Precision and recall are of the second annotator's links against the first's.
    """
    return {
        "c-words": kupper_hafner(unit for pair in pairs for unit in _words(pair)),
        "c-links": kupper_hafner((p.first, p.second, p.height * p.width) for p in pairs),
        "c-phrases": kupper_hafner(map(_phrases, pairs)),
        "kappa": cohen_kappa(pairs),
        **_precision_recall(pairs),
    }


def _words(pair: Aligned) -> Iterator[Unit]:
    """The words of both sides, each with the words that it is linked to."""
    for side, length, choices in ((0, pair.height, pair.width), (1, pair.width, pair.height)):
        for word in range(length):
            first, second = (
                {link[1 - side] for link in links if link[side] == word}
                for links in (pair.first, pair.second)
            )
            yield first, second, choices


def _phrases(pair: Aligned) -> Unit:
    """The basic phrase pairs, of all pairs of a span of one side and a span of the other."""
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
