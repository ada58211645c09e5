"""Vectors of words, learnt from their neighbours and from their translations.

A vector is stored as half a byte per dimension. docs/decisions/vectors.md describes how
they are trained, docs/results/vectors.md how well they work.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError
from otherwords.models.container import Arrays, Loadable, Model

_LEVELS = 16  # values of half a byte
_WIDEST = 1e6  # step between levels
_REACH = 2.5  # standard deviations that the levels span on either side
_COUNT_STEPS = 8  # codes per doubling of the count
_MIX = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)

Array = NDArray[np.float32]


class Vectors(Loadable):
    """Unit vectors of Porter stems, and how rare each is; the embedded ones unless a path is given.

    A word without a vector gets random signs determined by its hash: it equals itself and is nearly
    orthogonal to all other words.

    >>> vectors = Vectors.load()
    >>> car, auto, tree = vectors.lookup(["car", "automobil", "tree"])
    >>> bool(car @ auto > 0.5 > car @ tree)
    True
    >>> "qwertzu" in vectors, bool(abs(vectors.lookup(["qwertzu"])[0] @ car) < 0.5)
    (False, True)
    """

    kind = "vectors"

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        try:
            _check(model.arrays)
        except (KeyError, ValueError) as error:
            raise ModelError(f"{model.path}: this is not a model of vectors: {error}") from error
        self._keys = model.arrays["keys"]
        self._codes = model.arrays["codes"]
        self._steps = model.arrays["steps"]
        self._counts = model.arrays["counts"]
        self._total = float(model.arrays["total"][0])

    @property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of the model, for native kernels."""
        return dict(self.model.arrays)

    @property
    def dimensions(self) -> int:
        return len(self._steps)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, stem: str) -> bool:
        return bool(self.knows([stem])[0])

    def lookup(self, stems: Sequence[str]) -> Array:
        """The unit vectors of the stems, one row each."""
        hashes = _hashes(stems)
        place, known = self._find(hashes)
        rows = _random_signs(hashes, self.dimensions)
        rows[known] = _unpack(self._codes[place[known]], self._steps)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: Array = rows / np.maximum(lengths, np.float32(1e-12))
        return unit

    def knows(self, stems: Sequence[str]) -> NDArray[np.bool_]:
        """Whether each stem has its own vector."""
        return self._find(_hashes(stems))[1]

    def information(self, stems: Sequence[str]) -> NDArray[np.float64]:
        """The information of each stem: -log of its probability in the training text.

        An unknown stem counts as if it had been seen once.
        """
        place, known = self._find(_hashes(stems))
        counts = np.ones(len(known))
        counts[known] = 2.0 ** (self._counts[place[known]] / _COUNT_STEPS)
        return np.log(self._total / counts)

    def _find(self, hashes: NDArray[np.uint64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        wanted = (hashes >> np.uint64(32)).astype(np.uint32)
        place = np.minimum(np.searchsorted(self._keys, wanted), len(self._keys) - 1)
        return place, self._keys[place] == wanted


def pack(
    stems: Sequence[str], vectors: NDArray[np.floating[Any]], counts: NDArray[np.int64], total: int
) -> dict[str, NDArray[Any]]:
    """Pack vectors into a model's arrays. Of stems whose hashes share their upper 32 bits, only
    the first is kept.

    >>> pack(["a", "b"], np.eye(2), np.array([8, 1]), 9)["codes"].shape
    (2, 1)
    """
    _, first = np.unique(_hashes(stems) >> np.uint64(32), return_index=True)
    rows = np.asarray(vectors, np.float64)[first]
    if rows.shape[1] % 2:
        raise ValueError("an even number of dimensions is needed")
    steps = np.maximum(rows.std(axis=0) * _REACH / (_LEVELS / 2), 1e-6).astype(np.float32)
    codes = np.clip(np.floor(rows / steps) + _LEVELS / 2, 0, _LEVELS - 1).astype(np.uint8)
    return {
        "keys": (_hashes(stems)[first] >> np.uint64(32)).astype(np.uint32),
        "codes": codes[:, ::2] * np.uint8(_LEVELS) + codes[:, 1::2],
        "steps": steps,
        "counts": np.rint(_COUNT_STEPS * np.log2(counts[first])).clip(0, 255).astype(np.uint8),
        "total": np.array([total], np.uint64),
    }


def _unpack(codes: NDArray[np.uint8], steps: Array) -> Array:
    levels = np.stack([codes // _LEVELS, codes % _LEVELS], axis=2).reshape(len(codes), len(steps))
    return (levels.astype(np.float32) - np.float32(_LEVELS / 2 - 0.5)) * steps


def _random_signs(hashes: NDArray[np.uint64], dimensions: int) -> Array:
    """-1 or 1 by the top bit of SplitMix64 (Steele, Lea & Flood 2014), seeded with the hash."""
    state = hashes[:, None] + _GOLDEN * np.arange(1, dimensions + 1, dtype=np.uint64)
    state = (state ^ (state >> np.uint64(30))) * _MIX[0]
    state = (state ^ (state >> np.uint64(27))) * _MIX[1]
    return np.where(state >> np.uint64(63), np.float32(1), np.float32(-1))


def _hashes(stems: Sequence[str]) -> NDArray[np.uint64]:
    try:
        hashes: NDArray[np.uint64] = _native.hash_words(list(stems))
    except UnicodeEncodeError as error:
        raise InputError("a lone surrogate in a word") from error
    return hashes


def _check(arrays: Arrays) -> None:
    types = {"keys": "<u4", "codes": "|u1", "steps": "<f4", "counts": "|u1", "total": "<u8"}
    for name, dtype in types.items():
        if arrays[name].dtype.str != dtype:
            raise ValueError(f"'{name}' has the type {arrays[name].dtype}")
    keys, codes, steps = arrays["keys"], arrays["codes"], arrays["steps"]
    if not len(keys) or keys.ndim != 1 or np.any(keys[1:] <= keys[:-1]):
        raise ValueError("the keys do not ascend")
    if codes.shape != (len(keys), len(steps) // 2) or steps.shape != (2 * codes.shape[1],):
        raise ValueError("the vectors do not fit the keys")
    if not ((steps > 0) & (steps <= _WIDEST)).all():
        raise ValueError("a step is out of range")
    if arrays["counts"].shape != keys.shape or arrays["total"].shape != (1,):
        raise ValueError("the counts do not fit the keys")
    if arrays["total"][0] < 1:
        raise ValueError("the total is 0")
