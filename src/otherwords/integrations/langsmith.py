"""LangSmith: an evaluator for `evaluate`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from otherwords.errors import UsageError, near
from otherwords.integrations.verdict import Judge

if TYPE_CHECKING:
    from langsmith.evaluation import EvaluationResult


def otherwords_evaluator(
    *,
    original: str = "original",
    text: str = "output",
    references: str | None = None,
    metric: str | None = None,
    limit: float | None = None,
) -> Callable[..., EvaluationResult]:
    """Make an evaluator whose feedback is named after the metric.

    `text` names a field of the outputs, `original` and `references` fields of the inputs or of the
    reference outputs (default: `output`, `original`, no references); `metric` and `limit` are those
    of `verdict`.
    """
    from langsmith.evaluation import EvaluationResult

    judge = Judge(original, references, metric, limit)

    def otherwords(
        inputs: dict[str, Any],
        outputs: dict[str, Any],
        reference_outputs: dict[str, Any] | None = None,
    ) -> EvaluationResult:
        if text not in outputs:
            raise UsageError(f"there is no '{text}' in the outputs; {near(text, outputs)}")
        judged = judge({**inputs, **(reference_outputs or {})}, outputs[text])
        return EvaluationResult(
            key=judged.metric, score=judged.score, comment=judged.reason, metadata=judged.details
        )

    return otherwords
