"""PEM exactly as its paper has it (Liu, Dahlmeier & Ng 2010): three features through one pivot.

Pivot-language F1 (§4.3), the normalised score of a 4-gram model and target-language F1 (§4.4), one
of each, joined by support vector regression (§4.5). `pem` with `preset="paper"` is this.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from otherwords.metrics.base import Array
from otherwords.metrics.pem_features import PAPER, Bags, Pairs, fluency, word_f1
from otherwords.metrics.pem_pivots import Pivots
from otherwords.metrics.pem_regression import PAPER_FEATURES
from otherwords.metrics.reading import Reading
from otherwords.text.sentence import Text

__all__ = ["PaperFeatures"]

NGRAMS = 4  # words of the longest English n-grams (PEM §4.4)


class PaperFeatures:
    """The paper's three features of pairs: `pivot_f1`, `fluency`, `target_f1`.

    Options that are not given are the paper's: its bags (`pem_features.PAPER`), Chinese as the
    pivot, stems. Others are there to see what each of them does.

    >>> rows = PaperFeatures().of(["It rained."], ["It rained."])
    >>> rows[0, [0, 2]].tolist()
    [1.0, 1.0]
    """

    OPTIONS = (*vars(PAPER), "languages", "stem", "tokenizer", "case")
    names: ClassVar[tuple[str, ...]] = PAPER_FEATURES

    def __init__(
        self,
        *,
        model: str | Path = "paraphrase",
        languages: str | Sequence[str] | None = "zh",
        tokenizer: str = "penn",
        case: bool = False,
        stem: bool | str = True,
        **bags: Any,
    ) -> None:
        own = Bags(**{**vars(PAPER), **bags})
        self.pivots = Pivots(model, languages, own, Reading(tokenizer, case, stem))
        self.model = self.pivots.model

    @property
    def settings(self) -> dict[str, Any]:
        """What a regression must remember of them."""
        return self.pivots.settings

    def of(self, left: Sequence[Text], right: Sequence[Text], threads: int = 1) -> Array:
        """One row per pair: paraphrase on the left, original on the right."""
        pairs = Pairs.of(left, right, self.pivots.reading)
        pivot, _ = self.pivots.scores(pairs, threads)
        mine, _ = fluency(pairs, self.model, threads)
        return np.column_stack([pivot, mine, word_f1(pairs, NGRAMS, threads)[:, -1]])

    @staticmethod
    def criteria(features: Array) -> Array:
        """Adequacy, fluency and dissimilarity, as the metrics of these names give them."""
        return np.column_stack([features[:, :2], 1 - features[:, 2]])
