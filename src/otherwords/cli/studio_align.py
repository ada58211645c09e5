"""`otherwords studio align`: a page on which people correct word alignments."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.bitexts import BitextTokenizer
from otherwords.cli.progress import counting
from otherwords.cli.studio_server import OpenBrowser, Port, WorkLog, check_installed, run
from otherwords.errors import InputError, UsageError

if TYPE_CHECKING:
    from otherwords.studio.alignments import Row

__all__ = ["align_command"]


class Start(StrEnum):
    """What an annotator starts from."""

    given = "given"
    aligner = "aligner"
    nothing = "nothing"


def align_command(
    log: WorkLog,
    annotator: Annotated[str, typer.Option("--annotator", help="Whose work it is.")],
    jsonl: Annotated[
        str | None,
        typer.Option("--jsonl", help="Rows to align: source, target and what else they have."),
    ] = None,
    bitext: Annotated[
        str | None, typer.Option("--bitext", help="Two columns of text, or two files: a,b.")
    ] = None,
    alignment: Annotated[
        str | None, typer.Option("--alignment", help="Start from these links i-j, a line a row.")
    ] = None,
    start: Annotated[
        Start | None,
        typer.Option("--start", help="Start from the links of --jsonl, our aligner, or nothing."),
    ] = None,
    adjudicate: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--adjudicate",
            metavar="[NAME=]LOG [NAME=]LOG",
            help="Settle what two annotators made.",
        ),
    ] = None,
    tokenizer: BitextTokenizer = "auto",
    gold_base: Annotated[
        int,
        typer.Option("--gold-base", help="Positions of --jsonl count from 0 or 1.", min=0, max=1),
    ] = 0,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Correct word alignments in a local web page.

    Every change is in the log at once. A log that has rows needs no input to go on.
    """
    from otherwords.studio.log import check_name

    check_installed()
    if sum(one is not None for one in (jsonl, bitext, adjudicate)) > 1:
        raise UsageError("one of --jsonl, --bitext and --adjudicate")
    name = check_name(annotator, "an annotator")
    _check_apart(log, adjudicate or ())
    if alignment is not None and (start is not None or (jsonl is None and bitext is None)):
        raise UsageError("--alignment goes with --jsonl or --bitext, and without --start")
    if start is not None and jsonl is None and bitext is None:
        raise UsageError("--start goes with --jsonl or --bitext")
    rows = _rows(jsonl, bitext, adjudicate, alignment, start, tokenizer, gold_base)
    if rows is None and not Path(log).exists():
        raise UsageError(f"{log} is a new log: give it rows with --jsonl or --bitext")
    from otherwords.studio.align_page import align_page
    from otherwords.studio.alignments import PURPOSE, AlignmentLog
    from otherwords.studio.log import Log

    with Log(log, PURPOSE) as opened:
        found = AlignmentLog(opened.events, opened.path)
        if rows is not None:
            _tell_changed(found.rows, rows)
            found.add_rows(rows, opened)
        if not found.rows:
            raise UsageError(f"{log} has no rows yet: give them with --jsonl or --bitext")
        return run([align_page(opened, name, found)], port, open_browser)


def _check_apart(log: str, adjudicated: Sequence[str]) -> None:
    """Decisions in the log of an annotator would be that annotator's."""
    from otherwords.studio.alignment_rows import named_log

    if any(Path(named_log(one)[1]).resolve() == Path(log).resolve() for one in adjudicated):
        raise UsageError(f"{log} is one of the logs that are adjudicated: decisions need their own")


def _rows(
    jsonl: str | None,
    bitext: str | None,
    adjudicate: tuple[str, str] | None,
    alignment: str | None,
    start: Start | None,
    tokenizer: str,
    base: int,
) -> list[Row] | None:
    """The rows that are given, with the links to start from; None if there are none."""
    from otherwords.studio import alignment_rows as sources

    if adjudicate is not None:
        one, other = sources.find_two(*adjudicate)
        _tell_unfinished(len(one.log.rows) - len(sources.done_by_both(one, other)))
        return sources.adjudicated(one, other)
    if jsonl is not None:
        rows, linked = sources.gold_rows(jsonl, base)
    elif bitext is not None:
        rows, linked = _bitext_rows(bitext, tokenizer), False
    else:
        return None
    if start is Start.given and not linked:
        raise UsageError("--start given: the rows have no links")
    if alignment is not None:
        rows = sources.read_linked(rows, alignment, jsonl or bitext or "")
    elif start is Start.nothing:
        rows = sources.link_rows(rows, [[]] * len(rows))
    elif start is Start.aligner or not linked:
        with counting("iterations of the aligner") as tell:
            rows = sources.align_rows(rows, tick=lambda: tell(1))
    # A line of a bitext that could not be read is two empty sides.
    return rows if jsonl is not None else [row for row in rows if all(row.sides)]


def _tell_unfinished(rows: int) -> None:
    if rows:
        message = "of the rows are not done by both: what they start from may look like agreement"
        print(f"{rows} {message}", file=sys.stderr)


def _tell_changed(old: Sequence[Row], new: Sequence[Row]) -> None:
    changed = sum(a.others != b.others for a, b in zip(old, new, strict=False))
    if changed:
        message = "rows were changed by their annotators since this log was begun; it keeps what it"
        print(f"{changed} {message} began with", file=sys.stderr)


def _bitext_rows(bitext: str, tokenizer: str) -> list[Row]:
    from otherwords.bitext import read_bitext
    from otherwords.cli.bitexts import warn
    from otherwords.studio.alignment_rows import bitext_rows

    text, report = read_bitext([bitext], tokenizer, case=True, warn=warn)
    if not report.kept:
        raise InputError("no line is a pair that can be aligned", path=bitext)
    return bitext_rows(text, bitext)
