"""BLEU, chrF, chrF++ and TER: sacreBLEU's own, on our contract.

The statistics, the scores and the signature are sacreBLEU's; so are its defaults, case
included (TER folds it, the others keep it), and a number here equals the number that
`sacrebleu` prints.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from otherwords.errors import SlowWarning, UsageError, near
from otherwords.io.arguments import check_flag
from otherwords.metrics.base import Array, Metric, Traits, text_of
from otherwords.metrics.inputs import Segments
from otherwords.metrics.registry import cached, register
from otherwords.text.sentence import Text

__all__ = ["Bleu", "ChrF", "ChrFPlusPlus", "Ter", "bleu", "chrf", "chrf_plus_plus", "ter"]


LONG = 300  # tokens from which on TER takes seconds
BLEU_TOKENIZERS = ("13a", "char", "intl", "none", "zh")  # those that need no download


class SacreMetric(Metric):
    """A sacreBLEU metric: `scorer(corpus)` makes it for a corpus or for one sentence."""

    def __init__(self, *, case: bool = True, **options: Any) -> None:
        super().__init__(case=case, **options)
        self.case = check_flag("case", case)
        self._corpus = self.scorer(corpus=True)
        self._sentence = self.scorer(corpus=False)

    def scorer(self, *, corpus: bool) -> Any:
        """The sacreBLEU object; `case` folds both sides if false."""
        raise TypeError(f"{type(self).__name__} names no sacreBLEU metric")

    def signature_parts(self) -> dict[str, str]:
        """sacreBLEU's own signature, apart from the number of references."""
        scorer = self.scorer(corpus=True)
        scorer.num_refs = 1  # it would not sign before it has seen a corpus
        parts = (part.split(":", 1) for part in scorer.get_signature().format().split("|"))
        return {
            ("sacrebleu" if key == "version" else key): value
            for key, value in parts
            if key != "nrefs"
        }

    def compute(self, segments: Segments, threads: int) -> Array:
        """sacreBLEU's sufficient statistics of each segment (on one thread)."""
        return extract(self._corpus, segments.hypotheses, segments.targets)

    def from_sums(self, sums: Array) -> float:
        """sacreBLEU's score of the sums."""
        return float(self._corpus._compute_score_from_stats(whole(sums)).score)

    def segment_scores(self, statistics: Array) -> Array:
        """sacreBLEU's sentence scores."""
        score = self._sentence._compute_score_from_stats
        return np.array([score(whole(row)).score for row in statistics], dtype=np.float64)


def extract(scorer: Any, hypotheses: Sequence[Text], targets: Sequence[Sequence[Text]]) -> Array:
    """Statistics by sacreBLEU, which wants references stream-major, the missing ones `None`."""
    most = max(len(several) for several in targets)
    streams = [
        [text_of(several[r]) if r < len(several) else None for several in targets]
        for r in range(most)
    ]
    rows = scorer._extract_corpus_statistics([text_of(text) for text in hypotheses], streams)
    return np.array(rows, dtype=np.float64)


def whole(row: Array) -> list[float]:
    """Counts as Python numbers, integers where they are whole."""
    return [int(value) if value == int(value) else value for value in row.tolist()]


@register
class Bleu(SacreMetric):
    """BLEU (Papineni et al. 2002); sentence scores have effective order, as `sentence_bleu`."""

    name = "bleu"
    traits = Traits(low=0.0, high=100.0)
    columns = (
        "system length",
        "reference length",
        *(f"{n}-grams matched" for n in range(1, 5)),
        *(f"{n}-grams" for n in range(1, 5)),
    )

    def __init__(self, *, case: bool = True, tokenizer: str = "13a", **common: Any) -> None:
        if tokenizer not in BLEU_TOKENIZERS:
            hint = near(str(tokenizer), BLEU_TOKENIZERS)
            raise UsageError(f"unknown tokenizer '{tokenizer}'; {hint}")
        self.tokenizer = tokenizer
        super().__init__(case=case, tokenizer=tokenizer, **common)

    def scorer(self, *, corpus: bool) -> Any:
        """sacreBLEU's BLEU."""
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(
            lowercase=not self.case, tokenize=self.tokenizer, effective_order=not corpus, force=True
        )


class _ChrF(SacreMetric):
    word_order = 0
    traits = Traits(low=0.0, high=100.0)

    def __init__(self, *, case: bool = True, **common: Any) -> None:
        super().__init__(case=case, **common)
        orders = [f"{n} characters" for n in range(1, 7)]
        orders += [f"{n} words" for n in range(1, self.word_order + 1)]
        sides = ("hypothesis", "reference", "matched")
        self.columns = tuple(f"{order}, {side}" for order in orders for side in sides)

    def scorer(self, *, corpus: bool) -> Any:
        """sacreBLEU's chrF."""
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(word_order=self.word_order, lowercase=not self.case)


@register
class ChrF(_ChrF):
    """chrF (Popović 2015): F of character n-grams."""

    name = "chrf"


@register
class ChrFPlusPlus(_ChrF):
    """chrF++ (Popović 2017): chrF with word unigrams and bigrams."""

    name = "chrf++"
    word_order = 2


@register
class Ter(SacreMetric):
    """TER (Snover et al. 2006): edits per reference word; lower is better."""

    name = "ter"
    traits = Traits(low=0.0, high=float("inf"), higher_is_better=False)
    columns = ("edits", "reference words")

    def __init__(self, *, case: bool = False, **common: Any) -> None:
        super().__init__(case=case, **common)

    def compute(self, segments: Segments, threads: int) -> Array:
        """sacreBLEU's statistics, after a warning if segments are so long that it takes minutes."""
        longest = [
            max(len(text_of(text).split()) for text in (hypothesis, *several))
            for hypothesis, several in zip(segments.hypotheses, segments.targets, strict=True)
        ]
        if many := sum(length > LONG for length in longest):
            warnings.warn(
                f"ter: segments of more than {LONG} tokens: {many:,} (the longest has "
                f"{max(longest):,}); each may take seconds to minutes, as its time grows with the "
                "cube of the length",
                SlowWarning,
                stacklevel=3,
            )
        return super().compute(segments, threads)

    def scorer(self, *, corpus: bool) -> Any:
        """sacreBLEU's TER."""
        from sacrebleu.metrics.ter import TER

        return TER(case_sensitive=self.case)


def bleu(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """Sentence BLEU of one segment.

    >>> bleu("the cat sat on the mat", "the cat sat on the mat")
    100.00000000000004
    """
    return cached("bleu", options).score_one(hypothesis, references)


def chrf(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """Sentence chrF of one segment.

    >>> round(chrf("the cat sat", "the cat sits"), 1)
    61.0
    """
    return cached("chrf", options).score_one(hypothesis, references)


def chrf_plus_plus(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """Sentence chrF++ of one segment.

    >>> round(chrf_plus_plus("the cat sat", "the cat sits"), 1)
    60.4
    """
    return cached("chrf++", options).score_one(hypothesis, references)


def ter(hypothesis: Text, references: Text | Sequence[Text], **options: Any) -> float:
    """TER of one segment.

    >>> ter("the cat sat", "the cat sits there")
    50.0
    """
    return cached("ter", options).score_one(hypothesis, references)
