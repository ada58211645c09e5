"""An encoder whose vectors are looked up: one per word piece, distilled from a sentence encoder.

Splitting text into word pieces, lookup, pooling and matching are native (native/core/encoders).
`docs/decisions/vectors.md` describes how the vectors are made and what they are good for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError, UsageError
from otherwords.models.container import Loadable, Model
from otherwords.models.seen import Seen, Teacher

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


class StaticEncoder(Loadable):
    """Unit vectors of word pieces and sentences; the embedded model unless a path is given.

    A sentence's vector is the weighted sum of its pieces' vectors. Case and accents are folded. A
    piece without a vector gets random signs determined by its hash: it equals itself and is nearly
    orthogonal to all other pieces.

    >>> encoder = StaticEncoder.load()
    >>> one, other, third = encoder.sentence_vectors(
    ...     ["He purchased an automobile.", "He bought a car.", "The soup was cold."])
    >>> bool(one @ other > 0.6 > 0.3 > one @ third)
    True
    >>> encoder.tokens(["Unwieldily naïve"])[0].pieces
    ('un', '##wi', '##eld', '##ily', 'naive')
    """

    kind = "encoder"

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        try:
            self.seen = Seen.of_arrays(model.arrays)
            self.teacher = Teacher.of_provenance(model.provenance)
            flat = {
                name: array.reshape(-1)
                for name, array in model.arrays.items()
                if not name.startswith("seen/")
            }
            self.native = _native.StaticTable(flat)
        except ValueError as error:
            raise ModelError(f"{model.path}: this is not an encoder: {error}") from error

    @property
    def signature(self) -> str:
        return f"static-{self.model.short_digest}"

    @property
    def dimensions(self) -> int:
        return self.native.dimensions

    def tokens(self, texts: Sequence[str]) -> list[Tokens]:
        """The word pieces of each text.

        >>> StaticEncoder.load().tokens(["Rain again?"])[0].spans
        ((0, 4), (5, 10), (10, 11))
        """
        return [self._tokens(text) for text in check_texts(texts)]

    def sentence_vectors(self, texts: Sequence[str], *, threads: int = 1) -> Array:
        """One unit vector per text; zeros for a text without a piece."""
        flat: Array = self.native.sentence_vectors(check_texts(texts), threads)
        return flat.reshape(-1, self.dimensions)

    def token_vectors(
        self, texts: Sequence[str], *, mix: float = 0.0, threads: int = 1
    ) -> list[Array]:
        """For each text one unit vector per piece, with `mix` times each neighbour's added."""
        flat, bounds = self.native.token_vectors(check_texts(texts), mix, threads)
        rows = flat.reshape(-1, self.dimensions)
        return [rows[a:b] for a, b in pairwise(bounds.tolist())]

    def cosines(
        self,
        texts: Sequence[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        *,
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """The cosine of the vectors of each pair (texts[left], texts[right]).

        The same vectors have exactly 1; of two texts one of which has no piece it is 0.
        """
        return self.native.cosines(check_texts(texts), left, right, threads)

    def match(
        self,
        texts: Sequence[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        *,
        mix: float = 0.0,
        weighted: bool = False,
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """Precision and recall of greedy matching for the pairs (texts[left], texts[right]).

        Every piece takes the partner of highest cosine; negative cosines count 0. `weighted` weighs
        pieces by their rarity. Two texts without a piece match fully, one alone not at all.

        >>> pairs = np.array([0]), np.array([1])
        >>> StaticEncoder.load().match(["a b", "a b a b"], *pairs, mix=0, weighted=False).tolist()
        [[1.0, 1.0]]
        """
        flat: NDArray[np.float64] = self.native.match(
            check_texts(texts), left, right, mix, weighted, threads
        )
        return flat.reshape(-1, 2)

    def soft_features(
        self,
        texts: Sequence[str],
        left: NDArray[np.int64],
        right: NDArray[np.int64],
        *,
        mixes: Sequence[float],
        threads: int = 1,
    ) -> NDArray[np.float64]:
        """Summaries of greedy matching for the pairs (texts[left], texts[right]).

        For each mix (what is added of either neighbour) and for left, then right, nine numbers of
        the cosines of all pieces with their best partners: the mean weighted by rarity (signs
        count little), the plain mean, the mean of the lowest quarter, the least, the means over
        frequent pieces, rare ones and signs, the share of weight below one half, and the
        logarithm of 1 + what is missing to 1 in all. The cosine of the texts' vectors is last.
        """
        flat: NDArray[np.float64] = self.native.soft_features(
            check_texts(texts), left, right, list(mixes), threads
        )
        return flat.reshape(len(left), -1)

    def links(self, one: str, other: str, *, mix: float) -> tuple[NDArray[Any], ...]:
        """For the pieces of both texts the number of the best partner and its cosine.

        Partners and cosines of `one`, then those of `other`.
        """
        check_texts([one, other])
        found: tuple[NDArray[Any], ...] = self.native.links(one, other, mix)
        return found

    def _tokens(self, text: str) -> Tokens:
        pieces, begins, ends, rows, weights, rarity = self.native.pieces(text)
        return Tokens(
            tuple(pieces),
            tuple(zip(begins.tolist(), ends.tolist(), strict=True)),
            tuple(rarity.tolist()),
            tuple(weights.tolist()),
            tuple((rows >= 0).tolist()),
        )
