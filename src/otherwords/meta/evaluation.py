"""Which metric agrees with people: any metrics on any judged set, with intervals and tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from otherwords.corpus.rows import Row
from otherwords.meta.estimates import Estimate, Resampling
from otherwords.metrics.base import Array, Metric

__all__ = [
    "COEFFICIENTS",
    "Agreement",
    "Difference",
    "Evaluation",
    "Group",
    "Level",
    "Ties",
    "Unit",
    "evaluate",
]

Level = Literal["segment", "system", "both"]
Group = Literal["none", "item", "system", "langs"]
Unit = Literal["segments", "documents", "systems"]
Ties = Literal["against", "neutral", "ignored"]

COEFFICIENTS: dict[str, tuple[str, ...]] = {
    "segment": ("pearson", "spearman", "kendall", "accuracy", "better-worse"),
    "system": ("pearson", "spearman", "accuracy", "soft-accuracy"),
}


@dataclass(frozen=True)
class Agreement:
    """A metric's agreement with people: estimates by level and coefficient.

    `segments` are its scores of the rows and `systems` those of the systems, as the metric gives
    them, NaN where there is none. Estimates take a metric whose lower scores are better the other
    way round, so that more is always more agreement.
    """

    label: str
    signature: str
    higher_is_better: bool
    segments: Array = field(repr=False)
    systems: Array = field(repr=False)
    estimates: Mapping[tuple[str, str], Estimate]


@dataclass(frozen=True)
class Difference:
    """How much better `one` agrees with people than `other`, and whether that may be chance.

    `p` has the two-sided p-value of each test that could be made (`williams`, `perm-both`,
    `perm-systems`, `bootstrap`), `adjusted` the same corrected for all the pairs of metrics
    that were compared. `low` and `high` are the interval of the difference.
    """

    level: str
    coefficient: str
    one: str
    other: str
    value: float | None
    low: float | None = None
    high: float | None = None
    p: Mapping[str, float] = field(default_factory=dict)
    adjusted: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Evaluation:
    """All that was found on a judged set.

    `people[i]` is the human score of `rows[i]`, NaN if it has none; `system_people` are those
    of `systems`. `unit` is what was drawn, `drawn` how many of them there are.
    """

    human: str
    rows: Sequence[Row] = field(repr=False)
    people: Array = field(repr=False)
    systems: Sequence[str]
    system_people: Array = field(repr=False)
    metrics: Sequence[Agreement]
    differences: Sequence[Difference]
    group: Group
    resampling: Resampling | None
    unit: Unit
    drawn: int
    notes: Sequence[str]

    def metric(self, label: str) -> Agreement:
        """The agreement of the metric of that label."""
        return next(one for one in self.metrics if one.label == label)


def evaluate(
    rows: Sequence[Row],
    metrics: Mapping[str, Metric],
    human: str,
    *,
    level: Level = "both",
    group: Group = "none",
    coefficients: Sequence[str] | None = None,
    system_human: Mapping[str, float] | None = None,
    unit: Unit | None = None,
    resampling: Resampling | None = None,
    compare: str | None = None,
    ties: Ties = "against",
    margin: float = 0.0,
    controls: bool = False,
    threads: int = 1,
    any_language: bool = False,
    progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """Agreement of metrics, by label, with the human score of that name.

    `group` says within what coefficients of segments are taken, to be averaged. `system_human`
    are scores of systems where rows have none. `unit` is what is drawn: documents if the rows
    have them, else segments. `compare` is the label of a metric that all others are compared
    with, or `"all"` for all pairs of metrics. `ties` and `margin` are those of the better/worse
    tau. Rows of controls are left out unless `controls`.
    """
    raise NotImplementedError
