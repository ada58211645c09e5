"""Scores that another program computed, as a metric like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError
from otherwords.metrics.base import Array, MeanMetric, Traits
from otherwords.metrics.inputs import Segments

__all__ = ["Given", "row_key"]

Key = tuple[str, str]


class Given(MeanMetric):
    """Scores by row: by its `id`, or by its system and item.

    The score of a system is the mean of those of its rows. `source` says where they come from.
    """

    columns = ("score", "rows")

    def __init__(
        self,
        label: str,
        scores: Mapping[Key, float],
        *,
        higher_is_better: bool = True,
        source: str = "",
    ) -> None:
        self.name = label  # type: ignore[misc]  # of this object, not the class
        self.traits = Traits(-np.inf, np.inf, higher_is_better)  # type: ignore[misc]
        self.scores, self.source = scores, source
        super().__init__()

    def __reduce__(self) -> tuple[Any, ...]:
        made = partial(Given, higher_is_better=self.traits.higher_is_better, source=self.source)
        return made, (self.name, self.scores)

    @property
    def signature(self) -> str:
        """Its name, and where the scores are from."""
        return f"{self.name}|given:{self.source}" if self.source else f"{self.name}|given"

    def signature_parts(self) -> dict[str, str]:
        """Where the scores are from."""
        return {"given": self.source}

    def of_rows(self, rows: Sequence[Row]) -> Array:
        """Statistics [rows, 2], NaN where a row has no score."""
        found = np.ones((len(rows), 2))
        for place, row in enumerate(rows):
            score = self.scores.get(row_key(row), np.nan)
            if row.id is not None and np.isnan(score):
                score = self.scores.get(("", row.id), np.nan)
            found[place, 0] = score
        return found

    def compute(self, segments: Segments, threads: int) -> Array:
        """Refused: the scores are those that were given."""
        raise UsageError(f"{self.name} was computed elsewhere and cannot score new text")


def row_key(row: Row) -> Key:
    """What a row is known by beside its id: system and item."""
    return row.system, row.item or ""
