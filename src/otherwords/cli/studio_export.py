"""`otherwords studio export`: what people did, as the files that other commands read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Annotated

import typer

from otherwords.cli.options import Output
from otherwords.cli.output import check_output, emit
from otherwords.errors import UsageError

__all__ = ["export_command"]


def export_command(
    log: Annotated[str, typer.Option("--log", help="A log of the studio.")],
    annotator: Annotated[
        str | None, typer.Option("--annotator", help="Whose work, if several worked in the log.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Rows that are not marked as done as well.")
    ] = False,
    output: Output = None,
) -> int:
    """Write the gold JSONL that `parametric` and `align --gold` read."""
    check_output(output, log)
    emit(list(_gold(log, annotator, everything)), output)
    return 0


def _gold(log: str, annotator: str | None, everything: bool) -> Iterator[str]:
    """The rows with all of their keys; links count from 0."""
    from otherwords.studio.alignment_rows import find_annotator
    from otherwords.studio.alignments import links_of

    who = find_annotator(log, annotator)
    rows = range(len(who.log.rows)) if everything else who.log.done(who.name)
    if not rows:
        raise UsageError(f"{log}: {who.name} has marked no row as done; --all exports all rows")
    for row in rows:
        value = {**who.log.rows[row].value, **links_of(who.marks(row))}
        yield json.dumps(value, ensure_ascii=False)
