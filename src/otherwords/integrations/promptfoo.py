"""promptfoo: a Python assertion.

The file that `file://` names needs one line:
`from otherwords.integrations.promptfoo import get_assert`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from otherwords.errors import UsageError, near
from otherwords.integrations.verdict import Judge


def get_assert(output: str, context: Mapping[str, Any]) -> dict[str, Any]:
    """Judge an output by the variables of its test.

    In the assertion's `config`, `original` and `references` name variables (default: `original`,
    no references), and `metric` and `limit` are those of `verdict`.
    """
    config = context.get("config") or {}
    known = [field.name for field in fields(Judge)]
    for name in config:
        if name not in known:
            raise UsageError(f"there is no setting '{name}' in config; {near(name, known)}")
    judged = Judge(**{"original": "original", **config})(context["vars"], output)
    return {
        "pass": judged.passed,
        "score": judged.score,
        "reason": judged.reason,
        "namedScores": {judged.metric: judged.score, **judged.parts},
        "componentResults": [
            {"pass": judged.passed, "score": judged.score, "reason": reason}
            for reason in judged.reasons
        ],
        "metadata": judged.details,
    }
