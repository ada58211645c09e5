"""PEM exactly as its paper has it (Liu, Dahlmeier & Ng 2010): three features through one pivot.

Pivot-language F1 (§4.3), the normalised score of a 4-gram model and target-language F1 (§4.4), one
of each, joined by support vector regression (§4.5). `pem` with `preset="paper"` is this; the
default form of `pem` shares the bags and the kernel with it, not the features.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from otherwords.metrics.base import Array
from otherwords.metrics.pem import ADEQUACY, NGRAMS, PemAdequacy, PemFeatures
from otherwords.metrics.pem_features import Pairs, fluency, word_f1
from otherwords.metrics.pem_regression import PAPER_FEATURES
from otherwords.phrases.paraphrase_model import open_model
from otherwords.text.sentence import Text

__all__ = ["PaperFeatures"]


class PaperFeatures:
    """The paper's three features of pairs: `pivot_f1`, `fluency`, `target_f1`.

    Options that are not given are the paper's: its bags (`pem_features.PAPER`), Chinese as the
    pivot, stems. Others are there to see what each of them does.

    >>> rows = PaperFeatures().of(["It rained."], ["It rained."])
    >>> rows[0, [0, 2]].tolist()
    [1.0, 1.0]
    """

    OPTIONS = PemFeatures.OPTIONS
    names: ClassVar[tuple[str, ...]] = PAPER_FEATURES

    def __init__(self, *, model: str | Path = "paraphrase", **options: Any) -> None:
        self.model = open_model(model)
        self.adequacy = PemAdequacy(model=model, **{**ADEQUACY["paper"].options, **options})

    @property
    def settings(self) -> dict[str, Any]:
        """What a regression must remember of them."""
        return {
            **vars(self.adequacy.bags),
            **vars(self.adequacy.reading),
            "languages": self.adequacy.languages,
        }

    def of(self, left: Sequence[Text], right: Sequence[Text], threads: int = 1) -> Array:
        """One row per pair: paraphrase on the left, original on the right."""
        pairs = Pairs.of(left, right, self.adequacy.reading)
        pivot, _ = self.adequacy.pivot_scores(pairs, threads)
        mine, _ = fluency(pairs, self.model, threads)
        return np.column_stack([pivot, mine, word_f1(pairs, NGRAMS, threads)[:, -1]])

    @staticmethod
    def criteria(features: Array) -> Array:
        """Adequacy, fluency and dissimilarity, as the metrics of these names give them."""
        return np.column_stack([features[:, :2], 1 - features[:, 2]])
