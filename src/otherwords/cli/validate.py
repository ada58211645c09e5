"""`otherwords validate`: check files before they are scored."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from otherwords.cli.output import emit
from otherwords.corpus.findings import Finding
from otherwords.corpus.validate import validate

__all__ = ["validate_command"]


class ValidateFormat(StrEnum):
    """Output formats of the checker."""

    text = "text"
    json = "json"


def validate_command(
    files: Annotated[list[str], typer.Argument(help="Files to check.", metavar="FILE...")],
    form: Annotated[
        ValidateFormat, typer.Option("--format", "-f", help="Output format.")
    ] = ValidateFormat.text,
    strict: Annotated[
        bool, typer.Option("--strict", help="Warnings fail the check as errors do.")
    ] = False,
    most: Annotated[
        int, typer.Option("--most", help="Findings of a code shown for each file.", min=1)
    ] = 5,
) -> int:
    """Check text, JSONL, CoNLL-U and WMT files; exit 1 if the check found errors."""
    findings = list(validate(files, cap=most))
    totals = {
        severity: sum(finding.count for finding in findings if finding.severity == severity)
        for severity in ("error", "warning")
    }
    emit(_lines(findings, totals, len(files), form), None)
    return 1 if totals["error"] or (strict and totals["warning"]) else 0


def _lines(
    findings: list[Finding], totals: dict[str, int], files: int, form: ValidateFormat
) -> Iterator[str]:
    if form is ValidateFormat.json:
        shown = [asdict(finding) for finding in findings]
        result = {"findings": shown, "errors": totals["error"], "warnings": totals["warning"]}
        yield json.dumps(result, indent=2, ensure_ascii=False)
        return
    yield from map(str, findings)
    counted = [_plural(count, severity) for severity, count in totals.items()]
    found = ", ".join(counted) if any(totals.values()) else "nothing found"
    yield f"{found} in {_plural(files, 'file')}"


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
