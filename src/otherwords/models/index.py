"""Hashed keys as our model files hold them (the reading side is native/core/index.hpp)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import ModelError

__all__ = ["bucket_bounds", "hash_words"]


def hash_words(words: Sequence[str]) -> NDArray[np.uint64]:
    """The 64-bit hashes of the words; two words that collide are refused.

    >>> bool(hash_words(["car"])[0] == hash_words(["car", "auto"])[0])
    True
    """
    hashes: NDArray[np.uint64] = _native.hash_words(list(words))
    if len(np.unique(hashes)) != len(set(words)):
        raise ModelError("two words have the same 64-bit hash; drop one of them")
    return hashes


def bucket_bounds(keys: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """For sorted keys: where the keys of each value of their leading bits start.

    As many buckets as keys, rounded up to a power of two, so that a lookup reads one
    bound and about one key.

    >>> bucket_bounds(np.array([1, 2**63], dtype=np.uint64)).tolist()
    [0, 1, 2]
    """
    bits = max(1, int(len(keys) - 1).bit_length())
    edges = np.arange(2**bits, dtype=np.uint64) << np.uint64(64 - bits)
    bounds = np.searchsorted(keys, edges, side="left")
    return np.append(bounds, len(keys)).astype(np.uint32)
