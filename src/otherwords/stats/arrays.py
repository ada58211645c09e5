"""Arrays of float64 for statistics, summed exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Column sums of segment statistics [corpora, columns] -> corpus scores [corpora]
FromSums = Callable[[Array], Array]


def column_sums(statistics: Array) -> Array:
    """Exact sums of the columns, which do not depend on the order of the rows.

    >>> column_sums(np.array([[0.1, 1.0], [0.2, 1.0]])).tolist()
    [0.30000000000000004, 2.0]
    """
    return np.array([math.fsum(column) for column in statistics.T])


def corpus_score(from_sums: FromSums, statistics: Array) -> float:
    """The score of one corpus, from exact sums."""
    return float(from_sums(column_sums(statistics)[None])[0])


def numbered(names: Iterable[Hashable]) -> NDArray[np.intp]:
    """Number the names from 0 in order of first appearance.

    >>> numbered(["b", "a", "b"]).tolist()
    [0, 1, 0]
    """
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.intp)


def logistic(values: Array | float) -> Array:
    """Turn log odds into probabilities.

    >>> logistic(np.array([0.0])).tolist()
    [0.5]
    """
    return np.asarray(1.0 / (1.0 + np.exp(-np.asarray(values, np.float64))))
