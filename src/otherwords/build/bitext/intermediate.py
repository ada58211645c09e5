"""Intermediate alignments: two English sentences aligned through a foreign one they translate.

ParaMetric §7.1 aligns two translations of a Chinese sentence by their links to it.
"""

from __future__ import annotations

from array import array

import numpy as np

from otherwords.build.bitext.links import Links
from otherwords.errors import InputError

__all__ = ["compose"]


def compose(first: Links, second: Links) -> Links:
    """Words of two sides are linked if they have links to the same word of a third.

    Both have that third side on their right; the left sides of `first` and `second` become the left
    and the right side.

    >>> def links(*pairs):
    ...     left, right = (np.array(side, np.uint32) for side in zip(*pairs))
    ...     return Links(left, right, np.array([0, len(pairs)]))
    >>> compose(links((0, 0), (1, 2), (2, 2)), links((0, 2), (1, 0), (2, 1))).sentence(0)
    [(0, 1), (1, 0), (2, 0)]
    """
    size = len(first.bounds) - 1
    if len(second.bounds) - 1 != size:
        raise InputError(f"links of {size} and of {len(second.bounds) - 1} sentence pairs")
    lefts, rights, bounds = array("I"), array("I"), array("q", [0])
    for number in range(size):
        by_foreign: dict[int, list[int]] = {}
        for i, f in first.sentence(number):
            by_foreign.setdefault(f, []).append(i)
        found = {(i, j) for j, f in second.sentence(number) for i in by_foreign.get(f, ())}
        for i, j in sorted(found):
            lefts.append(i)
            rights.append(j)
        bounds.append(len(lefts))
    return Links(
        np.array(lefts, np.uint32), np.array(rights, np.uint32), np.array(bounds, np.int64)
    )
