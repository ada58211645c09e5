"""`otherwords studio judge` and `judges`: collect judgements, and check who gave them."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from otherwords.cli import options
from otherwords.cli.output import Destination, check_output, emit
from otherwords.cli.parameters import Argument, Option
from otherwords.cli.studio_server import (
    OpenBrowser,
    Port,
    WorkLog,
    check_installed,
    run,
    warn,
)
from otherwords.errors import UsageError

__all__ = ["judge_command", "judges_command"]

asked = partial(Option, panel="Task of a new log")
CRITERIA = "adequacy,fluency,dissimilarity,overall"
TOGETHER = "meaning,grammaticality"
CONTROLS = "copy,random,reference,deleted"


def judge_command(
    judge: Annotated[str, Option("--judge", help="Name the judge.")],
    log: WorkLog,
    jsonl: Annotated[
        list[str] | None,
        asked(
            "--rows", "--jsonl", help="Judge these rows; repeatable (default: those of the log)."
        ),
    ] = None,
    columns: options.ColumnNames = None,
    systems: Annotated[
        str | None,
        asked("--systems", help="Judge these systems, separated by commas (default: all)."),
    ] = None,
    together: Annotated[
        bool,
        asked("--together", help="Show all systems' outputs for an input at once, with controls."),
    ] = False,
    criteria: Annotated[
        str | None,
        asked(help=f"Ask for these criteria (default: {CRITERIA}; with --together: {TOGETHER})."),
    ] = None,
    scale: Annotated[
        str | None,
        asked(metavar="LOW:HIGH", help="Ask for scores in this range (default: 1:5)."),
    ] = None,
    against: Annotated[
        options.Against | None,
        asked(help="Compare with the source or the first reference (default: source)."),
    ] = None,
    control_kinds: Annotated[
        str | None,
        asked(help=f"Mix in these kinds of controls, or none (default: {CONTROLS})."),
    ] = None,
    share: Annotated[
        float | None,
        asked(help="Set the share of controls among all pairs (default: 0.1)."),
    ] = None,
    sample: Annotated[
        int | None, asked(help="Judge N random pairs, or inputs with --together (default: all).")
    ] = None,
    seed: Annotated[
        int | None,
        asked(help="Set the seed of sample, controls and order (default: 0).", min=0),
    ] = None,
    instructions: Annotated[
        str | None,
        asked(help="Show judges the text of this file instead of our instructions."),
    ] = None,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Judge paraphrases in a local web page: blind, in random order, with controls mixed in."""
    from otherwords.corpus.formats import parse_columns
    from otherwords.study.studio.desks import judgement_page

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
    check_installed()
    kinds = options.given(control_kinds, CONTROLS)
    opened = judgement_page(
        log,
        judge,
        jsonl=jsonl or [],
        columns=parse_columns(columns),
        systems=options.names_of(systems) or [],
        criteria=options.names_of(criteria or (TOGETHER if together else CRITERIA)) or [],
        controls=[] if kinds == "none" else options.names_of(kinds) or [],
        share=options.given(share, 0.1),
        sample=sample,
        seed=options.given(seed, 0),
        scale=_points(options.given(scale, "1:5")),
        against=options.given(against, options.Against.source).value,
        together=together,
        instructions=instructions,
        warn=warn,
    )
    with opened as page:
        return run([page], port, open_browser)


def _points(text: str) -> tuple[int, int]:
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
    from otherwords.study.studio.judges_result import check_judges
    from otherwords.study.studio.lead import lead_page

    to.check(*logs)
    check_output(html, *logs)
    if html is not None:
        emit([lead_page(logs)], html)
    to.show(check_judges(logs))
    return 0
