"""Random numbers and resamples that are the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from otherwords.io.arguments import check_whole

T = TypeVar("T")
Counts = NDArray[np.uint16]  # [draws, units]: how often each unit was sampled
_CELLS, _DRAWS = 2**22, 2**10  # the largest block, so that memory does not grow with the resamples
_KEPT = 2**27  # cells kept in memory for the next metric; more are sampled again


def resample(size: int, resamples: int, seed: int) -> Iterator[NDArray[np.int64]]:
    """Draws of `size` out of `size` with replacement, the same on every machine.

    NumPy keeps the raw stream of a bit generator stable, but not its distributions. So bounded
    integers are computed here, by multiply and shift.

    >>> [draw.tolist() for draw in resample(3, 2, seed=0)]
    [[1, 0, 0], [0, 2, 2]]
    """
    resamples = check_whole("resamples", resamples, 1, 10**7)
    generator = np.random.PCG64(check_whole("seed", seed, 0, 2**63))
    for _ in range(resamples):
        high = generator.random_raw(size) >> np.uint64(32)
        yield ((high * np.uint64(size)) >> np.uint64(32)).astype(np.int64)


@dataclass(frozen=True)
class Resamples:
    """Blocks of resamples: how often each contains each of `size` units. The first `skip`
    resamples are left out.

    >>> [block.tolist() for block in Resamples(3, 2, seed=0)]
    [[[2, 1, 0], [1, 0, 2]]]
    """

    size: int
    resamples: int
    seed: int
    skip: int = 0

    def __iter__(self) -> Iterator[Counts]:
        block: list[NDArray[np.intp]] = []
        for draw in islice(resample(self.size, self.resamples, self.seed), self.skip, None):
            block.append(np.bincount(draw, minlength=self.size))
            if len(block) * self.size >= _CELLS or len(block) == _DRAWS:
                yield np.array(block, dtype=np.uint16)
                block = []
        if block:
            yield np.array(block, dtype=np.uint16)

    def kept(self) -> Sequence[Counts] | Resamples:
        """All blocks as a list, unless they would need too much memory."""
        return list(self) if self.size * self.resamples <= _KEPT else self


class Stream:
    """Random whole numbers from the stream `key` of a seed.

    As in `resample`, only the raw bits are NumPy's.

    >>> Stream(0, 1).below([10, 10, 10]) == Stream(0, 1).below([10, 10, 10])
    True
    """

    def __init__(self, seed: int, *key: int) -> None:
        self._bits = np.random.PCG64(np.random.SeedSequence(seed, spawn_key=key))

    def below(self, bounds: Sequence[int]) -> list[int]:
        """One number from 0 to bound - 1 for each bound."""
        high = self._bits.random_raw(len(bounds)) >> np.uint64(32)
        drawn: list[int] = ((high * np.array(bounds, np.uint64)) >> np.uint64(32)).tolist()
        return drawn

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """Shuffle a copy of the list (Fisher & Yates)."""
        order = list(things)
        sizes = range(len(order), 1, -1)
        for size, other in zip(sizes, self.below(sizes), strict=True):
            order[size - 1], order[other] = order[other], order[size - 1]
        return order
