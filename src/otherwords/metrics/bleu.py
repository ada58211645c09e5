"""BLEU by sacreBLEU on our contract, and its three steps (ParaEval §6): modified unigram precision,
the geometric mean of the modified n-gram precisions, and the brevity penalty times that mean.

Statistics, scores, signature and defaults of `bleu` are sacreBLEU's, so that a number here equals
the number that `sacrebleu` prints. The steps count n-grams of words read as ParaEval reads them.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from otherwords import _native
from otherwords.errors import UsageError, near
from otherwords.io.arguments import check_flag, check_whole
from otherwords.metrics.base import Metric, Traits, text_of
from otherwords.metrics.inputs import Segments
from otherwords.metrics.pairs import Reading, read
from otherwords.metrics.registry import register
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Text

TOKENIZERS = ("13a", "char", "intl", "none", "zh")  # the tokenizers that need no download


class SacreMetric(Metric):
    """A sacreBLEU metric: `scorer(corpus)` makes it for a corpus or for one sentence."""

    def __init__(self, *, case: bool = True, **options: Any) -> None:
        super().__init__(case=case, **options)
        self.case = check_flag("case", case)
        self._corpus = self.scorer(corpus=True)
        self._sentence = self.scorer(corpus=False)

    def scorer(self, *, corpus: bool) -> Any:
        raise TypeError(f"{type(self).__name__} names no sacreBLEU metric")

    def signature_parts(self) -> dict[str, str]:
        scorer = self.scorer(corpus=True)
        scorer.num_refs = 1  # sacreBLEU gives no signature before it has seen a corpus
        parts = (part.split(":", 1) for part in scorer.get_signature().format().split("|"))
        return {
            ("sacrebleu" if key == "version" else key): value
            for key, value in parts
            if key != "nrefs"
        }

    def compute(self, segments: Segments, threads: int) -> Array:
        return extract(self._corpus, segments.hypotheses, segments.targets)

    def from_sums(self, sums: Array) -> float:
        return float(self._corpus._compute_score_from_stats(whole(sums)).score)

    def segment_scores(self, statistics: Array) -> Array:
        score = self._sentence._compute_score_from_stats
        return np.array([score(whole(row)).score for row in statistics], dtype=np.float64)


def extract(scorer: Any, hypotheses: Sequence[Text], targets: Sequence[Sequence[Text]]) -> Array:
    """Statistics by sacreBLEU, which wants references stream-major, the missing ones `None`."""
    most = max(len(references) for references in targets)
    streams = [
        [text_of(references[r]) if r < len(references) else None for references in targets]
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
    cost = "medium"
    use = "Compare with published BLEU; corpus scores, not single segments."
    traits = Traits(low=0.0, high=100.0)
    columns = (
        "system length",
        "reference length",
        *(f"{n}-grams matched" for n in range(1, 5)),
        *(f"{n}-grams" for n in range(1, 5)),
    )

    def __init__(self, *, case: bool = True, tokenizer: str = "13a", **common: Any) -> None:
        if tokenizer not in TOKENIZERS:
            hint = near(str(tokenizer), TOKENIZERS)
            raise UsageError(f"unknown tokenizer '{tokenizer}'; {hint}")
        self.tokenizer = tokenizer
        super().__init__(case=case, tokenizer=tokenizer, **common)

    def scorer(self, *, corpus: bool) -> Any:
        from sacrebleu.metrics.bleu import BLEU

        return BLEU(
            lowercase=not self.case, tokenize=self.tokenizer, effective_order=not corpus, force=True
        )


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
        return {
            "n": str(self.orders),
            "case": self.reading.signature["case"],
            "tok": self.reading.tokenizer,
            "punct": "kept" if self.punctuation else "no",
        }

    def compute(self, segments: Segments, threads: int) -> Array:
        from sacrebleu.metrics.bleu import BLEU

        scorer = BLEU(tokenize="none", max_ngram_order=self.orders, force=True)
        return extract(scorer, *self._number_words(segments))

    def _number_words(self, segments: Segments) -> tuple[list[str], list[list[str]]]:
        """Hypotheses and targets with each word replaced by its number, which has no white space
        for sacreBLEU to split at.
        """
        flat = [target for targets in segments.targets for target in targets]
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
        places = iter(theirs)
        return (
            [lines[place] for place in mine],
            [[lines[next(places)] for _ in targets] for targets in segments.targets],
        )

    def from_sums(self, sums: Array) -> float:
        words, reference_words = sums[:2]
        if not words:
            return float(not reference_words)
        matched, total = np.split(sums[2:], 2)
        precisions = [float(m / t) for m, t in zip(matched, total, strict=True) if t]
        return self.combine(precisions, words, reference_words)

    @abstractmethod
    def combine(self, precisions: list[float], words: float, reference_words: float) -> float:
        """The score of a corpus that has words."""


def _geometric_mean(values: Sequence[float]) -> float:
    if min(values) <= 0.0:
        return 0.0
    return math.exp(math.fsum(map(math.log, values)) / len(values))


@register
class Mup(_Step):
    """MUP, modified unigram precision (ParaEval §2.1): the share of the hypothesis' words that
    are in a reference, each clipped by its most occurrences in a single one.
    """

    name = "mup"
    cost = "fast"
    use = "BLEU's first step: unigram precision (ParaEval §6)."

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
        return precisions[0]


@register
class Gm(_Step):
    """GM: the geometric mean of the modified n-gram precisions for n = 1..`orders`, without
    smoothing. Orders without n-grams are left out.
    """

    name = "gm"
    cost = "fast"
    use = "BLEU's second step: geometric mean (ParaEval §6)."

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
        return _geometric_mean(precisions)


@register
class BpBleu(Gm):
    """BP-BLEU: GM times the brevity penalty (ParaEval §2.2), against the lengths of the
    references that are closest.
    """

    name = "bp-bleu"
    cost = "fast"
    use = "BLEU's third step: brevity penalty (ParaEval §6)."

    def combine(self, precisions: list[float], words: float, reference_words: float) -> float:
        penalty = 1.0 if words > reference_words else math.exp(1 - reference_words / words)
        return penalty * _geometric_mean(precisions)
