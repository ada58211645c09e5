"""`otherwords meta paper pem`: PEM's Tables 1-3 on a judged set."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from otherwords.cli import options
from otherwords.cli.meta import Controls, MetaMetrics, names_of, scorers
from otherwords.cli.output import check_output, show
from otherwords.cli.progress import counting
from otherwords.corpus.inputs import read_inputs
from otherwords.errors import UsageError
from otherwords.meta import pem_tables
from otherwords.meta.judged import parse_scale
from otherwords.meta.papers.pem import parse_restriction
from otherwords.metrics.pem_paper import PaperFeatures
from otherwords.report import pem_plots, write_plots
from otherwords.report.report_page import check_folders
from otherwords.stats import Resampling
from otherwords.training import pem_protocol

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
    protocol: Annotated[
        bool,
        typer.Option(
            "--protocol",
            help="Repeat the paper's experiment: add controls, train PEM on the first two thirds "
            "of the originals, test it on the rest; --set is for its features.",
            rich_help_panel=options.INPUT,
        ),
    ] = False,
    any_language: options.AnyLanguage = False,
    metrics: MetaMetrics = None,
    against: options.AgainstOption = None,
    preset: options.Preset = None,
    settings: options.Settings = None,
    ci: options.Intervals = False,
    confidence: options.Confidence = None,
    resamples: options.Resamples = None,
    seed: options.Seed = None,
    plots: Annotated[
        str | None,
        typer.Option(
            help="Write Figures 3, 4 and 5 as SVG into this folder.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Make PEM's tables: Pearson of judges with each other, of criteria, of metrics.

    Without metrics (the default) there is no Table 3, unless --protocol makes it.
    """
    check_output(output, *options.given(jsonl, []), *options.files_of(settings or []))
    options.refuse_idle(ci, "--ci", confidence=confidence, resamples=resamples)
    options.refuse_idle(ci or protocol, "--ci or --protocol", seed=seed)
    if protocol and (controls is not None or control_scale != "1:5"):
        raise UsageError("--protocol makes the controls itself, on the scale of 1:5")
    check_folders(plots, "svg", None)
    resampling = Resampling(
        confidence=options.given(confidence, 0.95),
        resamples=options.given(resamples, 1000),
        seed=options.given(seed, 0),
    )
    of_metrics = None if protocol else settings
    made = scorers(options.given(metrics, []), against, of_metrics, preset=preset)
    scales = dict(parse_scale(one) for one in options.given(scale, []))
    every = scales.pop("", None)
    shared: dict[str, Any] = {
        "criteria": names_of(criteria),
        "restriction": parse_restriction(restrict),
        "scales": scales,
        "scale": every,
        "resampling": resampling if ci else None,
        "threads": threads,
        "any_language": any_language,
    }
    rows = list(read_inputs(rows=options.given(jsonl, []), columns=options.parse_columns(columns)))
    with counting("segments scored") as progress:
        if protocol:
            found = pem_protocol(
                rows,
                made,
                human,
                settings=options.parse_settings(settings or [], (*PaperFeatures.OPTIONS, "model")),
                seed=options.given(seed, 0),
                progress=progress,
                **shared,
            )
        else:
            found = pem_tables(
                rows,
                made,
                human,
                control_scale=parse_scale(control_scale)[1],
                controls=options.given(controls, True),
                progress=progress,
                **shared,
            )
    if plots is not None:
        write_plots(pem_plots(found), plots)
    show(found, form, output)
    return 0
