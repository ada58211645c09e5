"""Hashes of the texts that a model was trained on, so that a score can mark its training rows.

A pair of texts, a hypothesis and its reference or source, becomes a 64-bit hash. The hashes modulo
16,384 times their number are sorted, and the steps between them are stored: two bytes per pair, no
text. A training pair is always found; any other pair is a false positive in one of 16,000 cases
(1.02 of `SPREAD`).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

SPREAD = 1 << 14  # size of the range of numbers, per hash
WIDEST = (1 << 16) - 1  # step that two bytes hold
# A wider step is split at a number that is no hash. With a mean step of 16,384, a share of e**-4
# is so wide, so the rate of false positives is 1.02 / 16,384.

_LARGEST = np.iinfo(np.int64).max

_SIGNS = re.compile(r"[\W_]+")
_ASCII_SIGNS = bytes(code for code in range(128) if not chr(code).isalnum())


def pair_hash(left: str, right: str) -> int | None:
    """A 64-bit hash of two texts in any order; `None` if one has no letter or digit.

    Case, spacing, punctuation and character width do not matter, so that tokenised and raw text
    have the same hash.

    >>> pair_hash("It rains .", "Don't go!") == pair_hash("do n't GO", "it  rains")
    True
    >>> pair_hash("It rains.", "...") is None
    True
    """
    both = sorted((_fold(left), _fold(right)))
    if not both[0]:
        return None
    return int.from_bytes(hashlib.blake2b(b"\0".join(both), digest_size=8).digest(), "little")


def _fold(text: str) -> bytes:
    """Reduce a text to its case-folded letters and digits."""
    if text.isascii():  # same result, faster
        return text.lower().encode().translate(None, _ASCII_SIGNS)
    return _SIGNS.sub("", unicodedata.normalize("NFKC", text).casefold()).encode()


def filter_of(pairs: Iterable[tuple[str, str]]) -> Seen:
    """Make the filter for a model's training pairs, each a hypothesis and its target.

    >>> seen = filter_of([("It rains.", "Rain falls."), ("She sings.", "She is singing.")])
    >>> seen.share([("it rains", "rain falls"), ("He sings.", "He is singing.")])
    0.5
    """
    hashes = np.array(sorted(_hashes(pairs)), np.uint64)
    size = max(len(hashes), 1) * SPREAD
    return Seen(_steps(np.unique(hashes % np.uint64(size)).astype(np.int64)), size)


def _steps(numbers: NDArray[np.int64]) -> NDArray[np.uint16]:
    """The steps from 0 through rising numbers; wide steps are split.

    >>> _steps(np.array([3, 10, 70_000])).tolist()
    [3, 7, 65535, 4455]
    """
    steps = np.diff(numbers, prepend=0)
    stones = np.maximum(steps - 1, 0) // WIDEST
    filled = np.full(len(steps) + int(stones.sum()), WIDEST, np.int64)
    filled[np.cumsum(stones + 1) - 1] = steps - stones * WIDEST
    return filled.astype(np.uint16)


@dataclass(frozen=True, eq=False)
class Seen:
    """A filter: the steps between the hashes of pairs, all below `size`."""

    steps: NDArray[np.uint16]
    size: int

    @cached_property
    def _members(self) -> NDArray[np.int64]:
        """The hashes, rising."""
        return np.cumsum(self.steps, dtype=np.int64)

    def found(self, pairs: Iterable[tuple[str, str]]) -> NDArray[np.bool_]:
        """Whether the model was trained on each pair."""
        hashes = [pair_hash(*pair) for pair in pairs]
        is_hashed = np.array([value is not None for value in hashes], bool)
        numbers = np.array([value or 0 for value in hashes], np.uint64) % np.uint64(self.size)
        wanted = numbers.astype(np.int64)
        begin, end = (np.searchsorted(self._members, wanted, side) for side in ("left", "right"))
        return is_hashed & (begin < end)

    def share(self, pairs: Iterable[tuple[str, str]]) -> float:
        """The share of pairs that a model was trained on, 0 to 1."""
        known = self.found(pairs)
        return float(known.mean()) if len(known) else 0.0

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The filter as arrays of a model file."""
        return {"seen/steps": self.steps, "seen/size": np.array([self.size], np.int64)}

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> Seen | None:
        """Read the filter from a model's arrays; `None` if there is none."""
        if "seen/steps" not in arrays:
            return None
        steps, size = arrays["seen/steps"], arrays.get("seen/size", np.zeros(0))
        if (
            steps.dtype != np.uint16
            or steps.ndim != 1
            or size.shape != (1,)
            or not 0 < size[0] <= _LARGEST
        ):
            raise ValueError("its filter of training texts is damaged")
        return cls(steps, int(size[0]))


@dataclass(frozen=True)
class SeenByEither:
    """The filters of several models that contribute to one score."""

    parts: tuple[Seen, ...]

    def found(self, pairs: Iterable[tuple[str, str]]) -> NDArray[np.bool_]:
        """Whether one of the models was trained on each pair."""
        pairs = list(pairs)
        return np.asarray(np.any([part.found(pairs) for part in self.parts], axis=0), bool)

    def share(self, pairs: Iterable[tuple[str, str]]) -> float:
        """The share of pairs that one of the models was trained on."""
        found = self.found(pairs)
        return float(found.mean()) if len(found) else 0.0


def _hashes(pairs: Iterable[tuple[str, str]]) -> set[int]:
    return {value for pair in pairs if (value := pair_hash(*pair)) is not None}
