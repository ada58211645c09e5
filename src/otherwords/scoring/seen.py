"""Metrics on rows that they were trained on: their scores there do not carry over to other rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import Row
from otherwords.metrics.base import Metric, Part, text_of

if TYPE_CHECKING:
    from otherwords.scoring.stream import SystemScores


LEAST = 0.01  # least share of rows seen in training that marks a metric
SEEN = " (seen in training)"  # after the name of such a metric
NOT_NEW = "so its scores are not those of new text"


@dataclass(frozen=True)
class Familiarity:
    """What a metric knows of a set: the share of its rows that it was trained on, and the command
    that trains it anew.
    """

    share: float = 0.0
    retrain: str = ""

    @property
    def is_marked(self) -> bool:
        """Whether it is left out of best scores and of tests."""
        return self.share >= LEAST

    def remarks(
        self, label: str, so: str = "so it is left out of best scores and of tests"
    ) -> list[str]:
        """Warnings in words, with the consequence and advice.

        >>> Familiarity(0.93, "otherwords train combine").remarks("mine")[0][:70]
        'mine: trained on 93 % of these rows, so it is left out of best scores '
        """
        if not self.is_marked:
            return []
        advice = "score rows that it was not trained on"
        if self.retrain:
            advice += f", or train it without these ({self.retrain})"
        return [
            f"{label}: trained on {100 * self.share:.0f} % of these rows, {so}; for honest "
            f"figures, {advice}"
        ]

    def to_dict(self) -> dict[str, Any]:
        return {"trained_on": self.share}


UNFAMILIAR = Familiarity()


def seen_rows(rows: Sequence[Row], metric: Metric) -> NDArray[np.bool_]:
    """For each row whether the metric was trained on it, with any of its references."""
    assert metric.seen is not None
    targets = [
        row.references if metric.against == "references" else (row.source or "",) for row in rows
    ]
    pairs = [
        (text_of(row.hypothesis), text_of(target))
        for row, several in zip(rows, targets, strict=True)
        for target in several
    ]
    owners = np.repeat(np.arange(len(rows)), [len(several) for several in targets])
    return np.bincount(owners, metric.seen.found(pairs), len(rows)) > 0


def find_familiar(
    metrics: Mapping[str, Metric], systems: Sequence[SystemScores]
) -> dict[str, Familiarity]:
    """The metrics that are marked on the rows of these systems."""
    familiarities = {}
    for label, metric in metrics.items():
        seen = [system.seen[label] for system in systems if label in system.seen]
        share = float(np.concatenate(seen).mean()) if seen else 0.0
        familiarity = Familiarity(share, metric.retrain)
        if familiarity.is_marked:
            familiarities[label] = familiarity
    return familiarities


def cautions(metrics: Mapping[str, Metric], systems: Sequence[SystemScores]) -> list[str]:
    """Warnings about these metrics, for results without tests and best scores."""
    familiarities = find_familiar(metrics, systems).items()
    return [
        note for label, familiarity in familiarities for note in familiarity.remarks(label, NOT_NEW)
    ]


def select_fair(
    metrics: Mapping[str, Metric], known: Mapping[str, Familiarity]
) -> dict[str, Metric]:
    """The metrics that may be tested: those that are not marked, nor parts of a marked one."""
    return {
        label: metric
        for label, metric in metrics.items()
        if (label.rpartition(".")[0] if isinstance(metric, Part) else label) not in known
    }
