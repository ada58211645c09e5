"""`otherwords studio`: web pages to align words and judge texts; their logs."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated, Literal

from otherwords.cli import options
from otherwords.cli.output import Destination, check_output, emit, emit_bytes
from otherwords.cli.parameters import argument, option
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.study.studio.page import Page


_page_option = partial(option, panel="Page")
Port = Annotated[
    int,
    _page_option(
        "Serve on this port of this machine; 0: any free port.", "--port", min=0, max=65535
    ),
]
OpenBrowser = Annotated[bool, _page_option("Open the page in a browser.", "--open")]
LOCAL = "127.0.0.1"
WorkLog = Annotated[
    str,
    option("Append every change to this log, and continue from it.", "--log"),
]
_NEEDED = ("starlette", "uvicorn")
_task_option = partial(option, panel="Task of a new log")
CRITERIA = "adequacy,fluency,dissimilarity,overall"
TOGETHER = "meaning,grammaticality"
CONTROLS = "copy,random,reference,deleted"
_alignment_option = partial(option, panel="Alignments")
_judgement_option = partial(option, panel="Judgements")


def _check_installed() -> None:
    """Refuse, before any work, to run without the packages of the extra `studio`."""
    from importlib.util import find_spec

    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"the studio needs {' and '.join(missing)}: pip install 'otherwords[studio]'"
        )


def _warn(message: str) -> None:
    """Print a warning on standard error."""
    print(message, file=sys.stderr)


def _run(
    pages: Mapping[str, Page],
    port: int,
    open_browser: bool,
    bind: str = LOCAL,
    address: str | None = None,
) -> int:
    """Serve the page of each person until Ctrl-C, and print their addresses."""
    from otherwords.study.studio.server import Site, serve

    site = Site(bind, address)
    if not site.is_local and site.scheme == "http":
        _warn("links and judgements travel unencrypted; docs/studio.md shows a proxy with TLS")

    def ready(addresses: Mapping[str, str]) -> None:
        first = next(iter(addresses.values()))
        stop = "(Ctrl-C stops it; all work is saved)"
        lines = [f"The studio runs at {first} {stop}"]
        if len(addresses) > 1:
            lines = [f"The studio runs {stop}. Send each judge their own link:"]
            lines += [f"  {name}  {link}" for name, link in addresses.items()]
        emit(["\n".join(lines)], None)
        if open_browser:
            webbrowser.open(first)

    with suppress(KeyboardInterrupt):
        serve(pages, port, ready, site)
    return 0


StartLinks = Literal["given", "aligner", "nothing"]  # The links that an annotator starts from.


def align_command(
    *,
    log: WorkLog,
    annotator: str = option("Name the annotator."),
    jsonl: str | None = options.read("Align these rows: source, target; other keys are kept."),
    bitext: str | None = options.read(
        "Align this bitext: a file of two columns, or two files LEFT,RIGHT."
    ),
    adjudicate: tuple[str, str] | None = options.read(
        "Decide where the links of two annotators differ.", metavar="[NAME=]LOG [NAME=]LOG"
    ),
    alignment: str | None = options.read("Start from these links i-j, one line per row."),
    start: StartLinks | None = options.read(
        "Start from the links of --jsonl (given), from those of the embedded aligner, or from none."
    ),
    tokenizer: str | None = options.read(
        "Tokenize --bitext with this, or LEFT,RIGHT (default: auto)."
    ),
    gold_base: int | None = options.read(
        "Count positions of the links of --jsonl from 0 or from 1 (default: 0).", min=0, max=1
    ),
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
        start,
        options.or_default(tokenizer, "auto"),
        options.or_default(gold_base, 0),
    )
    with ExitStack() as stack:
        with counting("iterations of the aligner") as progress:  # ends before the page opens
            opened = open_alignment_page(log, annotator, source, warn=_warn, progress=progress)
            page = stack.enter_context(opened)
        return _run({annotator: page}, port, open_browser)


def judge_command(
    *,
    judge: list[str] = option("Name the judge; repeatable: each judge gets a link."),
    log: WorkLog,
    jsonl: list[str] | None = _task_option(
        "Judge these rows; repeatable (default: those of the log).", "--rows", "--jsonl"
    ),
    columns: options.ColumnNames = None,
    systems: str | None = _task_option("Judge these systems, separated by commas (default: all)."),
    together: bool = _task_option("Show all systems' outputs for an input at once, with controls."),
    criteria: str | None = _task_option(
        f"Ask for these criteria (default: {CRITERIA}; with --together: {TOGETHER})."
    ),
    scale: str | None = _task_option(
        "Ask for scores in this range, such as 0:100 (default: 1:5).", metavar="LOW:HIGH"
    ),
    spans: bool = _task_option("Ask for the errors of each text: minor, major or critical."),
    against: options.Against | None = _task_option(
        "Compare with the source or the first reference (default: source)."
    ),
    control_kinds: str | None = _task_option(
        f"Mix in these kinds of controls, or none (default: {CONTROLS})."
    ),
    share: float | None = _task_option("Set the share of controls among all pairs (default: 0.1)."),
    sample: int | None = _task_option(
        "Judge N random pairs, or inputs with --together (default: all)."
    ),
    seed: int | None = _task_option(
        "Set the seed of sample, controls and order (default: 0).", min=0
    ),
    instructions: str | None = _task_option(
        "Show judges the text of this file instead of our instructions."
    ),
    port: Port = 0,
    open_browser: OpenBrowser = False,
    bind: str = _page_option(
        "Serve on this address, for judges on other machines.", metavar="HOST", default=LOCAL
    ),
    address: str | None = _page_option(
        "Print links with this address, that of a proxy with TLS.", metavar="URL"
    ),
) -> int:
    """Judge paraphrases in a web page: blind, in random order, with controls mixed in."""
    from otherwords.corpus.formats import parse_columns
    from otherwords.study.studio.judgement_page import TaskOptions, open_judgement_pages

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
        spans=spans or None,
    )
    if together and (control_kinds is not None or share is not None):
        raise UsageError("--together adds its own controls; leave out --control-kinds and --share")
    options.refuse_idle(control_kinds != "none", "controls", share=share)
    _check_installed()
    kinds = options.or_default(control_kinds, CONTROLS)
    task = TaskOptions(
        rows=jsonl or [],
        columns=parse_columns(columns),
        systems=options.names_of(systems) or [],
        criteria=options.names_of(criteria or (TOGETHER if together else CRITERIA)) or [],
        controls=[] if kinds == "none" else options.names_of(kinds) or [],
        share=options.or_default(share, 0.1),
        sample=sample,
        seed=options.or_default(seed, 0),
        scale=_parse_scale(options.or_default(scale, "1:5")),
        against=options.or_default(against, "source"),
        together=together,
        instructions=instructions,
        spans=spans,
    )
    with open_judgement_pages(log, judge, task, warn=_warn) as pages:
        names = list(dict.fromkeys(name.strip() for name in judge))
        named = dict(zip(names, pages, strict=True))
        return _run(named, port, open_browser, bind, address)


def _parse_scale(text: str) -> tuple[int, int]:
    low, _, high = text.partition(":")
    try:
        return int(low), int(high)
    except ValueError as error:
        raise UsageError(f"a scale is LOW:HIGH in whole numbers, not '{text}'") from error


def judges_command(
    *,
    to: Destination,
    logs: list[str] = argument("Logs of judgements.", "LOG..."),
    html: str | None = options.written("Also write the tables as a page to this file."),
) -> int:
    """Check each judge by the scores of the controls, and list flagged judges."""
    from otherwords.study.studio.judges import check_judges

    to.check(*logs)
    check_output(html, *logs)
    result = check_judges(logs)
    if html is not None:
        emit([result.page()], html)
    to.show(result)
    return 0


def try_page_command(
    *,
    any_language: options.AnyLanguage = False,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Try rewrites in a local web page: type two texts, see the verdict and its reasons."""
    from otherwords.study.studio.trial_page import make_trial_page

    _check_installed()
    return _run({"": make_trial_page(any_language=any_language)}, port, open_browser)


