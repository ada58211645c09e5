"""`otherwords studio export`: what people did, as the files that other commands read."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer

from otherwords.cli.options import Output
from otherwords.cli.output import check_output, emit_bytes
from otherwords.errors import UsageError
from otherwords.studio.judged import judged_rows, read_judgements
from otherwords.studio.judgements import PURPOSE as JUDGEMENT
from otherwords.studio.log import purpose_of, read_log

__all__ = ["export_command"]


def export_command(
    logs: Annotated[
        list[str], typer.Option("--log", help="A log of the studio; several of judgements.")
    ],
    annotator: Annotated[
        str | None,
        typer.Option("--annotator", help="Alignments: whose, if several worked in the log."),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Alignments: rows that are not marked as done as well.")
    ] = False,
    drop_flagged: Annotated[
        bool, typer.Option("--drop-flagged", help="Judgements: not of those who fail the controls.")
    ] = False,
    no_controls: Annotated[
        bool, typer.Option("--no-controls", help="Judgements: without those of controls.")
    ] = False,
    output: Output = None,
) -> int:
    """Write the gold JSONL that `parametric` reads, or the judged one of `meta` and `train`."""
    check_output(output, *logs)
    if purpose_of(read_log(logs[0])) == JUDGEMENT:
        if annotator is not None or everything:
            raise UsageError(f"{logs[0]} has judgements; --annotator and --all are of alignments")
        return _export_judged(logs, drop_flagged, no_controls, output)
    if len(logs) > 1 or drop_flagged or no_controls:
        raise UsageError(f"{logs[0]} has alignments: one log, and no options of judgements")
    # All of it first: a log that cannot be exported must not leave an empty file.
    emit_bytes(_lines(list(_gold(logs[0], annotator, everything))), output)
    return 0


def _lines(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    return ((json.dumps(row, ensure_ascii=False) + "\n").encode() for row in rows)


def _gold(log: str, annotator: str | None, everything: bool) -> Iterator[dict[str, Any]]:
    """The rows with all of their keys; links count from 0."""
    from otherwords.studio.alignment_rows import find_annotator
    from otherwords.studio.alignments import links_of

    who = find_annotator(log, annotator)
    rows = range(len(who.log.rows)) if everything else who.log.done(who.name)
    if not rows:
        raise UsageError(f"{log}: {who.name} has marked no row as done; --all exports all rows")
    for row in rows:
        yield {**who.log.rows[row].value, **links_of(who.marks(row))}


def _export_judged(
    logs: list[str], drop_flagged: bool, no_controls: bool, output: str | None
) -> int:
    judged = read_judgements(logs)
    flagged = [one for one in judged.reliability() if one.flagged]
    without = [one.judge for one in flagged] if drop_flagged else []
    rows = list(judged_rows(judged, without=without, controls=not no_controls))
    if not rows:
        raise UsageError(f"{logs[0]}: there is no judgement to export")
    emit_bytes(_lines(rows), output)
    fate = "left out" if drop_flagged else "kept; --drop-flagged leaves such judges out"
    for one in flagged:
        print(f"{one.judge} fails the controls and is {fate}: {one.failed[0]}", file=sys.stderr)
    return 0
