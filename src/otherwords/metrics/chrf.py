"""chrF and chrF++ by sacreBLEU, on our contract."""

from __future__ import annotations

from typing import Any

from otherwords.metrics.base import Traits
from otherwords.metrics.bleu import SacreMetric
from otherwords.metrics.registry import register


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
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(word_order=self.word_order, lowercase=not self.case)


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
