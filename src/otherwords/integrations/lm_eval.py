"""lm-evaluation-harness: metrics for the `metric_list` of a task with `generate_until`.

A task file uses them by name if this module is imported, or with `!function`.
"""

from __future__ import annotations

from collections.abc import Sequence

import lm_eval.api.metrics  # noqa: F401 - registers the aggregation `mean`
from lm_eval.api.registry import register_metric

from otherwords.integrations.verdict import Verdict, verdict

_HOW = {"higher_is_better": True, "output_type": "generate_until", "aggregation": "mean"}


@register_metric(metric="otherwords-rewrite", **_HOW)  # type: ignore[untyped-decorator]
def rewrite(
    references: Sequence[str], predictions: Sequence[str], limit: float | None = None
) -> dict[str, float]:
    """Judge a generated text as a rewrite; the target of the task (`doc_to_target`) is the
    original.
    """
    return _numbers(verdict(references[0], predictions[0], limit=limit))


@register_metric(metric="otherwords-mt", **_HOW)  # type: ignore[untyped-decorator]
def mt(
    references: Sequence[str], predictions: Sequence[str], limit: float | None = None
) -> dict[str, float]:
    """Judge a generated text by its reference, the target of the task."""
    return _numbers(verdict(None, predictions[0], references=references[0], limit=limit))


def _numbers(judged: Verdict) -> dict[str, float]:
    return {judged.metric: judged.score, "otherwords-passed": float(judged.passed)}
