"""What PEM measures of a pair of sentences: pivot F1, language model, target F1 (PEM §4).

The bags of pivot n-grams are made in native/core/metrics/pivot_bags.cpp; here texts become words
and the bags' overlaps become numbers. `docs/decisions/pem.md` gives the source of the defaults.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError
from otherwords.io.arguments import check_flag, check_number, check_whole
from otherwords.metrics.base import Array
from otherwords.metrics.reading import Pool, Reading, read
from otherwords.models.paraphrase_model import ParaphraseModel, PivotTable
from otherwords.text.sentence import Text

__all__ = ["PAPER", "Bags", "Pairs", "fluency", "pivot_f1", "pivot_overlap", "word_f1"]


MOST_WORDS = 1 << 22  # of a text: the weights of more would not fit the kernel's whole numbers


@dataclass(frozen=True)
class Bags:
    """How the bags of pivot n-grams are made (PEM §4.2, §4.3, §6.1).

    Phrases of up to `longest` words, n-grams of up to `orders` words, translations more likely than
    `edge_threshold` (or the most likely one), n-grams that weigh more than `ngram_threshold`;
    `renormalise` makes the translations of a phrase sum to 1.
    """

    longest: int = 4
    orders: int = 1
    edge_threshold: float = 0.0
    ngram_threshold: float = 0.0
    renormalise: bool = True

    def __post_init__(self) -> None:
        for name, most in (("longest", 16), ("orders", 8)):
            object.__setattr__(self, name, check_whole(name, getattr(self, name), 1, most))
        for name in ("edge_threshold", "ngram_threshold"):
            object.__setattr__(self, name, check_number(name, getattr(self, name), 0, 1))
        check_flag("renormalise", self.renormalise)

    @property
    def native(self) -> _native.BagOptions:
        """As the kernel takes them."""
        return _native.BagOptions(
            self.longest, self.orders, self.edge_threshold, self.ngram_threshold, self.renormalise
        )

    @property
    def signature(self) -> dict[str, str]:
        """Every one of them."""
        return {
            "longest": str(self.longest),
            "orders": str(self.orders),
            "edge": f"{self.edge_threshold:.12g}",
            "ngram": f"{self.ngram_threshold:.12g}",
            "renorm": "yes" if self.renormalise else "no",
        }


PAPER = Bags(orders=4, edge_threshold=0.1, ngram_threshold=0.01, renormalise=False)


class Pairs(NamedTuple):
    """Hypotheses with what each is compared with, as numbers of words; a text is read once."""

    texts: list[str]
    tokenized: bool  # texts are tokens with spaces between them
    tokens: NDArray[np.uint32]
    bounds: NDArray[np.int64]
    words: list[str]
    left: NDArray[np.int64]
    right: NDArray[np.int64]

    @property
    def same(self) -> NDArray[np.bool_]:
        """Which pairs have the same words on both sides."""
        begins, sizes = self.bounds[:-1], np.diff(self.bounds)
        found: NDArray[np.bool_] = np.equal(self.left, self.right)
        alike = sizes[self.left] == sizes[self.right] if len(sizes) else found
        for pair in np.flatnonzero(alike & ~found).tolist():
            one, other = begins[self.left[pair]], begins[self.right[pair]]
            size = sizes[self.left[pair]]
            words = self.tokens
            found[pair] = np.array_equal(words[one : one + size], words[other : other + size])
        return found

    @classmethod
    def of(cls, left: Sequence[Text], right: Sequence[Text], reading: Reading) -> Pairs:
        """Read both sides; words are the forms that bags hold."""
        return cls.of_pool(*read([left, right], reading), reading)

    @classmethod
    def of_pool(cls, pool: Pool, places: Sequence[NDArray[np.int64]], reading: Reading) -> Pairs:
        """Texts that are read already."""
        lefts, rights = places
        if len(pool.bounds) > 1 and int(np.diff(pool.bounds).max()) > MOST_WORDS:
            raise InputError(f"a text has more than {MOST_WORDS:,} words; split it")
        forms: dict[str, int] = {}
        mapped = np.array(
            [forms.setdefault(form, len(forms)) for form in reading.forms(pool.words)], np.uint32
        )
        tokens = mapped[pool.tokens] if len(pool.tokens) else pool.tokens
        return cls(pool.texts, pool.tokenized, tokens, pool.bounds, list(forms), lefts, rights)


def f1(sums: Array, same: NDArray[np.bool_]) -> Array:
    """2 |common| / (|left| + |right|) for rows of these three.

    Where both bags are empty, 1 if the sentences are the same and 0 if they are not.

    >>> rows = np.array([[1.0, 2.0, 2.0], [0.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    >>> f1(rows, np.array([False, True, False])).tolist()
    [0.5, 1.0, 0.0]
    """
    common, total = sums[..., 0], sums[..., 1] + sums[..., 2]
    found = np.empty(common.shape)
    found[...] = same.reshape(same.shape + (1,) * (common.ndim - 1))
    return np.divide(2 * common, total, out=found, where=total > 0)


def pivot_overlap(
    pairs: Pairs, tables: Mapping[str, PivotTable], bags: Bags, threads: int
) -> tuple[Array, Array]:
    """What the bags of each pair have in common: [pairs, languages, orders, (common, left, right)],
    and which languages count: [pairs, languages].

    A language whose table knows no phrase of either sentence says nothing of them and does not
    count, unless none of the languages does.
    """
    overlaps, known = [], []
    options = bags.native
    for table in tables.values():
        sums, found = _native.pivot_overlap(
            table.native,
            float(table.total),
            options,
            pairs.tokens,
            pairs.bounds,
            pairs.words,
            pairs.left,
            pairs.right,
            threads,
        )
        overlaps.append(sums.reshape(-1, bags.orders, 3))
        known.append(found.astype(bool))
    counts = np.stack(known, axis=1)
    counts |= ~counts.any(axis=1, keepdims=True)
    return np.stack(overlaps, axis=1), counts.astype(np.float64)


def pivot_f1(
    pairs: Pairs, tables: Mapping[str, PivotTable], bags: Bags, threads: int
) -> tuple[Array, Array]:
    """The pivot-language F1 of each pair: [pairs, languages], and which of them count."""
    overlaps, counts = pivot_overlap(pairs, tables, bags, threads)
    return f1(overlaps.sum(axis=2), pairs.same), counts


def mean_and_spread(values: Array, weights: Array) -> tuple[Array, Array]:
    """Mean and standard deviation of each row over the values that count."""
    size = weights.sum(axis=1)
    mean = (values * weights).sum(axis=1) / size
    spread = np.sqrt(((values - mean[:, None]) ** 2 * weights).sum(axis=1) / size)
    return mean, spread


def word_f1(pairs: Pairs, orders: int, threads: int) -> Array:
    """The target-language F1 of the sentences' own n-grams of up to 1, 2, ... words (PEM §4.4)."""
    sums = _native.word_overlap(
        pairs.tokens, pairs.bounds, pairs.words, pairs.left, pairs.right, orders, threads
    )
    return f1(sums.reshape(-1, orders, 3).cumsum(axis=1), pairs.same)


def fluency(pairs: Pairs, model: ParaphraseModel, threads: int) -> tuple[Array, Array]:
    """log10 Pr(S) / length(S) of both sides of each pair (PEM §4.4).

    The end of the sentence is an event like every word: length counts it, so that an empty
    sentence has a score too. The model's probability of an unknown word is that of all of them
    together; the one that stands there gets 1 / V of it, V being the size of the vocabulary.
    """
    lm = model.language_model
    if lm is None:
        raise ModelError(
            f"{model.model.path}: the model has no language model, which fluency needs; "
            "build one with --lm"
        )
    sentences: Any = [text.split() for text in pairs.texts] if pairs.tokenized else pairs.texts
    scores = lm.scores(sentences, threads=threads)
    unknown = np.log10(max(lm.sizes[0], 1)) * scores.unknown
    normalised = (scores.log10 - unknown) / (scores.tokens + 1)
    return normalised[pairs.left], normalised[pairs.right]
