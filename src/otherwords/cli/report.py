"""`otherwords report`: one self-contained page on metrics, systems and human scores."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path

from otherwords.cli import options
from otherwords.cli.output import check_output, emit
from otherwords.cli.parameters import argument
from otherwords.cli.progress import counting
from otherwords.io.files import STDIN


class PlotFormats(StrEnum):
    """Formats of plots."""

    svg = "svg"
    png = "png"
    both = "both"


def report_command(
    *,
    jsonl: list[str] = argument(
        "Rows: JSONL, JSON, CSV, TSV, Parquet or WMT XML; - is standard input.", "ROWS..."
    ),
    choice: options.MetricChoice,
    others: options.OtherMetrics,
    sampling: options.Sampling,
    columns: options.ColumnNames = None,
    human: str | None = options.read("Compare metrics with this human score (default: none)."),
    controls: options.Controls = None,
    any_language: options.AnyLanguage = False,
    resamples_max: options.ResamplesMax = None,
    output: str = options.written(
        "Write the page to this file (default: report.html).",
        "-o",
        "--output",
        show_default=False,
        default="report.html",
    ),
    title: str | None = options.written("Set the title of the page (default: from the files)."),
    examples: int = options.written(
        "Show this many of the largest disagreements between metric and human score, in "
        "each direction (default: 3).",
        min=0,
        max=1000,
        show_default=False,
        default=3,
    ),
    explained: int = options.written(
        "Draw what metrics matched in at most this many rows (default: 2,000).",
        min=0,
        max=1_000_000,
        show_default=False,
        default=2_000,
    ),
    plots: str | None = options.written("Write each plot into this folder."),
    plot_format: PlotFormats | None = options.written(
        "Write --plots in this format (default: svg; png needs the extra [report])."
    ),
    tables: str | None = options.written("Write each table as LaTeX into this folder."),
    threads: options.Threads = 1,
) -> int:
    """Write an offline page that answers which system is better and shows the evidence.

    Default metrics: maxsim, bleu, chrf.
    """
    from otherwords.corpus.formats import parse_columns
    from otherwords.corpus.inputs import read_inputs
    from otherwords.study.agreement.arrays import Scoring
    from otherwords.study.report.report import Layout, PlotFormat, build, check_folders

    check_output(output, *jsonl, *others.files, *choice.files)
    options.check_most(sampling.resamples, resamples_max)
    options.refuse_idle(plots is not None, "--plots", plot_format=plot_format)
    drawn: PlotFormat = options.or_default(plot_format, PlotFormats.svg).value
    check_folders(plots, drawn, tables)
    chosen = parse_columns(columns)
    scorers = choice.build(["maxsim,bleu,chrf"])
    with counting("segments scored") as progress:
        page = build(
            list(read_inputs(rows=jsonl, columns=chosen)),
            scorers,
            human,
            **others.given,
            layout=Layout(options.or_default(title, _title(jsonl)), examples, explained),
            resampling=sampling.resampling(),
            resamples_max=options.or_default(resamples_max, 100_000),
            controls=options.or_default(controls, False),
            scoring=Scoring(threads, any_language, progress),
        )
    page.write(plots=plots, plot_format=drawn, tables=tables)
    emit([page.html], output)
    return 0


def _title(paths: Sequence[str]) -> str:
    names = [Path(path).name.split(".")[0] or path for path in paths]
    return ", ".join("standard input" if name == STDIN else name for name in names)
