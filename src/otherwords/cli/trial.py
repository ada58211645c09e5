"""`otherwords try`: two texts in, a verdict with its reasons out."""

from __future__ import annotations

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.parameters import argument
from otherwords.errors import UsageError


def try_command(
    *,
    texts: list[str] = argument(
        "The original and its rewrite; with -r only the translation.", "TEXT..."
    ),
    references: list[str] | None = options.read(
        "Compare a translation with this right one; repeatable.", "-r", "--reference"
    ),
    any_language: options.AnyLanguage = False,
    to: Destination,
) -> int:
    """Judge one rewrite or translation: does it say the same, is it fluent, is it different?

    Example: otherwords try "He paid 20 euros." "He paid 30 euros."
    """
    from otherwords.scoring.trial import try_text

    to.check()
    if len(texts) != (1 if references else 2):
        example = 'otherwords try "original" "rewrite"'
        raise UsageError(
            f"try takes two texts, not {len(texts)}: {example}"
            if not references
            else f"try takes one text with -r, not {len(texts)}"
        )
    trial = (
        try_text(texts[0], references=references, any_language=any_language)
        if references
        else try_text(texts[1], texts[0], any_language=any_language)
    )
    to.show(trial)
    return 0
