"""Scores that another program computed, as a metric like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError
from otherwords.metrics.base import Array, Explanation, MeanMetric, Traits, text_of
from otherwords.metrics.inputs import Segments

__all__ = ["Given", "Key", "place_key", "row_key", "system_key"]

Key = tuple[str, str]
SYSTEM = "\0"


class Given(MeanMetric):
    """Scores of another program by row: by its `id`, by its system and item, or by its place in the
    input. The score of a system is the mean over its rows. `source` names the file. Scores of
    systems (`system_key`) apply to all their rows, so nothing can be tested.

    >>> comet = Given("comet", {("mine", "1"): 0.8, ("mine", "2"): 0.6}, source="comet.tsv")
    >>> comet.of_rows([Row("a cat", system="mine", item="2")])[:, 0].tolist(), comet.signature
    ([0.6], 'comet|given:comet.tsv')
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
        low, high = min(scores.values(), default=-np.inf), max(scores.values(), default=np.inf)
        self.traits = Traits(low, high, higher_is_better)  # type: ignore[misc]
        self.scores, self.source = scores, source
        self.by_segment = not any(of == SYSTEM for of, _ in scores)
        super().__init__()

    def __reduce__(self) -> tuple[Any, ...]:
        made = partial(Given, higher_is_better=self.traits.higher_is_better, source=self.source)
        return made, (self.name, self.scores)

    @property
    def signature(self) -> str:
        """Its name, where the scores are from, and their direction if lower is better."""
        given = f"{self.name}|given:{self.source}" if self.source else f"{self.name}|given"
        return given if self.traits.higher_is_better else f"{given}|better:lower"

    def signature_parts(self) -> dict[str, str]:
        """Where the scores are from."""
        return {"given": self.source}

    def known(self, rows: Sequence[Row]) -> Array:
        """Statistics [rows, 2], NaN where a row has no score."""
        found = np.ones((len(rows), 2))
        for place, row in enumerate(rows):
            names = (place_key(row), row_key(row), ("", row.id or ""), system_key(row.system))
            found[place, 0] = next((self.scores[n] for n in names if n in self.scores), np.nan)
        return found

    def of_rows(self, rows: Sequence[Row], threads: int = 1) -> Array:
        """The statistics of rows; a row without a score is refused."""
        found = self.known(rows)
        for place in np.flatnonzero(np.isnan(found[:, 0]))[:1]:
            row = rows[place]
            name = f"segment '{row.item}' of '{row.system}'" if row.item else "this segment"
            message = f"there is no score of {name} by {self.name} ({self.source or 'given'})"
            raise InputError(message, path=row.path, line=row.line)
        return found

    def explain_row(self, row: Row) -> Explanation:
        """The score and the texts: how it was computed is not known here."""
        score = float(self.of_rows([row])[0, 0])
        targets = row.references or (() if row.source is None else (row.source,))
        texts = text_of(row.hypothesis), tuple(map(text_of, targets))
        return Explanation(self.name, score, {self.source or "given": score}, *texts)

    def compute(self, segments: Segments, threads: int) -> Array:
        """Refused: the scores are those that were given."""
        raise UsageError(f"{self.name} was computed elsewhere and cannot score new text")


def row_key(row: Row) -> Key:
    """What identifies a row in addition to its id: system and item."""
    return row.system, row.item or ""


def system_key(system: str) -> Key:
    """The key of a score of a whole system."""
    return SYSTEM, system


def place_key(row: Row) -> Key:
    """The key of a row if scores follow the order of rows: file and line."""
    return row_key(row) if row.line is None else (f"{row.path}\0", f"{row.system}\0{row.line}")
