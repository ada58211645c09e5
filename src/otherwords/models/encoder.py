"""A transformer encoder in a model file: 8-bit weights, run by the kernel in native/core/encoder.

One file holds a vocabulary, one table of embeddings and one or more named stacks of layers that
share them. A stack pools its states into a vector (the mean or the first state), or has a head that
compares two texts. `otherwords.build.encoders` packs such files; one is embedded. The same file and
text give the same bytes on every machine, with any number of threads and in any batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.io.arguments import check_whole
from otherwords.models.container import Model, find, open_once, read

KIND = "transformer"
EMBEDDED = "encoder"
RARITY_STEPS = 16  # per nat, in a file
POOLINGS = ("mean", "first", "pair")  # in the order of native/core/encoder/transformer.hpp


class Pieces(NamedTuple):
    """The word pieces of a text and the characters that each covers."""

    names: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]


class Comparison(NamedTuple):
    """The head's outputs for each pair, and the number of word pieces cut off."""

    outputs: NDArray[np.float32]
    left_out: NDArray[np.int64]


class Matches(NamedTuple):
    """Greedy matching of each pair: one row per pair for the left text and for the right one.

    The columns are `SUMMARIES`, about the cosines of a text's pieces with their best partners:
    the mean by weight, the plain mean, the mean of the lowest quarter, the least, and the share
    below one half.
    """

    left: NDArray[np.float64]
    right: NDArray[np.float64]
    cosines: NDArray[np.float64]  # between the texts' vectors


class Links(NamedTuple):
    """Partners of the word pieces of two texts, and the cosines with them; 0 without a partner."""

    left_partners: NDArray[np.uint32]
    left_cosines: NDArray[np.float32]
    right_partners: NDArray[np.uint32]
    right_cosines: NDArray[np.float32]


