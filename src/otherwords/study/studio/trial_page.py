"""The page on which two texts are tried: a verdict with its reasons, while one types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from otherwords.errors import InputError
from otherwords.metrics.drawing import draw
from otherwords.scoring.trial import try_text
from otherwords.study.studio.page import Page

LONGEST = 20_000  # characters of a text


def make_trial_page(*, any_language: bool = False) -> Page:
    """The page at /try."""

    def judge(given: Mapping[str, Any]) -> dict[str, Any]:
        original, rewrite = (_text(given, name) for name in ("original", "rewrite"))
        trial = try_text(rewrite, original, any_language=any_language)
        return {
            "verdict": trial.verdict,
            "passed": trial.passed,
            "scores": dict(trial.scores),
            "html": draw(trial.explanation),
        }

    return Page("try", "try.html", writes={"judge": judge})


def _text(given: Mapping[str, Any], name: str) -> str:
    text = given.get(name)
    if not isinstance(text, str) or len(text) > LONGEST:
        raise InputError(f"{name} must be a text of at most {LONGEST:,} characters")
    return text
