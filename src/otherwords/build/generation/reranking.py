"""Argmax of a metric over the decoder's outputs (PEM §7), among those that keep the meaning.

A metric that rewards other words finds outputs that have them at the cost of the meaning, and the
more of them the longer the list is. So an output is compared with the one that the decoder itself
prefers: it may be a little less adequate, fluent or consistent, but not more than `margin`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from otherwords.build.generation.decoder import Decoded, Output
from otherwords.errors import LanguageError
from otherwords.io.arguments import check_flag, check_number
from otherwords.metrics.registry import cached
from otherwords.scoring.results import Result
from otherwords.scoring.score import score
from otherwords.text.language import SAMPLE_TEXTS, is_foreign, words_of

__all__ = ["Reranking"]

ALIKE = 0.9  # word F1 from which two outputs count as one
GUARDS = ("meaning", "fluency", "vectors", "facts")  # all from 0 to 1, larger is better


@dataclass(frozen=True)
class Reranking:
    """How outputs are reranked.

    The `metric` compares them with the source. The `loss` of an output is how much the worst of
    adequacy, fluency, vectors and facts falls below that of the decoder's best output; outputs that
    lose more than `margin` come after all others, in the order of their loss. With a margin of 1
    only the metric decides. `without_contradictions` leaves out outputs in which `facts` finds one.
    """

    metric: str = "otherwords-rewrite"
    margin: float = 0.02
    without_contradictions: bool = False

    def __post_init__(self) -> None:
        check_number("margin", self.margin, 0, 1)
        check_flag("without_contradictions", self.without_contradictions)

    def check(self, sentences: Sequence[str]) -> None:
        """Refuse sentences that are plainly not English if a measure needs English.

        Once for all of them: a name or a quotation alone is no reason to stop.
        """
        names = [self.metric, *(GUARDS if self.margin < 1 else ())]
        needing = [name for name in names if cached(name, {}).traits.english]
        if needing and is_foreign(words_of(sentences[:SAMPLE_TEXTS])):
            message = f"the sentences do not look like English, which {needing[0]} needs"
            hint = "rerank by a metric for any language, with a margin of 1 (--margin 1)"
            raise LanguageError(f"{message}; {hint}")

    def best(self, decoded: Decoded, k: int = 1, *, threads: int = 1) -> Decoded:
        """At most k outputs, best first, each unlike those before it.

        The metric's score and the loss stand among their features.
        """
        outputs = [one for one in decoded.outputs if one.target]
        if not outputs:
            return decoded
        texts = [one.target for one in outputs]
        result = _scored(self.metric, texts, decoded.source, threads)
        sign = 1 if result.metric.traits.higher_is_better else -1
        lost = self._losses(texts, decoded.source, threads)
        kept: Sequence[int] = range(len(outputs))
        if self.without_contradictions:
            facts = _scored("facts", texts, decoded.source, threads)
            contradicted = facts.statistics[:, facts.metric.columns.index("contradicted")]
            kept = [i for i in kept if contradicted[i] == 0]
        beyond = np.where(lost > self.margin, lost, 0)
        order = sorted(kept, key=lambda i: (beyond[i], -sign * result.segments[i], i))
        chosen: list[Output] = []
        for i in order:
            if len(chosen) == k:
                break
            if all(_alike(texts[i], one.target) < ALIKE for one in chosen):
                more = {self.metric: float(result.segments[i]), "loss": float(lost[i])}
                chosen.append(replace(outputs[i], features={**outputs[i].features, **more}))
        note = None if chosen else "every output contradicts its source"
        return replace(decoded, outputs=tuple(chosen), note=decoded.note or note)

    def _losses(self, texts: Sequence[str], source: str, threads: int) -> NDArray[np.float64]:
        lost = np.zeros(len(texts))
        if self.margin < 1:
            for name in GUARDS:
                values = _scored(name, texts, source, threads).segments
                lost = np.maximum(lost, values[0] - values)
        return lost


def _scored(metric: str, texts: Sequence[str], source: str, threads: int) -> Result:
    sources = [source] * len(texts)
    return score(
        metric,
        list(texts),
        sources=sources,
        against="source",
        any_language=True,  # `check` has looked at all sentences
        threads=threads,
    )


def _alike(one: str, other: str) -> float:
    """F1 of the words of two texts.

    >>> _alike("a b c", "a b d")
    0.6666666666666666
    """
    left, right = Counter(one.split()), Counter(other.split())
    return 2 * (left & right).total() / max(left.total() + right.total(), 1)
