"""Similarity of meaning by a neural encoder (extra `neural`); `docs/neural.md` describes it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from otherwords.encoders.neural import NeuralEncoder
from otherwords.errors import InputError
from otherwords.io.files import read_lines
from otherwords.metrics.base import NEURAL_AT_ONCE, Traits
from otherwords.metrics.registry import register
from otherwords.metrics.vectors import VectorMetric
from otherwords.stats.arrays import Array
from otherwords.text.sentence import Text

DIGITS = 6  # decimals kept in a score; beyond these, results differ between processors


class _EncoderMetric(VectorMetric):
    """Base class of both metrics: opens the encoder, "auto" or a path."""

    at_once = NEURAL_AT_ONCE

    def __init__(self, *, encoder: str | Path = "auto", **common: Any) -> None:
        super().__init__(encoder=encoder, **common)

    def _open(self, encoder: str | Path | None) -> None:
        self.encoder = NeuralEncoder.load("auto" if encoder is None else encoder)
        self.teacher = self.encoder.teacher


@register
class EncoderCos(_EncoderMetric):
    """The cosine of the texts' vectors by a neural encoder; a negative one is 0. Of several
    references the best counts. Two texts without a word are the same: 1.

    `encoder` is "auto", the model of an installed package, or the path of a model.
    """

    name = "encoder-cos"
    cost = "slow"
    use = "Similarity of meaning by a neural encoder (extra `neural`)."
    traits = Traits(low=0.0, high=1.0, symmetric=True, english=True)
    columns = ("score", "segments")

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        texts, first, second = self.pool(left, right)
        cosines: Array = self.encoder.cosines(texts, first, second, threads=threads)
        return np.clip(np.round(cosines, DIGITS), 0, 1)[:, None]


@register
class EncoderF1(_EncoderMetric):
    """BERTScore (Zhang et al. 2020, §3) by a neural encoder: each word piece in its context is
    matched with the piece of highest cosine. Precision is over the hypothesis, recall over the
    reference; of several references the one with the best F1 counts. `idf` is a text file, one
    segment per line: pieces that occur in fewer lines have more weight. BERTScore uses the
    references for it.
    """

    name = "encoder-f1"
    cost = "slow"
    use = "BERTScore by a neural encoder: word pieces matched in context."
    traits = Traits(low=0.0, high=1.0, symmetric=True, english=True)
    columns = ("score", "precision", "recall", "segments")

    def __init__(self, *, idf: str | Path | None = None, **common: Any) -> None:
        super().__init__(idf=idf, **common)
        self.idf = None if idf is None else self.encoder.idf(_lines(idf))

    def signature_parts(self) -> dict[str, str]:
        numbers = json.dumps(self.idf, sort_keys=True).encode()
        idf = "no" if self.idf is None else hashlib.sha256(numbers).hexdigest()[:8]
        return {"idf": idf, **super().signature_parts()}

    def measure(self, left: Sequence[Text], right: Sequence[Text], threads: int) -> Array:
        """F1, precision and recall of each pair."""
        texts, first, second = self.pool(left, right)
        matched = self.encoder.match(texts, first, second, idf=self.idf, threads=threads)
        precision, recall = np.clip(np.round(matched, DIGITS), 0, 1).T
        f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
        return np.column_stack([np.round(f1, DIGITS), precision, recall])


def _lines(path: str | Path) -> list[str]:
    lines = list(read_lines(path))
    if not any(line.strip() for line in lines):
        raise InputError("there are no segments here to count word pieces in", path=path)
    return lines
