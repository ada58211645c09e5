"""DeepEval: a metric for `assert_test` and `evaluate`."""

from __future__ import annotations

from typing import Any

from deepeval.errors import MissingTestCaseParamsError
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase

from otherwords.errors import UsageError
from otherwords.integrations.verdict import Judge


class OtherwordsMetric(BaseMetric):  # type: ignore[misc]  # DeepEval may be absent
    """Judges the actual output of a test case.

    `original` and `references` name fields of the test case or keys of its metadata (default:
    `input`, no references; `expected_output` can be a reference); `metric` and `limit` are those of
    `verdict`.
    """

    async_mode = False

    def __init__(
        self,
        *,
        original: str = "input",
        references: str | None = None,
        metric: str | None = None,
        limit: float | None = None,
    ) -> None:
        self.judge = Judge(original, references, metric, limit)
        self.threshold = limit or 0.0  # DeepEval needs one; `passed` decides

    def measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        given = {name: value for name, value in dict(test_case).items() if value is not None}
        try:
            judged = self.judge({**given.get("metadata", {}), **given}, test_case.actual_output)
        except UsageError as error:
            self.error, self.success = str(error), False
            raise MissingTestCaseParamsError(str(error)) from error
        self.score, self.success, self.reason = judged.score, judged.passed, judged.reason
        self.score_breakdown = {judged.metric: judged.score, **judged.parts}
        return judged.score

    async def a_measure(self, test_case: LLMTestCase, *_: Any, **__: Any) -> float:
        return self.measure(test_case)

    def is_successful(self) -> bool:
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return "otherwords"
