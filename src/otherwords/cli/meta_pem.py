"""`otherwords meta paper pem`: PEM's Tables 1-3 on a judged set."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.meta import Controls, MetaMetrics, names_of, scorers
from otherwords.cli.output import check_output, show
from otherwords.cli.progress import counting
from otherwords.corpus.inputs import read_inputs
from otherwords.meta import pem_tables
from otherwords.meta.judged import parse_scale
from otherwords.meta.papers.pem import parse_restriction

__all__ = ["pem_command"]


def pem_command(
    jsonl: options.Rows,
    columns: options.ColumnNames = None,
    human: Annotated[
        str,
        typer.Option(
            help="Overall human score (default: overall).",
            show_default=False,
            rich_help_panel=options.INPUT,
        ),
    ] = "overall",
    criteria: Annotated[
        str | None,
        typer.Option(
            help="Criteria of Table 2, separated by commas (default: adequacy, fluency, "
            "dissimilarity and all others there are).",
            rich_help_panel=options.INPUT,
        ),
    ] = None,
    restrict: Annotated[
        str,
        typer.Option(
            help="Last line of Table 2: a criterion where others are high, on the scale of 1-5; "
            "or none (default: dissimilarity:adequacy>=4,fluency>=4).",
            show_default=False,
            rich_help_panel=options.INPUT,
        ),
    ] = "dissimilarity:adequacy>=4,fluency>=4",
    scale: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[CRITERION=]LOW:HIGH",
            help="Scale of the judges (default: 1:5); repeatable.",
            rich_help_panel=options.INPUT,
        ),
    ] = None,
    control_scale: Annotated[
        str,
        typer.Option(
            metavar="LOW:HIGH",
            help="Scale of the controls' scores (default: 1:5).",
            show_default=False,
            rich_help_panel=options.INPUT,
        ),
    ] = "1:5",
    controls: Controls = None,
    any_language: options.AnyLanguage = False,
    metrics: MetaMetrics = None,
    against: options.AgainstOption = None,
    preset: options.Preset = None,
    settings: options.Settings = None,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Make PEM's tables: Pearson of judges with each other, of criteria, of metrics.

    Without metrics (the default) there is no Table 3.
    """
    check_output(output, *options.given(jsonl, []), *options.files_of(settings or []))
    made = scorers(options.given(metrics, []), against, settings, preset=preset)
    restriction = parse_restriction(restrict)
    scales = dict(parse_scale(one) for one in options.given(scale, []))
    every = scales.pop("", None)
    rows = list(read_inputs(rows=options.given(jsonl, []), columns=options.parse_columns(columns)))
    with counting("segments scored") as progress:
        found = pem_tables(
            rows,
            made,
            human,
            criteria=names_of(criteria),
            restriction=restriction,
            scales=scales,
            scale=every,
            control_scale=parse_scale(control_scale)[1],
            controls=options.given(controls, True),
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    show(found, form, output)
    return 0