def export_command(
    *,
    logs: list[str] = option("Read this log of the studio; repeatable for judgements.", "--log"),
    annotator: str | None = _alignment_option(
        "Export the work of this annotator (default: the only one)."
    ),
    everything: bool = _alignment_option("Also export rows that are not marked as done.", "--all"),
    drop_flagged: bool = _judgement_option("Leave out judges who fail the controls."),
    no_controls: bool = _judgement_option("Leave out controls."),
    output: options.Output = None,
) -> int:
    """Write the gold JSONL that `parametric` reads, or the judged JSONL of `meta` and `train`."""
    from otherwords.study.studio.export import export_rows

    check_output(output, *logs)
    exported = export_rows(
        logs,
        annotator=annotator,
        everything=everything,
        drop_flagged=drop_flagged,
        controls=not no_controls,
    )
    emit_bytes(exported.lines(), output)
    for message in exported.warnings:
        _warn(message)
    return 0


def agreement_command(
    *,
    to: Destination,
    first: str = argument("Log of `studio align`.", "[NAME=]LOG"),
    second: str | None = argument("Another log (default: the first has two).", "[NAME=]LOG"),
    everything: bool = options.read("Also compare rows that are not marked as done.", "--all"),
) -> int:
    """Compare the alignments of two annotators.

    One log may hold both. Rows that either annotator has not finished are left out.
    """
    from otherwords.study.studio.annotators import compare_annotators

    to.check(first, second)
    to.show(compare_annotators(first, second, everything=everything))
    return 0
