"""From pairs of phrases to the arrays of a packed table of paraphrases (`docs/models.md`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from otherwords import _native
from otherwords.build.phrases.pivot_packing import Packed, code_probabilities
from otherwords.errors import InputError
from otherwords.models.index import bucket_bounds

__all__ = ["LONGEST_PHRASE", "VERSION", "Packer", "pack"]

VERSION = 1  # of the packing; another one means that cached tables are packed again
LONGEST_PHRASE = 16  # words; mirrors native/phrases/paraphrase_table.hpp
_SLACK = 1e-6  # by how much a probability may miss 1
_MOST = 2**32 - 1  # phrases, pairs


class Packer:
    """Collects pairs, many at a time: only hashes and codes of them are kept in memory."""

    def __init__(self) -> None:
        self.rows = 0
        self.skipped: Counter[str] = Counter()
        self._longest = 0
        self._phrases: list[NDArray[np.uint64]] = []
        self._paraphrases: list[NDArray[np.uint64]] = []
        self._codes: list[NDArray[np.uint8]] = []

    def add(
        self,
        phrases: Sequence[str],
        paraphrases: Sequence[str],
        probabilities: ArrayLike,
        *,
        path: str | PathLike[str] | None = None,
        lines: Sequence[int] | None = None,
    ) -> None:
        """Add the pairs (a, b, p(b|a)); `path` and `lines` say where each is, for errors."""
        values = np.asarray(probabilities, dtype=np.float64)
        if not len(phrases) == len(paraphrases) == values.size or values.ndim != 1:
            raise InputError(
                f"{len(phrases)} phrases, {len(paraphrases)} paraphrases, "
                f"{values.size} probabilities"
            )
        a, words_a = _native.phrase_keys(list(phrases))
        b, words_b = _native.phrase_keys(list(paraphrases))

        def refuse(bad: NDArray[np.bool_], message: str) -> None:
            if bad.any():
                row = int(np.argmax(bad))
                where = "" if lines else f"row {self.rows + row + 1}: "
                found = message.format(values[row])
                raise InputError(where + found, path=path, line=lines[row] if lines else None)

        refuse((words_a == 0) | (words_b == 0), "a phrase is empty")
        refuse(~((values >= 0) & (values <= 1 + _SLACK)), "{:g} is not a probability, 0 to 1")
        words = np.maximum(words_a, words_b)
        long, same, never = words > LONGEST_PHRASE, a == b, values == 0
        self.rows += len(values)
        self.skipped["pairs_of_long_phrases"] += int(long.sum())
        self.skipped["pairs_of_equal_phrases"] += int((same & ~long).sum())
        self.skipped["pairs_of_probability_0"] += int((never & ~same & ~long).sum())
        kept = ~(long | same | never)
        self._longest = max(self._longest, int(words[kept].max(initial=0)))
        self._phrases.append(a[kept])
        self._paraphrases.append(b[kept])
        self._codes.append(code_probabilities(np.minimum(values[kept], 1.0)))

    def packed(self) -> Packed:
        """The arrays of all pairs; the order in which they came does not matter."""
        both = np.concatenate([*self._phrases, *self._paraphrases, np.empty(0, np.uint64)])
        codes = np.concatenate([*self._codes, np.empty(0, np.uint8)])
        keys, numbers = np.unique(both, return_inverse=True)
        if max(len(keys), len(codes)) > _MOST:
            raise InputError("more than four billion phrases or pairs")
        # A pair is one number, so that one sort puts paraphrases in order within their phrase.
        size = np.uint64(max(1, len(keys)))
        pairs = numbers[: len(codes)].astype(np.uint64) * size
        pairs += numbers[len(codes) :].astype(np.uint64)
        pairs, codes = _likeliest(pairs, codes)
        phrases = (pairs // size).astype(np.int64)
        degrees = np.bincount(phrases, minlength=len(keys))
        self.skipped["repeated_pairs"] = len(both) // 2 - len(pairs)
        provenance = {
            "phrases": len(keys),
            "pairs": len(pairs),
            "longest": self._longest,
            "rows": self.rows,
            "skipped": {reason: count for reason, count in self.skipped.items() if count},
        }
        arrays: dict[str, NDArray[Any]] = {
            "keys": keys,
            "buckets": bucket_bounds(keys),
            "bounds": np.r_[0, np.cumsum(degrees)].astype(np.uint32),
            "targets": (pairs % size).astype(np.uint32),
            "codes": codes,
            "longest": np.array([self._longest], dtype=np.uint32),
        }
        return Packed(arrays, provenance)


def _likeliest(
    pairs: NDArray[np.uint64], codes: NDArray[np.uint8]
) -> tuple[NDArray[np.uint64], NDArray[np.uint8]]:
    """The pairs in order, each once, with its highest probability (its least code)."""
    order = np.argsort(pairs)
    pairs, codes = pairs[order], codes[order]
    first = np.flatnonzero(np.r_[True, pairs[1:] != pairs[:-1]][: len(pairs)])
    if len(first):
        codes = np.minimum.reduceat(codes, first)
    return pairs[first], codes


def pack(
    phrases: Sequence[str],
    paraphrases: Sequence[str],
    probabilities: ArrayLike | None = None,
) -> Packed:
    """Pack pairs of phrases with p(paraphrase|phrase), 1 if none are given.

    >>> pack(["a car"], ["an  Auto"]).provenance["pairs"]
    1
    """
    packer = Packer()
    packer.add(
        phrases, paraphrases, np.ones(len(phrases)) if probabilities is None else probabilities
    )
    return packer.packed()
