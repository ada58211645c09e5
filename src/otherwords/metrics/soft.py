"""Soft matching: words are compared by their vectors, each with its best partner.

As BERTScore (Zhang et al. 2020) does it with the vectors of a neural model; ours are static, and
a little of its neighbours is mixed into each so that order and context count. The columns are
features for learned metrics. `docs/vectors.md` has the decisions and what they are worth.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import InputError
from otherwords.metrics.reading import Pool, Reading, read
from otherwords.text.sentence import Text
from otherwords.text.stemmer import stem
from otherwords.text.vectors import Vectors

__all__ = ["FEATURES", "soft_features"]

MIXES = (0.0, 0.5)  # how much of either neighbour is added to a word's vector
SIGN_WEIGHT = 0.3  # of punctuation, as a share of a word's usual weight
USUAL = 9.0  # information of a usual word, in nats
FREQUENT = 6.0  # a word that tells less is a function word
BLOCK = 1000  # pairs whose vectors are in memory at once
_AT_ONCE = 1024  # words of a long hypothesis whose cosines are in memory at once
_SUMMARIES = ("weighted", "mean", "square", "lowest", "function", "content", "signs", "unknown")
FEATURES = (
    *(f"soft{mix:g}-{side}-{what}" for mix in MIXES for side in "pr" for what in _SUMMARIES),
    *(f"soft{mix:g}-f" for mix in MIXES),
    "soft-cosine",
)

Array = NDArray[np.float64]
Array32 = NDArray[np.float32]
Bounds = NDArray[np.int64]
Real = TypeVar("Real", np.float32, np.float64)


def soft_features(
    hypotheses: Sequence[Text], references: Sequence[Text], vectors: Vectors | None = None
) -> Array:
    """A row a pair, columns as `FEATURES` names them; a copy of the reference has 1 throughout.

    Precision (`p`) looks at the words of the hypothesis, recall (`r`) at those of the reference:
    the cosine of each with its best partner. Of these cosines: the mean weighted by information,
    the plain mean, the root of the mean square, the mean of the lowest quarter, the means over
    function words, content words and signs (1 if there are none), and 1 less the share that is
    lost at words without a vector. Then F1 of the weighted means, and the cosine of the texts'
    weighted mean vectors. If one text has no word all is 0; if both have none all is 1.

    >>> same, near, far = soft_features(
    ...     ["a new car", "a new automobile", "a green tree"], ["a new car"] * 3)
    >>> same.round(6).tolist() == [1.0] * len(FEATURES)
    True
    >>> bool((near >= far).all())
    True
    """
    if len(hypotheses) != len(references):
        raise InputError(f"{len(hypotheses)} hypotheses but {len(references)} references")
    known = vectors or Vectors.load()
    blocks = [
        _block(hypotheses[start : start + BLOCK], references[start : start + BLOCK], known)
        for start in range(0, len(hypotheses), BLOCK)
    ]
    return np.vstack([np.zeros((0, len(FEATURES))), *blocks])


def _block(hypotheses: Sequence[Text], references: Sequence[Text], vectors: Vectors) -> Array:
    pool, (left, right) = read([hypotheses, references], Reading())
    words = _Words.of(pool, vectors)
    lengths = np.diff(pool.bounds)
    full = (lengths[left] > 0) & (lengths[right] > 0)
    rows = np.zeros((len(left), len(FEATURES)))
    rows[(lengths[left] == 0) & (lengths[right] == 0)] = 1.0
    if full.any():
        rows[full] = _features(words, pool, left[full], right[full])
    return rows


class _Words(NamedTuple):
    """What is known of each of a pool's words."""

    vectors: Array32
    weights: Array
    is_word: NDArray[np.bool_]
    is_function: NDArray[np.bool_]
    is_unknown: NDArray[np.bool_]

    @classmethod
    def of(cls, pool: Pool, vectors: Vectors) -> _Words:
        stems = stem(pool.words)
        information = vectors.information(stems)
        is_word = np.array([any(c.isalnum() for c in word) for word in pool.words], bool)
        return cls(
            vectors.lookup(stems),
            np.where(is_word, information, SIGN_WEIGHT * USUAL),
            is_word,
            is_word & (information < FREQUENT),
            ~vectors.knows(stems),
        )


