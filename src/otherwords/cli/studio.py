"""`otherwords studio`: local pages to align words, judge texts and browse scores; their logs."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

from otherwords.cli import options
from otherwords.cli.output import Destination, check_output, emit, emit_bytes
from otherwords.cli.parameters import Argument, Option
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.study.studio.page import Page

__all__ = [
    "OpenBrowser",
    "Port",
    "WorkLog",
    "_check_installed",
    "_run",
    "_warn",
    "agreement_command",
    "align_command",
    "export_command",
    "judge_command",
    "judges_command",
    "show_command",
]

_page_option = partial(Option, panel="Page")
Port = Annotated[
    int,
    _page_option(
        "--port", help="Serve on this port of this machine; 0: any free port.", min=0, max=65535
    ),
]
OpenBrowser = Annotated[bool, _page_option("--open", help="Open the page in a browser.")]
WorkLog = Annotated[
    str,
    Option("--log", help="Append every change to this log, and continue from it."),
]
_NEEDED = ("starlette", "uvicorn")
_task_option = partial(Option, panel="Task of a new log")
CRITERIA = "adequacy,fluency,dissimilarity,overall"
TOGETHER = "meaning,grammaticality"
CONTROLS = "copy,random,reference,deleted"
_alignment_option = partial(Option, panel="Alignments")
_judgement_option = partial(Option, panel="Judgements")


def _check_installed() -> None:
    """Refuse, before any work, to go on without the packages of the extra `studio`."""
    from importlib.util import find_spec

    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"the studio needs {' and '.join(missing)}: pip install 'otherwords[studio]'"
        )


def _warn(message: str) -> None:
    """Print a warning on standard error."""
    print(message, file=sys.stderr)


def _run(pages: Sequence[Page], port: int, open_browser: bool) -> int:
    """Serve the pages until Ctrl-C, and print their address."""
    from otherwords.study.studio.server import serve

    def ready(address: str) -> None:
        emit([f"The studio runs at {address} (Ctrl-C stops it; all work is saved)"], None)
        if open_browser:
            webbrowser.open(address)

    with suppress(KeyboardInterrupt):
        serve(pages, port, ready)
    return 0


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
        options.read("--jsonl", help="Align these rows: source, target; other keys are kept."),
    ] = None,
    bitext: Annotated[
        str | None,
        options.read(
            "--bitext", help="Align this bitext: a file of two columns, or two files LEFT,RIGHT."
        ),
    ] = None,
    adjudicate: Annotated[
        tuple[str, str] | None,
        options.read(
            "--adjudicate",
            metavar="[NAME=]LOG [NAME=]LOG",
            help="Decide where the links of two annotators differ.",
        ),
    ] = None,
    alignment: Annotated[
        str | None,
        options.read("--alignment", help="Start from these links i-j, one line per row."),
    ] = None,
    start: Annotated[
        StartLinks | None,
        options.read(
            "--start",
            help="Start from the links of --jsonl (given), from those of the embedded aligner, or "
            "from none.",
        ),
    ] = None,
    tokenizer: Annotated[
        str | None,
        options.read(
            "--tokenizer", help="Tokenize --bitext with this, or LEFT,RIGHT (default: auto)."
        ),
    ] = None,
    gold_base: Annotated[
        int | None,
        options.read(
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
    from otherwords.study.studio.alignment_page import AlignmentSource, open_alignment_page

    options.refuse_idle(bitext is not None, "--bitext", tokenizer=tokenizer)
    options.refuse_idle(jsonl is not None, "--jsonl", gold_base=gold_base)
    _check_installed()
    source = AlignmentSource(
        jsonl,
        bitext,
        adjudicate,
        alignment,
        None if start is None else start.value,
        options.given(tokenizer, "auto"),
        options.given(gold_base, 0),
    )
    with ExitStack() as stack:
        with counting("iterations of the aligner") as progress:  # which ends before the page opens
            opened = open_alignment_page(log, annotator, source, warn=_warn, progress=progress)
            page = stack.enter_context(opened)
        return _run([page], port, open_browser)


def judge_command(
    judge: Annotated[str, Option("--judge", help="Name the judge.")],
    log: WorkLog,
    jsonl: Annotated[
        list[str] | None,
        _task_option(
            "--rows", "--jsonl", help="Judge these rows; repeatable (default: those of the log)."
        ),
    ] = None,
    columns: options.ColumnNames = None,
    systems: Annotated[
        str | None,
        _task_option("--systems", help="Judge these systems, separated by commas (default: all)."),
    ] = None,
    together: Annotated[
        bool,
        _task_option(
            "--together", help="Show all systems' outputs for an input at once, with controls."
        ),
    ] = False,
    criteria: Annotated[
        str | None,
        _task_option(
            help=f"Ask for these criteria (default: {CRITERIA}; with --together: {TOGETHER})."
        ),
    ] = None,
    scale: Annotated[
        str | None,
        _task_option(metavar="LOW:HIGH", help="Ask for scores in this range (default: 1:5)."),
    ] = None,
    against: Annotated[
        options.Against | None,
        _task_option(help="Compare with the source or the first reference (default: source)."),
    ] = None,
    control_kinds: Annotated[
        str | None,
        _task_option(help=f"Mix in these kinds of controls, or none (default: {CONTROLS})."),
    ] = None,
    share: Annotated[
        float | None,
        _task_option(help="Set the share of controls among all pairs (default: 0.1)."),
    ] = None,
    sample: Annotated[
        int | None,
        _task_option(help="Judge N random pairs, or inputs with --together (default: all)."),
    ] = None,
    seed: Annotated[
        int | None,
        _task_option(help="Set the seed of sample, controls and order (default: 0).", min=0),
    ] = None,
    instructions: Annotated[
        str | None,
        _task_option(help="Show judges the text of this file instead of our instructions."),
    ] = None,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Judge paraphrases in a local web page: blind, in random order, with controls mixed in."""
    from otherwords.corpus.formats import parse_columns
    from otherwords.study.studio.judgement_page import TaskOptions, open_judgement_page

    options.refuse_idle(
        bool(jsonl),
        "--rows; the log keeps the task it was begun with",
        columns=columns,
        systems=systems,
        criteria=criteria,
        scale=scale,
        against=against,
        control_kinds=control_kinds,
        share=share,
        sample=sample,
        seed=seed,
        together=together or None,
        instructions=instructions,
    )
    if together and (control_kinds is not None or share is not None):
        raise UsageError("--together adds its own controls; leave out --control-kinds and --share")
    options.refuse_idle(control_kinds != "none", "controls", share=share)
    _check_installed()
    kinds = options.given(control_kinds, CONTROLS)
    task = TaskOptions(
        rows=jsonl or [],
        columns=parse_columns(columns),
        systems=options.names_of(systems) or [],
        criteria=options.names_of(criteria or (TOGETHER if together else CRITERIA)) or [],
        controls=[] if kinds == "none" else options.names_of(kinds) or [],
        share=options.given(share, 0.1),
        sample=sample,
        seed=options.given(seed, 0),
        scale=_parse_scale(options.given(scale, "1:5")),
        against=options.given(against, options.Against.source).value,
        together=together,
        instructions=instructions,
    )
    with open_judgement_page(log, judge, task, warn=_warn) as page:
        return _run([page], port, open_browser)


