"""What PEM's tests share: small pivot tables, the paper's example (GOLDEN.md), random points."""

from __future__ import annotations

import numpy as np

from otherwords.metrics.pem import FEATURES
from otherwords.models.paraphrase_model import PivotTable
from otherwords.models.pivot_packing import Packing, pack
from otherwords.study.training.regression import Points

HELLO, MORNING = "Hello , Querrien .", "Morning , sir ."
GOLDEN = [  # phrase, pivot phrase, N(phrase), p(pivot | phrase)
    ("Hello ,", "Bonjour ,", 10, 0.9),
    ("Hello ,", "Salut ,", 10, 0.1),
    ("Morning , sir .", "Bonjour , monsieur .", 5, 1.0),
    (".", ".", 50, 1.0),
]


def packed(rows, **packing):
    """The arrays of a table with these rows."""
    phrases, pivots, counts, forward = zip(*rows, strict=True)
    backward = [1.0] * len(rows)
    return pack(phrases, pivots, counts, forward, backward, Packing(**packing)).arrays


def table_of(rows, **packing):
    """The table itself."""
    return PivotTable(packed(rows, **packing))


def points_to_regress(size=120, seed=0, groups=20, target=lambda x: 3 + np.tanh(x[:, 0] - x[:, 2])):
    """Random features, not standardised, and scores that depend on them."""
    draw = np.random.default_rng(seed)
    plain = draw.normal(size=(size, len(FEATURES)))
    features = plain * np.arange(1, len(FEATURES) + 1) + 7
    return Points(
        features,
        target(plain),
        np.arange(size) % groups,
        np.ones(size, bool),
    )
