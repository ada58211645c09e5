"""`otherwords studio export`: the work in logs as the files that other commands read."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from otherwords.cli.options import Output
from otherwords.cli.output import check_output, emit_bytes
from otherwords.cli.parameters import Option
from otherwords.cli.studio_server import warn

__all__ = ["export_command"]

of_alignments = partial(Option, panel="Alignments")
of_judgements = partial(Option, panel="Judgements")


def export_command(
    logs: Annotated[
        list[str],
        Option("--log", help="Read this log of the studio; repeatable for judgements."),
    ],
    annotator: Annotated[
        str | None,
        of_alignments(
            "--annotator", help="Export the work of this annotator (default: the only one)."
        ),
    ] = None,
    everything: Annotated[
        bool,
        of_alignments("--all", help="Also export rows that are not marked as done."),
    ] = False,
    drop_flagged: Annotated[
        bool,
        of_judgements("--drop-flagged", help="Leave out judges who fail the controls."),
    ] = False,
    no_controls: Annotated[
        bool,
        of_judgements("--no-controls", help="Leave out controls."),
    ] = False,
    output: Output = None,
) -> int:
    """Write the gold JSONL that `parametric` reads, or the judged JSONL of `meta` and `train`."""
    from otherwords.study.studio.exported import exported_rows

    check_output(output, *logs)
    found = exported_rows(
        logs,
        annotator=annotator,
        everything=everything,
        drop_flagged=drop_flagged,
        controls=not no_controls,
    )
    emit_bytes(found.lines(), output)
    for message in found.warnings:
        warn(message)
    return 0
