"""MLflow 3: a scorer for `mlflow.genai.evaluate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from otherwords.integrations.verdict import Judge

if TYPE_CHECKING:
    from mlflow.entities import Feedback
    from mlflow.genai.scorers import Scorer


def otherwords_scorer(
    *,
    original: str = "original",
    references: str | None = None,
    metric: str | None = None,
    limit: float | None = None,
) -> Scorer:
    """Make a scorer that gives two assessments of a row: the score, and `otherwords-passed`.

    `original` and `references` name fields of the inputs or expectations (default: `original`, no
    references); `metric` and `limit` are those of `verdict`. The outputs are the text.
    """
    from mlflow.entities import Feedback
    from mlflow.genai.scorers import scorer

    judge = Judge(original, references, metric, limit)

    @scorer(name="otherwords")  # type: ignore[untyped-decorator]  # MLflow may be absent
    def judge_row(
        inputs: dict[str, Any], outputs: Any, expectations: dict[str, Any] | None = None
    ) -> list[Feedback]:
        judged = judge({**inputs, **(expectations or {})}, outputs)
        parts = {name: f"{value:.6g}" for name, value in judged.parts.items()}
        return [
            Feedback(judged.metric, judged.score, rationale=judged.reason, metadata=parts),
            Feedback("otherwords-passed", judged.passed, rationale=judged.reason),
        ]

    return judge_row
