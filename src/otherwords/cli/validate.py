"""`otherwords validate`: check files before they are scored."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Literal, TextIO

from otherwords.corpus.validate import validate

__all__ = ["validate_command"]


def validate_command(
    paths: list[str], *, format: Literal["text", "json"], strict: bool, out: TextIO
) -> int:
    """Prints the findings; 1 when there are errors (if `strict`, any findings), else 0."""
    errors = warnings = 0
    shown = []
    for finding in validate(paths):
        errors += finding.count * (finding.severity == "error")
        warnings += finding.count * (finding.severity == "warning")
        if format == "text":
            _print(str(finding), out)
        else:
            shown.append(asdict(finding))
    if format == "text":
        _print(_summary(errors, warnings, paths), out)
    else:
        result = {"findings": shown, "errors": errors, "warnings": warnings}
        _print(json.dumps(result, indent=2), out)
    return 1 if errors or (strict and warnings) else 0


def _summary(errors: int, warnings: int, paths: Sequence[str]) -> str:
    files = _plural(len(paths), "file")
    if not errors and not warnings:
        return f"nothing found in {files}"
    return f"{_plural(errors, 'error')}, {_plural(warnings, 'warning')} in {files}"


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _print(text: str, out: TextIO) -> None:
    # A file name need not be valid Unicode, and a terminal need not be UTF-8.
    encoding = out.encoding or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding), file=out)