def _features(words: _Words, pool: Pool, left: Bounds, right: Bounds) -> Array:
    plain = words.vectors[pool.tokens]
    both = [_Side(pool, texts, words) for texts in (left, right)]
    columns: list[Array] = []
    f1 = []
    for mix in MIXES:
        best = _best_partners(_mixed(plain, pool.bounds, mix), pool.bounds, left, right)
        sides = [side.summaries(cosines) for side, cosines in zip(both, best, strict=True)]
        columns += [column for side in sides for column in side]
        precision, recall = sides[0][0], sides[1][0]
        f1.append(2 * precision * recall / np.maximum(precision + recall, 1e-12))
    means = _unit(_sums(plain * words.weights[pool.tokens][:, None], pool.bounds))
    cosine = np.einsum("ij,ij->i", means[left], means[right]).clip(-1, 1)
    return np.column_stack([*columns, *f1, cosine])


def _best_partners(
    vectors: Array32, bounds: Bounds, left: Bounds, right: Bounds
) -> tuple[Array, Array]:
    """For all words of the pairs, one after the other: the cosine with the best partner."""
    ends = bounds.tolist()
    of_left, of_right = [], []
    for a, b in zip(left.tolist(), right.tolist(), strict=True):
        theirs = vectors[ends[b] : ends[b + 1]]
        best = np.full(len(theirs), -1, dtype=np.float32)
        for start in range(ends[a], ends[a + 1], _AT_ONCE):
            mine = vectors[start : min(start + _AT_ONCE, ends[a + 1])]
            # No matrix product: for texts so short its threads cost more than they spare.
            cosines = np.einsum("id,jd->ij", mine, theirs)
            of_left.append(cosines.max(axis=1))
            np.maximum(best, cosines.max(axis=0), out=best)
        of_right.append(best)
    return (
        np.concatenate(of_left).clip(0, 1).astype(np.float64),
        np.concatenate(of_right).clip(0, 1).astype(np.float64),
    )


class _Side:
    """The words of one side of the pairs, text after text, and what each of them counts."""

    def __init__(self, pool: Pool, texts: Bounds, words: _Words) -> None:
        self.lengths = np.diff(pool.bounds)[texts]
        tokens = _tokens(pool, texts)
        self.starts = np.cumsum(self.lengths) - self.lengths
        self._text = np.repeat(np.arange(len(self.lengths)), self.lengths)
        rank = np.arange(len(tokens)) - np.repeat(self.starts, self.lengths)
        weights, is_word = words.weights[tokens], words.is_word[tokens]
        is_function = words.is_function[tokens]
        self._unknown = words.is_unknown[tokens]
        self._counted = np.stack(
            [
                weights,
                np.ones(len(tokens)),
                weights,
                rank < np.repeat(np.maximum(self.lengths // 4, 1), self.lengths),
                is_function,
                is_word & ~is_function,
                ~is_word,
            ]
        )
        self._sizes = np.add.reduceat(self._counted, self.starts, axis=1)

    def summaries(self, cosines: Array) -> list[Array]:
        """The columns of the side, in the order of `_SUMMARIES`."""
        ranked = cosines[np.lexsort((cosines, self._text))]  # ascending within each text
        values = np.stack([cosines, cosines, cosines**2, ranked, cosines, cosines, cosines])
        above = np.add.reduceat(values * self._counted, self.starts, axis=1)
        means = np.divide(above, self._sizes, out=np.ones(above.shape), where=self._sizes > 0)
        weighted, mean, square, *others = means
        lost = np.add.reduceat((1 - cosines) * self._unknown, self.starts)
        return [weighted, mean, np.sqrt(square), *others, 1 - lost / self.lengths]


def _tokens(pool: Pool, texts: Bounds) -> NDArray[np.uint32]:
    """The tokens of the texts, one after the other."""
    lengths = np.diff(pool.bounds)[texts]
    shift = pool.bounds[texts] - (np.cumsum(lengths) - lengths)
    tokens: NDArray[np.uint32] = pool.tokens[np.arange(lengths.sum()) + np.repeat(shift, lengths)]
    return tokens


def _mixed(plain: Array32, bounds: Bounds, mix: float) -> Array32:
    """Each row plus `mix` times the row before and after it in its text, of length 1."""
    if mix == 0:
        return plain
    mixed = plain.copy()
    joins = np.ones(len(plain), np.float32)
    joins[bounds[:-1][bounds[:-1] < len(plain)]] = 0  # before a text's first word is none
    joins = joins[1:, None] * np.float32(mix)
    mixed[1:] += joins * plain[:-1]
    mixed[:-1] += joins * plain[1:]
    return _unit(mixed)


def _sums(rows: Array, bounds: Bounds) -> Array:
    """The sum of each text's rows."""
    sums = np.zeros((len(bounds) - 1, rows.shape[1]))
    full = np.diff(bounds) > 0
    sums[full] = np.add.reduceat(rows, bounds[:-1][full])
    return sums


def _unit(rows: NDArray[Real]) -> NDArray[Real]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[Real] = rows / np.maximum(lengths, lengths.dtype.type(1e-12))
    return unit
