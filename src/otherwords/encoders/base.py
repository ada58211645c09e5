"""What every encoder offers, whether its vectors are looked up or computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import InputError, UsageError

__all__ = ["Array", "Encoder", "Tokens", "check_texts"]

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Tokens:
    """The word pieces of a text.

    `spans` are character offsets in the text as it was given. `rarity` is the information of each
    piece (-log of its probability in the training text, in nats), which matching weighs by.
    `weights` are those of the pieces in the sentence's vector. `known` says which pieces have their
    own vectors.
    """

    pieces: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    rarity: tuple[float, ...]
    weights: tuple[float, ...]
    known: tuple[bool, ...]


class Encoder(Protocol):
    """Texts in, vectors out. The same signature means the same vectors."""

    @property
    def signature(self) -> str:
        """Name and digest of the model."""

    @property
    def dimensions(self) -> int:
        """Numbers per vector."""

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The pieces of each text."""

    def sentence_vectors(self, texts: Sequence[str], *, threads: int = 1) -> Array:
        """One unit vector per text; zeros for a text without a piece."""

    def token_vectors(self, texts: Sequence[str], *, threads: int = 1) -> list[Array]:
        """For each text one unit vector per piece."""


def check_texts(texts: Sequence[str]) -> list[str]:
    """The texts if all of them are text that can be encoded.

    >>> check_texts("abc")
    Traceback (most recent call last):
    ...
    otherwords.errors.UsageError: texts must be a list of texts, not a single text
    """
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
