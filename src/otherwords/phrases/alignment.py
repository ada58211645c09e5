"""The order of the alignments of a phrase pair, which breaks ties between them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from otherwords.phrases.aligned import LONGEST

__all__ = ["order_keys"]


def order_keys(links: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers that sort alignments as Moses does, which of equally frequent ones takes the last.

    Moses compares, target word by target word, the sorted source words it is linked to.
    Links are bits: source word s and target word t are bit 7 t + s.

    >>> order_keys(np.array([0b11, 0b10, 0b01 << 7])).argsort().tolist()
    [2, 0, 1]
    """
    keys = np.zeros(len(links), np.int64)
    for word in range(LONGEST):
        linked = links >> word * LONGEST & len(_places()) - 1
        keys = keys * len(_places()) + _places()[linked]
    return keys


@cache
def _places() -> NDArray[np.int64]:
    """The place of each set of source words, as bits, among all sets in their sorted order."""
    sets = list(_sets(0, 0))
    places = np.empty(len(sets), np.int64)
    places[sets] = np.arange(len(sets))
    return places


def _sets(prefix: int, first: int) -> Iterator[int]:
    yield prefix
    for word in range(first, LONGEST):
        yield from _sets(prefix | 1 << word, word + 1)
