"""Columns of strings as the kernels read them: all bytes in one piece, and bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native

__all__ = ["Strings", "check_utf8"]


class Strings(NamedTuple):
    """Strings one after the other: string i is `bytes[bounds[i]:bounds[i + 1]]` in UTF-8."""

    bytes: NDArray[np.uint8]
    bounds: NDArray[np.int64]

    @classmethod
    def of(cls, column: Sequence[str] | Any) -> Strings:
        """From a list of strings or an Arrow column of them (not copied if it is in one piece).

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
        """The `hash64` of each."""
        return _native.hash_strings(self.bytes, self.bounds)

    def take(self, rows: NDArray[np.int64]) -> Strings:
        """Some of them, in the order given."""
        begins = self.bounds[rows]
        lengths = self.bounds[rows + 1] - begins
        bounds = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum(lengths, out=bounds[1:])
        places = np.arange(bounds[-1]) + np.repeat(begins - bounds[:-1], lengths)
        return Strings(self.bytes[places], bounds)

    def text(self, row: int) -> str:
        """One of them."""
        return bytes(self.bytes[self.bounds[row] : self.bounds[row + 1]]).decode()


def check_utf8(raw: NDArray[np.uint8], bounds: NDArray[Any]) -> None:
    """Refuse bytes that are no UTF-8, or of which a string begins inside a character.

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
