"""`otherwords studio judge` and `judges`: collect judgements, and check who gave them."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli.options import Against, Form, Output, given, refuse_idle
from otherwords.cli.output import check_output, show
from otherwords.cli.studio_server import (
    OpenBrowser,
    Port,
    WorkLog,
    check_installed,
    names_of,
    run,
)
from otherwords.errors import UsageError

__all__ = ["judge_command", "judges_command"]

TASK = "Task of a new log"
CRITERIA = "adequacy,fluency,dissimilarity,overall"
CONTROLS = "copy,random,reference,deleted"


def judge_command(
    judge: Annotated[str, typer.Option("--judge", help="Name of the judge.")],
    log: WorkLog,
    jsonl: Annotated[
        list[str] | None,
        typer.Option(
            "--jsonl",
            help="Rows to judge; repeatable (default: those of the log).",
            rich_help_panel=TASK,
        ),
    ] = None,
    systems: Annotated[
        str | None,
        typer.Option(
            "--systems",
            help="Judge these systems, separated by commas (default: all).",
            rich_help_panel=TASK,
        ),
    ] = None,
    criteria: Annotated[
        str | None,
        typer.Option(
            help=f"Criteria: {CRITERIA} (the default), meaning, grammaticality.",
            rich_help_panel=TASK,
        ),
    ] = None,
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="LOW:HIGH", help="Range of the scores (default: 1:5).", rich_help_panel=TASK
        ),
    ] = None,
    against: Annotated[
        Against | None,
        typer.Option(
            help="Compare with the source or the first reference (default: source).",
            rich_help_panel=TASK,
        ),
    ] = None,
    controls: Annotated[
        str | None,
        typer.Option(
            help=f"Kinds of controls to mix in, or none (default: {CONTROLS}).",
            rich_help_panel=TASK,
        ),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            help="Share of controls among all pairs (default: 0.1).", rich_help_panel=TASK
        ),
    ] = None,
    sample: Annotated[
        int | None, typer.Option(help="Judge N random pairs (default: all).", rich_help_panel=TASK)
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            help="Seed of sample, controls and order (default: 0).", min=0, rich_help_panel=TASK
        ),
    ] = None,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Judge paraphrases in a local web page: blind, in random order, with controls mixed in."""
    from otherwords.studio import judgement_page

    refuse_idle(
        bool(jsonl),
        "--jsonl; the log keeps the task it was begun with",
        systems=systems,
        criteria=criteria,
        scale=scale,
        against=against,
        controls=controls,
        share=share,
        sample=sample,
        seed=seed,
    )
    refuse_idle(controls != "none", "controls", share=share)
    check_installed()
    opened = judgement_page(
        log,
        judge,
        jsonl=jsonl or [],
        systems=names_of(systems or ""),
        criteria=names_of(given(criteria, CRITERIA)),
        controls=[] if controls == "none" else names_of(given(controls, CONTROLS)),
        share=given(share, 0.1),
        sample=sample,
        seed=given(seed, 0),
        scale=_points(given(scale, "1:5")),
        against=given(against, Against.source).value,
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
    logs: Annotated[list[str], typer.Argument(metavar="LOG...", help="Logs of judgements.")],
    form: Form = None,
    output: Output = None,
) -> int:
    """Check each judge by the scores of the controls, and list who is flagged."""
    from otherwords.studio import check_judges

    check_output(output, *logs)
    show(check_judges(logs), form, output)
    return 0