def _parse_scale(text: str) -> tuple[int, int]:
    low, _, high = text.partition(":")
    try:
        return int(low), int(high)
    except ValueError as error:
        raise UsageError(f"a scale is LOW:HIGH in whole numbers, not '{text}'") from error


def judges_command(
    to: Destination,
    logs: Annotated[list[str], Argument(metavar="LOG...", help="Logs of judgements.")],
    html: Annotated[
        str | None,
        options.written("--html", help="Write a page about progress and agreement so far."),
    ] = None,
) -> int:
    """Check each judge by the scores of the controls, and list flagged judges."""
    from otherwords.study.studio.judges import check_judges, lead_page

    to.check(*logs)
    check_output(html, *logs)
    if html is not None:
        emit([lead_page(logs)], html)
    to.show(check_judges(logs))
    return 0


def show_command(
    texts: options.Texts,
    choice: options.MetricChoice,
    systems: options.SystemFiles = None,
    threads: options.Threads = 1,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Show scored pairs in a local web page: sort, filter, and see each score explained.

    Default metrics: otherwords-mt, maxsim and chrf if there are references, otherwords-rewrite
    if there are only sources.
    """
    from otherwords.study.studio.scores_page import make_scores_page

    _check_installed()
    first, rows = texts.rows(systems or [])
    scorers = choice.build(first)
    with counting("segments scored") as progress:
        page = make_scores_page(
            list(rows), scorers, threads=threads, any_language=texts.any_language, progress=progress
        )
    return _run([page], port, open_browser)


def export_command(
    logs: Annotated[
        list[str],
        Option("--log", help="Read this log of the studio; repeatable for judgements."),
    ],
    annotator: Annotated[
        str | None,
        _alignment_option(
            "--annotator", help="Export the work of this annotator (default: the only one)."
        ),
    ] = None,
    everything: Annotated[
        bool,
        _alignment_option("--all", help="Also export rows that are not marked as done."),
    ] = False,
    drop_flagged: Annotated[
        bool,
        _judgement_option("--drop-flagged", help="Leave out judges who fail the controls."),
    ] = False,
    no_controls: Annotated[
        bool,
        _judgement_option("--no-controls", help="Leave out controls."),
    ] = False,
    output: options.Output = None,
) -> int:
    """Write the gold JSONL that `parametric` reads, or the judged JSONL of `meta` and `train`."""
    from otherwords.study.studio.export import export_rows

    check_output(output, *logs)
    found = export_rows(
        logs,
        annotator=annotator,
        everything=everything,
        drop_flagged=drop_flagged,
        controls=not no_controls,
    )
    emit_bytes(found.lines(), output)
    for message in found.warnings:
        _warn(message)
    return 0


def agreement_command(
    to: Destination,
    first: Annotated[str, Argument(metavar="[NAME=]LOG", help="Log of `studio align`.")],
    second: Annotated[
        str | None,
        Argument(metavar="[NAME=]LOG", help="Another log (default: the first has two)."),
    ] = None,
    everything: Annotated[
        bool,
        options.read("--all", help="Also compare rows that are not marked as done."),
    ] = False,
) -> int:
    """Compare the alignments of two annotators.

    One log may hold both. Rows that either annotator has not finished are left out.
    """
    from otherwords.study.studio.annotators import compare_annotators

    to.check(first, second)
    to.show(compare_annotators(first, second, everything=everything))
    return 0
