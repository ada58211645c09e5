"""What loaders check once when they open a model: order, ranges and bounds of its arrays.

Look-ups stay inside of the arrays whatever these hold, but keys out of order or a number out of
range would give other results in silence. Arrays of more than `CHECKED_ON_OPENING` bytes are left
to the checksums, so that a large model opens at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.models.container import CHECKED_ON_OPENING

__all__ = ["check_bounds", "check_index", "check_range", "numbers_of"]


def check_index(name: str, keys: NDArray[np.uint64], buckets: NDArray[np.uint32]) -> None:
    """Refuse hashes that are out of order or that stand in another bucket than their own.

    >>> check_index("words", np.array([2, 1], np.uint64), np.array([0, 2, 2], np.uint32))
    Traceback (most recent call last):
    ...
    ValueError: the keys of 'words' are out of order
    """
    if _is_large(keys) or _is_large(buckets):
        return
    if not (keys[:-1] < keys[1:]).all():
        raise ValueError(f"the keys of '{name}' are out of order")
    check_bounds(name, buckets, len(keys))
    bits = (len(buckets) - 1).bit_length() - 1
    bucket = (keys >> np.uint64(64 - bits)).astype(np.intp)
    places = np.arange(len(keys))
    if not ((buckets[bucket] <= places) & (places < buckets[bucket + 1])).all():
        raise ValueError(f"the buckets of '{name}' do not fit its keys")


def check_bounds(name: str, bounds: NDArray[Any], size: int) -> None:
    """Refuse bounds that do not go up from 0 to `size`.

    >>> check_bounds("words", np.array([0, 3, 2]), 2)
    Traceback (most recent call last):
    ...
    ValueError: the bounds of 'words' are out of order
    """
    if _is_large(bounds):
        return
    ends = len(bounds) and bounds[0] == 0 and bounds[-1] == size
    if not ends or not (bounds[:-1] <= bounds[1:]).all():
        raise ValueError(f"the bounds of '{name}' are out of order")


def check_range(name: str, numbers: NDArray[Any], size: int) -> None:
    """Refuse numbers of which one is not below `size`.

    >>> check_range("targets", np.array([0, 7]), 7)
    Traceback (most recent call last):
    ...
    ValueError: 'targets' holds 7, which is out of range
    """
    if _is_large(numbers) or not len(numbers):
        return
    largest = int(numbers.max())
    if largest >= size:
        raise ValueError(f"'{name}' holds {largest}, which is out of range")


def numbers_of(rows: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """The little-endian numbers in rows of one to four bytes.

    >>> numbers_of(np.array([[1, 2], [255, 0]], np.uint8)).tolist()
    [513, 255]
    """
    numbers = np.zeros(len(rows), np.uint32)
    for place in range(rows.shape[1]):
        numbers |= rows[:, place].astype(np.uint32) << np.uint32(8 * place)
    return numbers


def _is_large(array: NDArray[Any]) -> bool:
    return array.nbytes > CHECKED_ON_OPENING
