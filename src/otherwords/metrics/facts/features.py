"""Pairs of texts -> numbers: what the findings about each pair amount to, for regressions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from otherwords.metrics.base import Array
from otherwords.metrics.facts.comparison import FEATURES, comparer
from otherwords.text.sentence import Text

__all__ = ["FEATURES", "finding_features"]

_BATCH = 5000  # pairs that are compared at once, which bounds the memory


def finding_features(pairs: Sequence[tuple[Text, Text]], threads: int = 1) -> Array:
    """One row for each pair (hypothesis, reference), one column for each of `FEATURES`.

    >>> found = finding_features([("He paid 30 euros.", "He paid 20 euros."), ("Hm.", "Hm.")])
    >>> found.shape == (2, len(FEATURES))
    True
    >>> found[:, FEATURES.index("values")].tolist()
    [1.0, 0.0]
    """
    rows = [np.zeros((0, len(FEATURES)))]
    for begin in range(0, len(pairs), _BATCH):
        rows.append(comparer().features(pairs[begin : begin + _BATCH], threads))
    return np.concatenate(rows)
