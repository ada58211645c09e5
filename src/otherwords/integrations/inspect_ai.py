"""Inspect AI: a scorer for tasks."""

from __future__ import annotations

from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import TaskState

from otherwords.integrations.verdict import Judge


@scorer(metrics=[mean(), stderr()])  # type: ignore[untyped-decorator]  # Inspect may be absent
def otherwords_scorer(
    original: str = "input",
    references: str | None = None,
    metric: str | None = None,
    limit: float | None = None,
) -> Scorer:
    """Judge the completion of a sample.

    `original` and `references` are `input`, `target`, or keys of the sample's metadata (default:
    `input`, no references); `metric` and `limit` are those of `verdict`.
    """
    judge = Judge(original, references, metric, limit)

    async def score(state: TaskState, target: Target) -> Score:
        fields = {**(state.metadata or {}), "input": state.input_text, "target": list(target)}
        judged = judge(fields, state.output.completion)
        return Score(
            value=judged.score,
            answer=state.output.completion,
            explanation=judged.reason,
            metadata=judged.details,
        )

    return score
