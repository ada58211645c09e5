"""PINC (Chen & Dolan 2011): how much of a paraphrase is new."""

from __future__ import annotations

from typing import Any

import numpy as np

from otherwords import _native
from otherwords.io.arguments import check_flag, check_whole
from otherwords.metrics.base import MeanMetric, Traits
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import register
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Text, check_tokenizer, tokenize


@register
class Pinc(MeanMetric):
    """Mean over n = 1..`orders` of the share of the candidate's n-grams not in the source.

    Orders that the candidate is too short for are left out; an empty candidate has
    nothing new: 0.
    """

    name = "pinc"
    cost = "fast"
    use = "Share of new n-grams in a paraphrase; does not measure meaning."
    traits = Traits(low=0.0, high=1.0, against="source", needs_source=False)
    columns = ("score", "segments")

    def __init__(
        self, *, orders: int = 4, case: bool = False, tokenizer: str = "penn", **common: Any
    ) -> None:
        super().__init__(orders=orders, case=case, tokenizer=tokenizer, **common)
        self.orders = check_whole("orders", orders, 1, 9)
        self.case = check_flag("case", case)
        self.tokenizer = check_tokenizer(tokenizer)

    def signature_parts(self) -> dict[str, str]:
        case = "kept" if self.case else "folded"
        return {"n": str(self.orders), "case": case, "tok": self.tokenizer}

    def compute(self, segments: Segments, threads: int) -> Array:
        scores = [
            np.mean([self._novelty(hypothesis, target) for target in targets])
            for hypothesis, targets in zip(segments.hypotheses, segments.targets, strict=True)
        ]
        return np.column_stack([scores, np.ones(len(scores))])

    def _novelty(self, candidate: Text, source: Text) -> float:
        new, old = self._tokens(candidate), self._tokens(source)
        shares = []
        for n in range(1, min(self.orders, len(new)) + 1):
            known = set(_ngrams(old, n))
            grams = _ngrams(new, n)
            shares.append(sum(gram not in known for gram in grams) / len(grams))
        return sum(shares) / len(shares) if shares else 0.0

    def _tokens(self, text: Text) -> list[str]:
        tokens = text.tokens if not isinstance(text, str) else tokenize(text, self.tokenizer).tokens
        return list(tokens) if self.case else [_native.lower(token) for token in tokens]


def _ngrams(tokens: list[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1)]
