"""chrF and chrF++ with sacreBLEU's statistics, scores and signature."""

from __future__ import annotations

from collections.abc import Sequence, Sized
from itertools import chain, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.metrics.base import Traits, text_of
from otherwords.metrics.bleu import SacreMetric
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import running
from otherwords.metrics.registry import register
from otherwords.stats.arrays import Array, numbered

_ORDERS = 6  # the longest n-gram of characters
_BETA = 2  # recall counts this many times as much as precision


class _ChrF(SacreMetric):
    word_order = 0
    traits = Traits(low=0.0, high=100.0)

    def __init__(self, *, case: bool = True, **common: Any) -> None:
        super().__init__(case=case, **common)
        orders = [f"{n} characters" for n in range(1, _ORDERS + 1)]
        orders += [f"{n} words" for n in range(1, self.word_order + 1)]
        sides = ("hypothesis", "reference", "matched")
        self.columns = tuple(f"{order}, {side}" for order in orders for side in sides)

    def scorer(self, *, corpus: bool) -> Any:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(
            char_order=_ORDERS, word_order=self.word_order, beta=_BETA, lowercase=not self.case
        )

    def compute(self, segments: Segments, threads: int) -> Array:
        """The counts of each segment and its best target, the first of several."""
        numbers: dict[str, int] = {}
        pairs = np.array(
            [
                [numbers.setdefault(text_of(text), len(numbers)) for text in (hypothesis, target)]
                for hypothesis, targets in zip(segments.hypotheses, segments.targets, strict=True)
                for target in targets
            ],
            dtype=np.int64,
        )
        texts = list(numbers) if self.case else [text.lower() for text in numbers]
        characters = ["".join(text.split()) for text in texts]
        codes = np.frombuffer("".join(characters).encode("utf-32-le"), np.uint32)
        counts = [_count_ngrams(codes, characters, pairs, _ORDERS, threads)]
        if self.word_order:
            words = [self._corpus._remove_punctuation(text) for text in texts]
            codes = numbered(chain.from_iterable(words)).astype(np.uint32)
            counts.append(_count_ngrams(codes, words, pairs, self.word_order, threads))
        statistics = np.hstack(counts).reshape(len(pairs), -1)
        bounds = running(np.array([*map(len, segments.targets)])).tolist()
        scores = self.corpus_scores(statistics)
        best = [begin + int(np.argmax(scores[begin:end])) for begin, end in pairwise(bounds)]
        return np.asarray(statistics[best])

    def corpus_scores(self, sums: Array) -> Array:
        """sacreBLEU's scores: F of the mean precision and the mean recall of the orders that both
        sides have.
        """
        orders = sums.shape[1] // 3
        hypothesis, reference, matched = sums.reshape(len(sums), orders, 3).transpose(2, 1, 0)
        there = (hypothesis > 0) & (reference > 0)
        present = np.maximum(there.sum(axis=0), 1)
        precision, recall = (
            sum(np.divide(matched, side, out=np.zeros_like(side), where=there)) / present
            for side in (hypothesis, reference)
        )
        factor = _BETA**2
        score = (1 + factor) * precision * recall
        below = factor * precision + recall
        return np.asarray(100 * np.divide(score, below, out=np.zeros_like(score), where=below > 0))

    def segment_scores(self, statistics: Array) -> Array:
        return self.corpus_scores(statistics)


def _count_ngrams(
    codes: NDArray[np.uint32],
    texts: Sequence[Sized],
    pairs: NDArray[np.int64],
    longest: int,
    threads: int,
) -> Array:
    """The n-grams of the hypothesis, of the target, and of both: [pairs, lengths, 3].

    `codes` are those of the texts, one after the other. Without n-grams in the target, those of the
    hypothesis do not count.
    """
    sizes = np.array([*map(len, texts)])
    left, right = np.ascontiguousarray(pairs.T)
    words = int(codes.max(initial=0)) + 1
    common = _native.common_ngrams(codes, running(sizes), words, left, right, longest, threads)
    ngrams = np.maximum(sizes[:, None] - np.arange(longest), 0)
    mine, theirs = ngrams[left], ngrams[right]
    counts = [np.where(theirs > 0, mine, 0), theirs, common.reshape(-1, longest)]
    return np.stack(counts, axis=2).astype(np.float64)


@register
class ChrF(_ChrF):
    """chrF (Popović 2015): F of character n-grams."""

    name = "chrf"
    cost = "medium"
    use = "Translations into any language; a robust baseline."


@register
class ChrFPlusPlus(_ChrF):
    """chrF++ (Popović 2017): chrF with word unigrams and bigrams."""

    name = "chrf++"
    cost = "medium"
    use = "chrF with words; the stronger sacreBLEU baseline."
    word_order = 2
