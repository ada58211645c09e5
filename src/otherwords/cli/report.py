"""`otherwords report`: one page on metrics, systems and human scores that needs no other file."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.meta import Controls, LowerIsBetter, MetaMetrics, ScoreFiles, names_of, scorers
from otherwords.cli.output import check_output, emit
from otherwords.cli.progress import counting
from otherwords.corpus.inputs import read_inputs
from otherwords.io.files import STDIN
from otherwords.report import build
from otherwords.report.report_page import PlotFormat, check_folders
from otherwords.stats import Resampling

__all__ = ["report_command"]


class PlotFormats(StrEnum):
    """Formats of plots."""

    svg = "svg"
    png = "png"
    both = "both"


def report_command(
    jsonl: Annotated[
        list[str],
        typer.Argument(
            help="Rows: JSONL, JSON, CSV, TSV, Parquet or WMT XML; - is standard input.",
            metavar="ROWS...",
        ),
    ],
    columns: options.ColumnNames = None,
    human: Annotated[
        str | None,
        typer.Option(
            help="Human score to compare with (default: none).", rich_help_panel=options.INPUT
        ),
    ] = None,
    scores: ScoreFiles = None,
    lower_is_better: LowerIsBetter = None,
    controls: Controls = None,
    any_language: options.AnyLanguage = False,
    metrics: MetaMetrics = None,
    against: options.AgainstOption = None,
    case: options.Case = None,
    tokenizer: options.Tokenizer = None,
    settings: options.Settings = None,
    confidence: options.Confidence = None,
    resamples: options.Resamples = None,
    resamples_max: options.ResamplesMax = None,
    seed: options.Seed = None,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            help="Write the page to this file (default: report.html).",
            show_default=False,
            rich_help_panel=options.OUTPUT,
        ),
    ] = "report.html",
    title: Annotated[
        str | None,
        typer.Option(
            help="Title of the page (default: from the files).", rich_help_panel=options.OUTPUT
        ),
    ] = None,
    examples: Annotated[
        int,
        typer.Option(
            help="Show so many of the worst disagreements of each metric, each way (default: 3).",
            min=0,
            max=1000,
            show_default=False,
            rich_help_panel=options.OUTPUT,
        ),
    ] = 3,
    plots: Annotated[
        str | None,
        typer.Option(help="Write each plot into this folder.", rich_help_panel=options.OUTPUT),
    ] = None,
    plot_format: Annotated[
        PlotFormats | None,
        typer.Option(
            help="Format of --plots (default: svg; png needs the extra [report]).",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    tables: Annotated[
        str | None,
        typer.Option(
            help="Write each table as LaTeX into this folder.", rich_help_panel=options.OUTPUT
        ),
    ] = None,
    threads: options.Threads = 1,
) -> int:
    """Write a page of scores, significance, plots and worst disagreements, to read offline.

    Default metrics: maxsim, bleu, chrf.
    """
    check_output(output, *jsonl, *options.given(scores, []), *options.files_of(settings or []))
    options.check_most(resamples, resamples_max)
    options.refuse_idle(plots is not None, "--plots", plot_format=plot_format)
    drawn: PlotFormat = options.given(plot_format, PlotFormats.svg).value
    check_folders(plots, drawn, tables)
    resampling = Resampling(
        confidence=options.given(confidence, 0.95),
        resamples=options.given(resamples, 1000),
        seed=options.given(seed, 0),
    )
    chosen = options.parse_columns(columns)
    made = scorers(
        options.given(metrics, ["maxsim,bleu,chrf"]),
        against,
        settings,
        case=case,
        tokenizer=tokenizer,
    )
    with counting("segments scored") as progress:
        page = build(
            list(read_inputs(rows=jsonl, columns=chosen)),
            made,
            human,
            scores=options.given(scores, []),
            lower_is_better=names_of(lower_is_better) or [],
            title=options.given(title, _title(jsonl)),
            examples=examples,
            resampling=resampling,
            resamples_max=options.given(resamples_max, 100_000),
            controls=options.given(controls, False),
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    page.write(plots=plots, plot_format=drawn, tables=tables)
    emit([page.html], output)
    return 0


def _title(paths: Sequence[str]) -> str:
    names = [Path(path).name.split(".")[0] or path for path in paths]
    return ", ".join("standard input" if name == STDIN else name for name in names)
