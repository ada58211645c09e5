"""Random draws that are the same on every machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

__all__ = ["Stream"]

T = TypeVar("T")


class Stream:
    """Whole numbers drawn from the stream `key` of a seed.

    As in `otherwords.meta.bootstrap.resample`, only the raw bits are NumPy's.

    >>> Stream(0, 1).below([10, 10, 10]) == Stream(0, 1).below([10, 10, 10])
    True
    """

    def __init__(self, seed: int, *key: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key))

    def below(self, bounds: Sequence[int]) -> list[int]:
        """A number from 0 on below each of the bounds."""
        high = self._bits.random_raw(len(bounds)) >> np.uint64(32)
        drawn: list[int] = ((high * np.array(bounds, np.uint64)) >> np.uint64(32)).tolist()
        return drawn

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """The things in random order (Fisher & Yates)."""
        order = list(things)
        sizes = range(len(order), 1, -1)
        for size, other in zip(sizes, self.below(sizes), strict=True):
            order[size - 1], order[other] = order[other], order[size - 1]
        return order
