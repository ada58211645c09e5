"""The order of the words that two texts have in common, as in native/core/metrics/word_order."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from itertools import pairwise


def order_of(mine: Sequence[int], theirs: Sequence[int]) -> tuple[float, float, float, float]:
    """Breaks, Kendall's share of pairs in order, mean shift, chunks per word of `theirs`.

    >>> order_of([1, 2, 3, 4], [1, 2, 3, 4])
    (0.0, 1.0, 0.0, 0.25)
    >>> [round(value, 3) for value in order_of([3, 4, 1, 2], [1, 2, 3, 4])]
    [0.333, 0.333, 0.5, 0.5]
    """
    links = link(mine, theirs)
    if not links:
        return 1.0, 0.0, 1.0, 1.0
    breaks = sum(b != (a[0] + 1, a[1] + 1) for a, b in pairwise(links))
    size = len(links)
    kendall = 0.5
    if size > 1:
        every, apart = size * (size - 1) // 2, _inversions([there for _, there in links])
        kendall = ((every - 2 * apart) / every + 1) / 2
    shift = sum(abs(i / len(mine) - j / len(theirs)) for i, j in links) / size
    return breaks / max(size - 1, 1), kendall, shift, (breaks + 1) / len(theirs)


def _inversions(places: Sequence[int]) -> int:
    """How many pairs of different places are not in order."""
    before: list[int] = []
    found = 0
    for place in places:
        rank = bisect(before, place)
        found += len(before) - rank
        before.insert(rank, place)
    return found


def link(mine: Sequence[int], theirs: Sequence[int]) -> list[tuple[int, int]]:
    """Equal words one to one, from left to right: the word after the last one linked if it is
    equal, else the one nearest in place.

    >>> link([1, 2, 1], [1, 1, 2])
    [(0, 0), (1, 2), (2, 1)]
    """
    free: dict[int, list[int]] = {}
    for there, word in enumerate(theirs):
        free.setdefault(word, []).append(there)
    links: list[tuple[int, int]] = []
    following = -1
    for here, word in enumerate(mine):
        places = free.get(word)
        if not places:
            following = -1
            continue
        expected = here * len(theirs) / len(mine)
        chosen = following if following in places else min(places, key=lambda j: abs(j - expected))
        places.remove(chosen)
        links.append((here, chosen))
        following = chosen + 1
    return links
