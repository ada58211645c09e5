"""`otherwords studio align`: a page on which annotators correct word alignments."""

from __future__ import annotations

from contextlib import ExitStack
from enum import StrEnum
from typing import Annotated

from otherwords.cli.options import given, read, refuse_idle
from otherwords.cli.parameters import Option
from otherwords.cli.progress import counting
from otherwords.cli.studio_server import OpenBrowser, Port, WorkLog, check_installed, run, warn

__all__ = ["align_command"]


class StartLinks(StrEnum):
    """The links that an annotator starts from."""

    given = "given"
    aligner = "aligner"
    nothing = "nothing"


def align_command(
    log: WorkLog,
    annotator: Annotated[str, Option("--annotator", help="Name the annotator.")],
    jsonl: Annotated[
        str | None,
        read("--jsonl", help="Align these rows: source, target; other keys are kept."),
    ] = None,
    bitext: Annotated[
        str | None,
        read("--bitext", help="Align this bitext: a file of two columns, or two files LEFT,RIGHT."),
    ] = None,
    adjudicate: Annotated[
        tuple[str, str] | None,
        read(
            "--adjudicate",
            metavar="[NAME=]LOG [NAME=]LOG",
            help="Decide where the links of two annotators differ.",
        ),
    ] = None,
    alignment: Annotated[
        str | None,
        read("--alignment", help="Start from these links i-j, one line per row."),
    ] = None,
    start: Annotated[
        StartLinks | None,
        read(
            "--start",
            help="Start from the links of --jsonl (given), from those of the embedded aligner, or "
            "from none.",
        ),
    ] = None,
    tokenizer: Annotated[
        str | None,
        read("--tokenizer", help="Tokenize --bitext with this, or LEFT,RIGHT (default: auto)."),
    ] = None,
    gold_base: Annotated[
        int | None,
        read(
            "--gold-base",
            help="Count positions of the links of --jsonl from 0 or from 1 (default: 0).",
            min=0,
            max=1,
        ),
    ] = None,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Correct word alignments in a local web page.

    Every change is written to the log at once. A log that has rows needs no other input.
    """
    from otherwords.study.studio.desks import alignment_page

    refuse_idle(bitext is not None, "--bitext", tokenizer=tokenizer)
    refuse_idle(jsonl is not None, "--jsonl", gold_base=gold_base)
    check_installed()
    with ExitStack() as stack:
        with counting("iterations of the aligner") as progress:  # which ends before the page opens
            opened = alignment_page(
                log,
                annotator,
                jsonl=jsonl,
                bitext=bitext,
                adjudicate=adjudicate,
                alignment=alignment,
                start=None if start is None else start.value,
                tokenizer=given(tokenizer, "auto"),
                gold_base=given(gold_base, 0),
                warn=warn,
                progress=progress,
            )
            page = stack.enter_context(opened)
        return run([page], port, open_browser)
