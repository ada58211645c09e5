"""A transformer encoder in a model file: 8-bit weights, run by the kernel in native/core/encoder.

One file holds a vocabulary, one table of embeddings and one or more named stacks of layers that
share them. A stack pools its states into a vector (the mean or the first state), or has a head that
compares two texts. `otherwords.build.encoders` packs such files. The same file and text give the
same bytes on every machine, with any number of threads and in any batch.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.io.arguments import check_whole
from otherwords.models.container import Model, find, open_once, read

KIND = "transformer"
POOLINGS = ("mean", "first", "pair")  # in the order of native/core/encoder/transformer.hpp


class Pieces(NamedTuple):
    """The word pieces of a text and the characters that each covers."""

    names: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


class Comparison(NamedTuple):
    """The head's outputs for each pair, and the number of word pieces cut off."""

    outputs: NDArray[np.float32]
    left_out: NDArray[np.int64]


class Encoder:
    """One stack of an encoder model.

    Parameters
    ----------
    model
        An opened model file of the kind `transformer`.
    stack
        The name of the stack (default: the first).
    instructions
        `plain`, `avx2` or `avx512` (default: the fastest available). Results do not depend on it.
    """

    def __init__(
        self, model: Model, stack: str | None = None, *, instructions: str | None = None
    ) -> None:
        stacks = model.sections("stacks")
        if stack is None and stacks:
            stack = stacks[0]
        if stack not in stacks:
            known = ", ".join(stacks) or "none"
            raise ModelError(f"{model.path}: there is no stack '{stack}'; it has {known}")
        self.digest = model.short_digest
        self.stack = stack
        try:
            self._native = _native.TextEncoder(dict(model.arrays), stack, instructions or "")
        except (ValueError, TypeError, RuntimeError) as error:
            if "instructions" in str(error):
                raise UsageError(str(error)) from error
            raise ModelError(f"{model.path}: the encoder model is damaged: {error}") from error

    @classmethod
    def load(cls, path: Path | str, stack: str | None = None) -> Encoder:
        """Load a stack of a model file; opened once per process, and again if the file changes."""
        file = find(path)
        return open_once((cls, file, stack), [file], lambda: cls(read(file, KIND), stack))

    @property
    def width(self) -> int:
        return self._native.width

    @property
    def instructions(self) -> str:
        """The instructions in use: `plain`, `avx2` or `avx512`."""
        return self._native.instructions

    def pieces(self, text: str) -> Pieces:
        """The word pieces of a text."""
        names, begins, ends = self._native.pieces(_check([text])[0])
        return Pieces(tuple(names), tuple(zip(begins.tolist(), ends.tolist(), strict=True)))

    def encode(self, texts: Sequence[str], *, threads: int = 1) -> NDArray[np.float32]:
        """One vector per text; zeros for a text without word pieces.

        A text longer than the encoder's limit is read in windows that overlap by a quarter; its
        vector is the mean of theirs.
        """
        flat = self._native.encode(_check(texts), check_whole("threads", threads, 1, 4096))
        return flat.reshape(len(texts), self._native.outputs)

    def states(
        self, texts: Sequence[str], *, ends: bool = False, threads: int = 1
    ) -> list[NDArray[np.float32]]:
        """The last layer's states of each text, one row per word piece.

        Parameters
        ----------
        texts
            Any number of texts of any length.
        ends
            Add the states of [CLS] and [SEP] as first and last row.
        threads
            How many threads share the work.
        """
        flat, bounds = self._native.states(
            _check(texts), ends, check_whole("threads", threads, 1, 4096)
        )
        rows = flat.reshape(-1, self.width)
        return [rows[a:b] for a, b in pairwise(bounds.tolist())]

    def compare(
        self,
        texts: Sequence[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        *,
        threads: int = 1,
    ) -> Comparison:
        """The head's outputs for the pairs (texts[left], texts[right]).

        Parameters
        ----------
        texts
            The texts, each split into word pieces once.
        left, right
            Places in `texts`, one of each per pair.
        threads
            How many threads share the work.
        """
        flat, left_out = self._native.compare(
            _check(texts), left, right, check_whole("threads", threads, 1, 4096)
        )
        return Comparison(flat.reshape(len(left), self._native.outputs), left_out)


def _check(texts: Sequence[str]) -> list[str]:
    if isinstance(texts, str):
        raise UsageError("texts must be a list of texts, not a single text")
    for number, text in enumerate(texts, 1):
        if not isinstance(text, str):
            raise UsageError(f"text {number} must be text, not {type(text).__name__}")
        if not text.isascii():
            try:
                text.encode()
            except UnicodeEncodeError as error:
                place = error.start + 1
                message = f"text {number} has half of a surrogate pair at character {place}"
                raise InputError(message) from error
    return list(texts)
