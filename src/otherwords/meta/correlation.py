"""Agreement of metric scores with human scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from otherwords.metrics.base import Array, Metric

if TYPE_CHECKING:
    from otherwords.evaluation import SystemScores

__all__ = ["pearson", "pearson_over"]

_ROUNDING = 1e-12


def pearson(x: Array, y: Array) -> float | None:
    """Pearson's correlation; `None` where a side is constant or fewer than two pairs are known.

    >>> pearson(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    1.0
    """
    known = np.isfinite(x) & np.isfinite(y)
    if known.sum() < 2:
        return None
    left, right = _deviations(x[known]), _deviations(y[known])
    if left is None or right is None:
        return None
    scale = float(np.sqrt((left**2).sum() * (right**2).sum()))
    return float(np.clip((left * right).sum() / scale, -1.0, 1.0))


def _deviations(values: Array) -> Array | None:
    """Deviations from the mean over the largest one, whose squares neither vanish nor overflow;
    `None` if the values differ by no more than rounding does.
    """
    largest = np.abs(values).max()
    if largest == 0 or np.ptp(values / largest) < _ROUNDING:
        return None
    centred = values / largest - (values / largest).mean()
    return np.asarray(centred / np.abs(centred).max())


def pearson_over(
    scored: Sequence[SystemScores], metrics: Mapping[str, Metric]
) -> dict[tuple[str, str], tuple[float, int]]:
    """Segment-level Pearson of each metric with each human criterion, over all systems' rows.

    Lower-is-better metrics are turned round, so that higher agreement is always higher.
    """
    found: dict[tuple[str, str], tuple[float, int]] = {}
    criteria = dict.fromkeys(name for system in scored for name in system.human)
    for criterion in criteria:
        judged = [system for system in scored if criterion in system.human]
        people = np.concatenate([system.human[criterion] for system in judged])
        for label, metric in metrics.items():
            scores = np.concatenate([metric.segment_scores(s.statistics[label]) for s in judged])
            r = pearson(scores if metric.traits.higher_is_better else -scores, people)
            if r is not None:
                found[criterion, label] = r, int(np.isfinite(people).sum())
    return found
