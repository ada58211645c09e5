"""Agreement of the scores of a run with the human scores of its rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from otherwords.metrics.base import Metric
from otherwords.scoring.stream import SystemScores
from otherwords.stats.coefficients import pearson
from otherwords.stats.drawn import FEWEST
from otherwords.tables import Number

__all__ = ["pearson_over"]


def pearson_over(
    scored: Sequence[SystemScores], metrics: Mapping[str, Metric]
) -> dict[tuple[str, str], Number]:
    """Segment-level Pearson of each metric with each human criterion, over all systems' rows.

    Lower-is-better metrics are reversed, so that higher agreement is always higher. There is none
    over fewer than three segments, and none where all scores are the same.
    """
    found: dict[tuple[str, str], Number] = {}
    criteria = dict.fromkeys(name for system in scored for name in system.human)
    for criterion in criteria:
        judged = [system for system in scored if criterion in system.human]
        people = np.concatenate([system.human[criterion] for system in judged])
        for label, metric in metrics.items():
            scores = np.concatenate([metric.segment_scores(s.statistics[label]) for s in judged])
            r = pearson(scores if metric.traits.higher_is_better else -scores, people)
            size = int(np.isfinite(people).sum())
            reason = f"fewer than {FEWEST} segments" if size < FEWEST else "all scores are the same"
            found[criterion, label] = Number(r, size=size, reason="" if r is not None else reason)
    return found
