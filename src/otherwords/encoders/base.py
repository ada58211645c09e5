"""What every encoder offers, whether its vectors are looked up or computed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "Encoder", "Tokens"]

Array = NDArray[np.float32]


@dataclass(frozen=True)
class Tokens:
    """The word pieces of a text.

    `spans` are character offsets in the text as it was given. `rarity` is the information of each
    piece (-log of its probability in the training text, in nats), which matching weighs by.
    `weights` are those of the pieces in the sentence's vector. `known` says which pieces have a
    vector of their own.
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
