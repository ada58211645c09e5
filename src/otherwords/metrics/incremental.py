"""BLEU in three steps (ParaEval §6): modified unigram precision, the geometric mean of the
modified n-gram precisions, and the brevity penalty times that mean.

N-grams are counted by sacreBLEU, on words read as ParaEval reads them.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from otherwords import _native
from otherwords.io.arguments import check_flag, check_whole
from otherwords.metrics.base import Array, Metric, Traits
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import Reading, read
from otherwords.metrics.registry import cached, register
from otherwords.metrics.sacre import extract
from otherwords.text.sentence import Text

__all__ = ["BpBleu", "Gm", "Mup", "bp_bleu", "gm", "mup"]


class _Step(Metric):
    """Sums of clipped and of all n-grams for n = 1..`orders`.

    Tokens without a letter or digit are no words unless `punctuation` is set.
    """

    traits = Traits(low=0.0, high=1.0)

    def __init__(
        self, orders: int, *, case: bool, tokenizer: str, punctuation: bool, **options: Any
    ) -> None:
        super().__init__(case=case, tokenizer=tokenizer, punctuation=punctuation, **options)
        self.orders = check_whole("orders", orders, 1, 9)
        self.reading = Reading(tokenizer, case, stem=False)
        self.punctuation = check_flag("punctuation", punctuation)
        self.columns = (
            "words",
            "reference words",
            *(f"{n}-grams matched" for n in range(1, self.orders + 1)),
            *(f"{n}-grams" for n in range(1, self.orders + 1)),
        )

    def signature_parts(self) -> dict[str, str]:
        """Options."""
        return {
            "n": str(self.orders),
            "case": self.reading.signature["case"],
            "tok": self.reading.tokenizer,
            "punct": "kept" if self.punctuation else "no",
        }

    def compute(self, segments: Segments, threads: int) -> Array:
        """sacreBLEU's sufficient statistics of each segment (on one thread)."""
        from sacrebleu.metrics.bleu import BLEU

        scorer = BLEU(tokenize="none", max_ngram_order=self.orders, force=True)
        return extract(scorer, *self._numbered(segments))

    def _numbered(self, segments: Segments) -> tuple[list[str], list[list[str]]]:
        """Hypotheses and targets with each word as its number: sacreBLEU splits at white space,
        and a number has none inside.
        """
        flat = [target for several in segments.targets for target in several]
        pool, (mine, theirs) = read([segments.hypotheses, flat], self.reading)
        names = [
            str(number) if self.punctuation or _native.has_alphanumeric(word) else ""
            for number, word in enumerate(pool.words)
        ]
        tokens = pool.tokens.tolist()
        lines = [
            " ".join(name for token in tokens[begin:end] if (name := names[token]))
            for begin, end in zip(pool.bounds, pool.bounds[1:], strict=False)
        ]
        targets = iter(theirs)
        return (
            [lines[place] for place in mine],
            [[lines[next(targets)] for _ in several] for several in segments.targets],
        )

    def from_sums(self, sums: Array) -> float:
        """The score of the counts; nothing against nothing is perfect."""
        words, reference_words = sums[:2]
        if not words:
            return float(not reference_words)
        matched, total = np.split(sums[2:], 2)
        return self.combine(_precisions(matched, total), words, reference_words)

    @abstractmethod
    def combine(self, precisions: list[float], words: float, reference_words: float) -> float:
        """The score of a corpus that has words."""


def _precisions(matched: Array, total: Array) -> list[float]:
    """Modified n-gram precisions of the orders that there are n-grams of."""
    return [float(m / t) for m, t in zip(matched, total, strict=True) if t]


def _geometric_mean(values: Sequence[float]) -> float:
    if min(values) <= 0.0:
        return 0.0
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def _brevity_penalty(words: float, reference_words: float) -> float:
    return 1.0 if words > reference_words else math.exp(1 - reference_words / words)


@register
class Mup(_Step):
    """MUP, modified unigram precision (ParaEval §2.1): the share of the hypothesis' words that
    are in a reference, each clipped by its most occurrences in a single one.
    """

    name = "mup"

    def __init__(
        self,
        *,
        case: bool = False,
        tokenizer: str = "penn",
        punctuation: bool = False,
        **common: Any,
    ) -> None:
        super().__init__(1, case=case, tokenizer=tokenizer, punctuation=punctuation, **common)

    def combine(self, precisions: list[float], words: float, reference_words: float) -> float:
        """The precision of unigrams."""
        return precisions[0]


@register
class Gm(_Step):
    """GM: the geometric mean of the modified n-gram precisions for n = 1..`orders`, without
    smoothing. Orders without n-grams are left out.
    """

    name = "gm"

    def __init__(
        self,
        *,
        orders: int = 4,
        case: bool = False,
        tokenizer: str = "penn",
        punctuation: bool = False,
        **common: Any,
    ) -> None:
        super().__init__(orders, case=case, tokenizer=tokenizer, punctuation=punctuation, **common)
        self.options["orders"] = orders

    def combine(self, precisions: list[float], words: float, reference_words: float) -> float:
        """Their geometric mean."""
        return _geometric_mean(precisions)


@register
class BpBleu(Gm):
    """BP-BLEU: GM times the brevity penalty (ParaEval §2.2), against the lengths of the
    references that are closest.
    """

    name = "bp-bleu"

    def combine(self, precisions: list[float], words: float, reference_words: float) -> float:
        """The product."""
        return _brevity_penalty(words, reference_words) * _geometric_mean(precisions)


def mup(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """Modified unigram precision of one segment. Figure 1 of the paper has 2/7:

    >>> mup("the the the the the the the", ["The cat is on the mat", "There is a cat on the mat"])
    0.2857142857142857
    """
    return cached("mup", options).score_one(hypothesis, references)


def gm(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """Geometric mean of the modified n-gram precisions of one segment.

    >>> round(gm("a cat sat", "a cat lay", orders=2) ** 2, 6)  # 2/3 times 1/2
    0.333333
    """
    return cached("gm", options).score_one(hypothesis, references)


def bp_bleu(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """Brevity penalty times geometric mean of one segment.

    >>> round(bp_bleu("a cat", "a cat sat there"), 4)  # exp(1 - 4/2)
    0.3679
    """
    return cached("bp-bleu", options).score_one(hypothesis, references)
