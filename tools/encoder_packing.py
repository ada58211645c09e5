"""The arrays of a static encoder's model file (`docs/decisions/vectors.md` lists them)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import ModelError
from otherwords.models.arrays import hash_words

__all__ = ["Characters", "pack", "quantised"]

LEVELS = 16  # of four bits
WEIGHT_STEPS = 16  # per doubling
WEIGHT_SHIFT = 8  # the lowest weight is 2^-8
RARITY_STEPS = 16  # per nat

REMOVED, BLANK, PUNCTUATION, CHINESE = 1, 2, 4, 8  # as native/core/encoders/wordpiece.hpp has them

Matrix = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Characters:
    """What the tokenizer knows of characters.

    `classes` are bits by character (`REMOVED`, ...); `folds` what a character becomes, where that
    is not itself. ASCII letters and Hangul syllables need no fold.
    """

    classes: NDArray[np.uint8]
    folds: Mapping[int, str]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """As a model file holds them.

        >>> classes = np.zeros(0x110000, np.uint8)
        >>> classes[0x20] = BLANK
        >>> found = Characters(classes, {0xE9: "e"}).arrays()
        >>> found["characters/starts"].tolist(), found["characters/classes"].tolist()
        ([0, 32, 33], [0, 2, 0])
        """
        starts = np.flatnonzero(np.diff(self.classes, prepend=255))
        keys = sorted(self.folds)
        lengths = [len(self.folds[key]) for key in keys]
        values = [ord(c) for key in keys for c in self.folds[key]]
        return {
            "characters/starts": starts.astype(np.uint32),
            "characters/classes": self.classes[starts],
            "characters/fold_keys": np.array(keys, np.uint32),
            "characters/fold_bounds": np.cumsum([0, *lengths]).astype(np.uint16),
            "characters/fold_values": np.array(values, np.uint32),
        }


def pack(
    pieces: Sequence[str],
    vectors: Matrix,
    weights: NDArray[np.floating[Any]],
    rarity: NDArray[np.floating[Any]],
    others: Sequence[str],
    characters: Characters,
) -> dict[str, NDArray[Any]]:
    """The arrays of a model: `pieces` have vectors, `others` are known by name only.

    A piece's weight in a sentence is `weights` times the length of its vector.

    >>> classes = np.zeros(0x110000, np.uint8)
    >>> arrays = pack(["b", "a"], np.eye(2, 32), np.ones(2), np.ones(2), ["c"],
    ...               Characters(classes, {}))
    >>> arrays["codes"].shape, arrays["pieces/listed"].shape
    ((2, 16), (2,))
    """
    hashes = hash_words([*pieces, *others])
    if len(np.unique(hashes)) != len(hashes):
        raise ModelError("a word piece is listed twice")
    listed, unlisted = hashes[: len(pieces)], np.sort(hashes[len(pieces) :])
    order = np.argsort(listed)
    lengths = np.linalg.norm(vectors, axis=1)
    unit = vectors[order] / np.maximum(lengths[order], 1e-12)[:, None]
    codes, steps = quantised(unit)
    pooled = (weights * lengths)[order]
    pooled = pooled / np.median(pooled)
    logs = WEIGHT_STEPS * (np.log2(np.maximum(pooled, 1e-9)) + WEIGHT_SHIFT)
    half = unit.shape[1] // 2
    return {
        "pieces/listed": listed[order],
        "pieces/unlisted": unlisted,
        "pieces/longest": np.array([max(len(p.encode()) for p in [*pieces, *others])], np.uint32),
        "codes": codes[:, :half] | codes[:, half:] << 4,
        "steps": steps,
        "weights": np.rint(logs).clip(0, 255).astype(np.uint8),
        "rarity": np.rint(RARITY_STEPS * rarity[order]).clip(0, 255).astype(np.uint8),
        "other_weight": np.ones(1, np.float32),
        **characters.arrays(),
    }


def quantised(
    vectors: Matrix, levels: int = LEVELS, rounds: int = 3
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Levels of each number and the step of each dimension that loses least.

    Level l stands for (l - (levels - 1) / 2) step.

    >>> codes, steps = quantised(np.array([[-1.0], [1.0]]))
    >>> ((codes - 7.5) * steps).round(2).tolist()
    [[-1.0], [1.0]]
    """
    middle = (levels - 1) / 2
    steps = np.maximum(vectors.std(axis=0) * 5.5 / levels, 1e-6)
    for _ in range(rounds):  # the best step for these levels, the best levels for that step
        codes = np.clip(np.rint(vectors / steps + middle), 0, levels - 1)
        centred = codes - middle
        steps = np.maximum((centred * vectors).sum(axis=0) / (centred**2).sum(axis=0), 1e-6)
    steps = steps.astype(np.float32)
    codes = np.clip(np.rint(vectors / steps + middle), 0, levels - 1)
    return codes.astype(np.uint8), steps
