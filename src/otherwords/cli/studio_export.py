"""`otherwords studio export`: what people did in, the files that the other commands read out."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer

from otherwords.cli.options import Output
from otherwords.cli.output import check_output, emit_bytes
from otherwords.cli.studio_judge import export_judgements

__all__ = ["export_command"]


def export_command(
    logs: Annotated[list[str], typer.Option("--log", help="A log of the studio; may be repeated.")],
    output: Output = None,
    drop_flagged: Annotated[
        bool, typer.Option("--drop-flagged", help="Leave out judges who fail the controls.")
    ] = False,
    controls: Annotated[
        bool, typer.Option("--controls/--no-controls", help="With or without judged controls.")
    ] = True,
) -> int:
    """Write what the logs of the studio hold as JSONL."""
    check_output(output, *logs)
    rows, notes = export_judgements(logs, drop_flagged=drop_flagged, controls=controls)
    lines = ((json.dumps(row, ensure_ascii=False) + "\n").encode() for row in rows)
    emit_bytes(lines, output)
    for note in notes:
        print(note, file=sys.stderr)
    return 0
