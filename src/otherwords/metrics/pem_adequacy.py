"""PEM's adequacy: how much of the original's meaning a paraphrase keeps, from three witnesses.

Pivots (PEM §4.3), sentence and word vectors, and findings span by span (`metrics.facts`) each give
some features; a sum with nonnegative weights and a logistic curve make one number of them. No
weight can turn against its feature: more that is contradicted, missing or added never raises it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.encoders.neural import NeuralEncoder
from otherwords.encoders.static import StaticEncoder
from otherwords.metrics.base import Array, text_of
from otherwords.metrics.facts import FEATURES as FINDINGS
from otherwords.metrics.facts import finding_features
from otherwords.metrics.facts.comparison import comparer
from otherwords.metrics.pem_counts import negations, numbers_apart, repetition
from otherwords.metrics.pem_features import Pairs, f1, mean_and_spread, pivot_overlap
from otherwords.metrics.pem_pivots import Pivots
from otherwords.metrics.reading import Pool, PoolAndPlaces, read
from otherwords.text.sentence import Text

__all__ = [
    "DECISIVE",
    "FAULTS",
    "FEATURES",
    "TERMS",
    "WITNESSES",
    "AdequacyFeatures",
    "adequacy_of",
    "by_witness",
    "terms_of",
]

# What is measured, by the witness. Findings against a pair are negative: all rise with adequacy.
WITNESSES: dict[str, tuple[str, ...]] = {
    "pivots": ("pivot_f1", "pivot_recall"),
    "vectors": ("cosine", "word_recall"),
    "findings": (
        "equivalent",
        "unlinked",
        "contradicted",
        "missing",
        "added",
        "clash",
        "polarity",
        "hole",
        "surplus",
        "doubted",
        "numbers",
        "negations",
        "repeated",
    ),
}
# What is wrong with the form of a rewording, none of it a question of how much meaning is kept.
FAULTS = ("contrary", "misspelt", "disorder", "shortened", "one_sided", "decisive")
FEATURES = (*(name for names in WITNESSES.values() for name in names), *FAULTS)
DECISIVE = FEATURES.index("decisive")
# What is weighed: pivots and vectors must agree, so similarity is built from products of the two.
LIKENESS = ("cosine x pivot_recall", "cosine x pivot_f1", "cosine x word_recall")
TERMS = (*LIKENESS, *WITNESSES["findings"])
DIGITS = 6  # of a neural encoder's numbers that are kept: beyond them processors differ
_WEAK = 0.5  # what a weak contradiction counts compared with a strong one
_ONE_SIDE = 0.2  # of a number without a partner, compared with one that is replaced
_FEWEST = 5  # words in common that can be in disorder
_KEPT = 0.5  # share of neighbours that a rewording keeps of the words that it keeps
_ONE_SIDED = 0.02  # share of words that may be only removed or only added
_SHORTER = 0.2  # share of words that may be lost beyond those that are replaced


class AdequacyFeatures:
    """Measures pairs, with models that are opened once."""

    names: ClassVar[tuple[str, ...]] = FEATURES

    def __init__(self, pivots: Pivots, encoder: str | Path | None = None) -> None:
        self.pivots, self.reading = pivots, pivots.reading
        self.encoder = StaticEncoder.load() if encoder is None else NeuralEncoder.load(encoder)

    @property
    def trained_with(self) -> dict[str, str]:
        """What a regression records of the encoder: 8 bits are the same model as 32."""
        return {} if isinstance(self.encoder, StaticEncoder) else {"encoder": self.encoder.weights}

    @property
    def signature(self) -> dict[str, str]:
        """What the features depend on in addition to the pivots."""
        facts = comparer().signature
        return {"encoder": self.encoder.signature, **{k: facts[k] for k in ("tagger", "lexicon")}}

    def of(
        self,
        left: Sequence[Text],
        right: Sequence[Text],
        threads: int = 1,
        pooled: PoolAndPlaces | None = None,
    ) -> Array:
        """One row per pair (paraphrase, original), one column for each of `FEATURES`; `pooled` are
        the same texts if they are read already.
        """
        pool, places = pooled or read([left, right], self.reading)
        pairs = Pairs.of_pool(pool, places, self.reading)
        columns = {
            **self._pivots(pairs, threads),
            **self._vectors(left, right, threads),
            **self._findings(left, right, threads),
            **_counts(pool, *places),
            **_kept(pairs, threads),
        }
        return np.column_stack([columns[name] for name in FEATURES])

    def _pivots(self, pairs: Pairs, threads: int) -> dict[str, Array]:
        overlaps, counts = pivot_overlap(pairs, self.pivots.tables, self.pivots.bags, threads)
        same = pairs.same
        single = (overlaps[:, :, 0] * counts[:, :, None]).sum(axis=1)
        common, whole = single[:, 0], single[:, 2]
        recall = np.divide(common, whole, out=same.astype(np.float64), where=whole > 0)
        return {
            "pivot_f1": mean_and_spread(f1(overlaps[:, :, 0], same), counts)[0],
            "pivot_recall": np.where(same, 1.0, recall),
        }

    def _vectors(
        self, left: Sequence[Text], right: Sequence[Text], threads: int
    ) -> dict[str, Array]:
        numbers: dict[str, int] = {}
        one, other = (
            np.array([numbers.setdefault(text_of(t), len(numbers)) for t in side], np.int64)
            for side in (left, right)
        )
        texts = list(numbers)
        matched = self.encoder.match(texts, one, other, threads=threads)[:, 1]
        cosine = self.encoder.cosines(texts, one, other, threads=threads)
        if not isinstance(self.encoder, StaticEncoder):
            matched, cosine = np.round(matched, DIGITS), np.round(cosine, DIGITS)
        same = one == other
        return {
            "cosine": np.where(same, 1.0, cosine.clip(0, 1)),
            "word_recall": np.where(same, 1.0, matched.clip(0, 1)),
        }

    def _findings(
        self, left: Sequence[Text], right: Sequence[Text], threads: int
    ) -> dict[str, Array]:
        rows = finding_features(list(zip(left, right, strict=True)), threads)
        found = dict(zip(FINDINGS, rows.T, strict=True))
        clash = found["strong"] + _WEAK * found["weak"]
        facts = np.maximum(found["values"] + found["polarity"], found["strong"])
        sure = facts / np.maximum(found["strong"] + found["weak"], 1.0)
        return {
            "equivalent": found["equivalent"],
            "unlinked": -found["unlinked"],
            "contradicted": -found["contradicted"],
            "missing": -found["missing"],
            "added": -found["added"],
            "clash": -_saturated(clash) * found["same"],
            "polarity": -_saturated(found["polarity"]),
            "hole": -_saturated(found["hole"]),
            "surplus": -_saturated(found["surplus"]),
            "doubted": -_saturated(found["doubted"]),
            "contrary": -found["contradicted"] * found["same"] * sure,
            "misspelt": -found["misspelt"] * found["same"],
            "decisive": -found["decisive"],
        }


def _counts(pool: Pool, left: NDArray[np.int64], right: NDArray[np.int64]) -> dict[str, Array]:
    """Findings of whole texts, for which nothing is aligned."""
    apart = numbers_apart(pool, left, right)
    denied, again = negations(pool), repetition(pool)
    return {
        "numbers": -_saturated(apart.min(axis=1) + _ONE_SIDE * apart.sum(axis=1)),
        "negations": -(denied[left] != denied[right]).astype(np.float64),
        "repeated": -np.maximum(again[left] - again[right], 0.0),
    }


def _kept(pairs: Pairs, threads: int) -> dict[str, Array]:
    """What the words in common show: whether they are in disorder, whether too many are lost, and
    how much of the difference is words that were only removed or only added.
    """
    sums = _native.word_overlap(
        pairs.tokens, pairs.bounds, pairs.words, pairs.left, pairs.right, 2, threads
    )
    (common, left, right), (neighbours, _, _) = sums.reshape(-1, 2, 3).transpose(1, 2, 0)
    apart = np.clip(_KEPT - neighbours / np.maximum(common - 1, 1), 0, None) / _KEPT
    alike = common / np.maximum(np.maximum(left, right), 1)
    lost, new = (1 - common / np.maximum(size, 1) for size in (right, left))
    different = 1 - 2 * common / np.maximum(left + right, 1)
    return {
        "disorder": -np.where(common >= _FEWEST, apart * alike, 0.0),
        "shortened": -np.maximum(lost - new - _SHORTER, 0.0),
        "one_sided": -np.maximum(different - 2 * np.minimum(lost, new) - _ONE_SIDED, 0.0),
    }


def terms_of(features: Array) -> Array:
    """What is weighed of rows of `FEATURES`: one column for each of `TERMS`; 1 and 0 for a copy.

    >>> terms_of(np.array([[1.0] * 4 + [0.0] * (len(FEATURES) - 4)]))[0, :4].tolist()
    [1.0, 1.0, 1.0, 0.0]
    """
    pivot_f1, pivot_recall, cosine, word_recall = features.T[:4]
    likeness = [np.sqrt(cosine * pivot_recall), cosine * pivot_f1, np.sqrt(cosine * word_recall)]
    return np.column_stack([*likeness, features[:, 4 : -len(FAULTS)]])


def adequacy_of(features: Array, weights: Array, level: float) -> Array:
    """Adequacy, 0 to 1: a logistic curve of the weighted sum above a level; 1 for a copy."""
    top = _logistic(weights[: len(LIKENESS)].sum() - level)
    return np.asarray(np.minimum(_logistic(terms_of(features) @ weights - level) / top, 1.0))


def by_witness(features: Array, weights: Array) -> Array:
    """What each witness takes from a copy's sum, in units of the logistic curve; one column each.

    Pivots and vectors share what their products lose: each gets the mean of what it takes from a
    copy and what it takes from the pair as the other one sees it (Shapley values).
    """
    size = len(LIKENESS)

    def likeness(pivots: bool, vectors: bool) -> Array:
        known = features.copy()
        known[:, :2] = known[:, :2] if pivots else 1.0
        known[:, 2:4] = known[:, 2:4] if vectors else 1.0
        return np.asarray(terms_of(known)[:, :size] @ weights[:size])

    copy, both = weights[:size].sum(), likeness(True, True)
    only_pivots, only_vectors = likeness(True, False), likeness(False, True)
    return np.column_stack(
        [
            (only_pivots - copy + both - only_vectors) / 2,
            (only_vectors - copy + both - only_pivots) / 2,
            features[:, 4 : -len(FAULTS)] @ weights[size:],
        ]
    )


def _saturated(counts: Array) -> Array:
    """0 for none, nearly 1 for several: a second one adds less than the first."""
    return 1.0 - np.exp(-counts)


def _logistic(values: Array | float) -> Array:
    return np.asarray(1.0 / (1.0 + np.exp(-np.asarray(values, np.float64))))