SUMMARIES = ("weighted", "mean", "lowest", "least", "lost")  # the columns of `Matches`


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
    layers
        Use only so many layers from below (default: all).
    """

    def __init__(
        self,
        model: Model,
        stack: str | None = None,
        *,
        instructions: str | None = None,
        layers: int | None = None,
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
            arrays = _cut(model.arrays, stack, layers)
            self._native = _native.TextEncoder(arrays, stack, instructions or "")
        except (ValueError, TypeError, RuntimeError) as error:
            if "instructions" in str(error):
                raise UsageError(str(error)) from error
            raise ModelError(f"{model.path}: the encoder model is damaged: {error}") from error
        self.rarity = self._read_rarity(model)

    @classmethod
    def load(
        cls,
        path: Path | str | None = None,
        stack: str | None = None,
        *,
        layers: int | None = None,
    ) -> Encoder:
        """Load a stack of a model file (default: the embedded one); opened once per process, and
        again if the file changes.

        >>> encoder = Encoder.load()
        >>> texts = ["He bought a car.", "He purchased an automobile.", "The soup was cold."]
        >>> similar, other = encoder.cosines(texts, np.array([0, 0]), np.array([1, 2]))
        >>> bool(similar > 0.7 > 0.3 > other)
        True
        """
        file = find(EMBEDDED if path is None else path)
        if file.is_dir():
            command = "otherwords model encoder FOLDER -o FILE"
            raise ModelError(f"{file}: this is a folder; pack its encoder into a file: {command}")

        def make() -> Encoder:  # the stacks of a file share one map of it
            model = open_once((Model, file), [file], lambda: read(file, KIND))
            return cls(model, stack, layers=layers)

        return open_once((cls, file, stack, layers), [file], make)

    @staticmethod
    def _read_rarity(model: Model) -> NDArray[np.float32] | None:
        """The weights of the word pieces by their frequency in English, if the file has them."""
        steps = model.arrays.get("pieces/rarity")
        if steps is None:
            return None
        if steps.dtype != np.uint8 or steps.shape != model.arrays["pieces/listed"].shape:
            raise ModelError(f"{model.path}: the encoder model is damaged: weights do not fit")
        return steps.astype(np.float32) / np.float32(RARITY_STEPS)

    @property
    def width(self) -> int:
        return self._native.width

    @property
    def instructions(self) -> str:
        """The instructions in use: `plain`, `avx2` or `avx512`."""
        return self._native.instructions

    def pieces(self, text: str) -> Pieces:
        """The word pieces of a text."""
        names, begins, ends = self._native.pieces(check_texts([text])[0])
        return Pieces(tuple(names), tuple(zip(begins.tolist(), ends.tolist(), strict=True)))

    def encode(self, texts: Sequence[str], *, threads: int = 1) -> NDArray[np.float32]:
        """One vector per text; zeros for a text without word pieces.

        A text longer than the encoder's limit is read in windows that overlap by a quarter; its
        vector is the mean of theirs.
        """
        flat = self._native.encode(check_texts(texts), check_whole("threads", threads, 1, 4096))
        return flat.reshape(len(texts), self._native.outputs)

    def states(
        self, texts: Sequence[str], *, ends: bool = False, threads: int = 1
    ) -> list[NDArray[np.float32]]:
        """The last layer's states of each text, one row per word piece.

        With `ends`, the states of [CLS] and [SEP] are the first and the last row.
        """
        flat, bounds = self._native.states(
            check_texts(texts), ends, check_whole("threads", threads, 1, 4096)
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
        """The head's outputs for the pairs (texts[left], texts[right])."""
        flat, left_out = self._native.compare(
            check_texts(texts), left, right, check_whole("threads", threads, 1, 4096)
        )
        return Comparison(flat.reshape(len(left), self._native.outputs), left_out)

    def cosines(
        self,
        texts: Sequence[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        *,
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """The cosine of the vectors of each pair (texts[left], texts[right]).

        It is 1 for two texts without word pieces, and 0 for one such text.
        """
        return self._native.cosines(
            check_texts(texts), left, right, check_whole("threads", threads, 1, 4096)
        )

    def match(
        self,
        texts: Sequence[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        *,
        weights: NDArray[np.float32] | None = None,
        threads: int = 1,
    ) -> Matches:
        """Match the word pieces of each pair (texts[left], texts[right]) greedily by their states.

        As in BERTScore (Zhang et al. 2020, §3), each piece takes the partner of highest cosine.
        [CLS] and [SEP] may be partners and do not count themselves. The pieces of two empty texts
        match fully, those of one empty text not at all. `weights` are those of the word pieces, in
        the order of `count` (default: all the same).
        """
        by_row = np.zeros(0, np.float32) if weights is None else weights
        flat = self._native.match(
            check_texts(texts), left, right, by_row, check_whole("threads", threads, 1, 4096)
        )
        rows, middle = flat.reshape(len(left), 1 + 2 * len(SUMMARIES)), 1 + len(SUMMARIES)
        return Matches(rows[:, 1:middle], rows[:, middle:], rows[:, 0])

    def links(self, one: str, other: str) -> Links:
        """The best partner of each word piece of two texts among the pieces of the other."""
        return Links(*self._native.links(*check_texts([one, other])))

    def count(self, texts: Sequence[str], *, threads: int = 1) -> NDArray[np.uint32]:
        """How many of the texts have each word piece of the vocabulary."""
        return self._native.count(check_texts(texts), check_whole("threads", threads, 1, 4096))


def _cut(
    arrays: Mapping[str, NDArray[Any]], stack: str, layers: int | None
) -> dict[str, NDArray[Any]]:
    """The arrays of an encoder whose stack has only the lowest layers."""
    name = f"stacks/{stack}/settings"
    settings = arrays[name].copy() if name in arrays else np.zeros(0, np.uint32)
    if layers is not None and len(settings):
        settings[0] = min(settings[0], layers)
    return {**arrays, name: settings}


def check_texts(texts: Sequence[str]) -> list[str]:
    """Refuse what is no list of texts that UTF-8 can hold."""
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
