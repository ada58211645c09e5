"""Arrays that several kinds of models share: hashed keys, strings, and checks made on opening.

Lookups never leave the arrays, but unsorted keys or numbers out of range would silently give wrong
results, so loaders check them once. Arrays of more than `CHECKED_ON_OPENING` bytes are only covered
by checksums, so that a large model opens quickly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import ModelError
from otherwords.models.container import CHECKED_ON_OPENING


def hash_words(words: Sequence[str]) -> NDArray[np.uint64]:
    """The 64-bit hashes of the words; a collision is an error.

    >>> bool(hash_words(["car"])[0] == hash_words(["car", "auto"])[0])
    True
    """
    hashes: NDArray[np.uint64] = _native.hash_words(list(words))
    if len(np.unique(hashes)) != len(set(words)):
        raise ModelError("two words have the same 64-bit hash; drop one of them")
    return hashes


def bucket_bounds(keys: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """For sorted keys, the start of each bucket of keys with the same leading bits.

    There are as many buckets as keys, rounded up to a power of two, so that a lookup reads
    about one key.

    >>> bucket_bounds(np.array([1, 2**63], dtype=np.uint64)).tolist()
    [0, 1, 2]
    """
    bits = max(1, int(len(keys) - 1).bit_length())
    edges = np.arange(2**bits, dtype=np.uint64) << np.uint64(64 - bits)
    bounds = np.searchsorted(keys, edges, side="left")
    return np.append(bounds, len(keys)).astype(np.uint32)


class Strings(NamedTuple):
    """Concatenated strings: string i is `bytes[bounds[i]:bounds[i + 1]]` in UTF-8."""

    bytes: NDArray[np.uint8]
    bounds: NDArray[np.int64]

    @classmethod
    def of(cls, column: Sequence[str] | Any) -> Strings:
        """Make them from a list or an Arrow column of strings (a single chunk is not copied).

        >>> Strings.of(["ça", "", "va"]).bounds.tolist()
        [0, 3, 3, 5]
        """
        if type(column).__module__.partition(".")[0] == "pyarrow":
            return _of_arrow(column)
        encoded = [text.encode() for text in column]
        bounds = np.zeros(len(encoded) + 1, dtype=np.int64)
        np.cumsum([len(text) for text in encoded], out=bounds[1:])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), bounds)

    @property
    def hashes(self) -> NDArray[np.uint64]:
        return _native.hash_strings(self.bytes, self.bounds)

    def take(self, rows: NDArray[np.int64]) -> Strings:
        """The strings of these rows, in their order."""
        begins = self.bounds[rows]
        lengths = self.bounds[rows + 1] - begins
        bounds = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=bounds[1:])
        places = np.arange(bounds[-1]) + np.repeat(begins - bounds[:-1], lengths)
        return Strings(self.bytes[places], bounds)

    def text(self, row: int) -> str:
        return bytes(self.bytes[self.bounds[row] : self.bounds[row + 1]]).decode()


def _of_arrow(column: Any) -> Strings:
    chunks = getattr(column, "chunks", [column])
    parts = [_of_chunk(chunk.cast("large_string")) for chunk in chunks]
    if len(parts) == 1:
        return parts[0]
    ends = np.cumsum([0, *(len(part.bytes) for part in parts)])
    bounds = [part.bounds[1:] + end for part, end in zip(parts, ends[:-1], strict=True)]
    pieces = [np.empty(0, np.uint8), *(part.bytes for part in parts)]
    return Strings(np.concatenate(pieces), np.concatenate([np.zeros(1, np.int64), *bounds]))


def _of_chunk(chunk: Any) -> Strings:
    _, offsets, data = chunk.buffers()
    if offsets is None:
        return Strings(np.empty(0, np.uint8), np.zeros(1, np.int64))
    bounds = np.frombuffer(offsets, np.int64)[chunk.offset : chunk.offset + len(chunk) + 1]
    raw = np.frombuffer(data, np.uint8) if data is not None else np.empty(0, np.uint8)
    return Strings(raw[bounds[0] : bounds[-1]], bounds - bounds[0])


def check_utf8(raw: NDArray[np.uint8], bounds: NDArray[Any]) -> None:
    """Refuse bytes that are not UTF-8, or strings that begin inside a character.

    >>> check_utf8(np.frombuffer("aé".encode(), np.uint8), np.array([0, 2, 3]))
    Traceback (most recent call last):
    ...
    ValueError: a string begins inside a character
    """
    if raw.max(initial=0) < 0x80:
        return
    bytes(raw).decode()
    if (raw[bounds[bounds < len(raw)]] & 0xC0 == 0x80).any():
        raise ValueError("a string begins inside a character")


def check_index(name: str, keys: NDArray[np.uint64], buckets: NDArray[np.uint32]) -> None:
    """Refuse hashes that are out of order or in the wrong bucket.

    >>> check_index("words", np.array([2, 1], np.uint64), np.array([0, 2, 2], np.uint32))
    Traceback (most recent call last):
    ...
    ValueError: the keys of 'words' are out of order
    """
    if max(keys.nbytes, buckets.nbytes) > CHECKED_ON_OPENING:
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
    """Refuse bounds that do not rise from 0 to `size`.

    >>> check_bounds("words", np.array([0, 3, 2]), 2)
    Traceback (most recent call last):
    ...
    ValueError: the bounds of 'words' are out of order
    """
    if bounds.nbytes > CHECKED_ON_OPENING:
        return
    ends = len(bounds) and bounds[0] == 0 and bounds[-1] == size
    if not ends or not (bounds[:-1] <= bounds[1:]).all():
        raise ValueError(f"the bounds of '{name}' are out of order")


def check_range(name: str, numbers: NDArray[Any], size: int) -> None:
    """Refuse numbers that are not below `size`.

    >>> check_range("targets", np.array([0, 7]), 7)
    Traceback (most recent call last):
    ...
    ValueError: 'targets' holds 7, which is out of range
    """
    if numbers.nbytes > CHECKED_ON_OPENING or not len(numbers):
        return
    largest = int(numbers.max())
    if largest >= size:
        raise ValueError(f"'{name}' holds {largest}, which is out of range")


def unpack_numbers(rows: NDArray[np.uint8]) -> NDArray[np.uint32]:
    """The little-endian numbers in rows of one to four bytes.

    >>> unpack_numbers(np.array([[1, 2], [255, 0]], np.uint8)).tolist()
    [513, 255]
    """
    numbers = np.zeros(len(rows), np.uint32)
    for place in range(rows.shape[1]):
        numbers |= rows[:, place].astype(np.uint32) << np.uint32(8 * place)
    return numbers
