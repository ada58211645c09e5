"""`otherwords report`: one page on metrics, systems and people, that needs nothing but itself."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.options import (
    Against,
    AnyLanguage,
    Case,
    Confidence,
    MetricNames,
    Resamples,
    Seed,
    Settings,
    Threads,
    Tokenizer,
    build_metrics,
    common_options,
    files_of,
    given,
)
from otherwords.cli.output import check_output, emit
from otherwords.cli.progress import counting
from otherwords.cli.tables import latex_lines
from otherwords.corpus.jsonl import read_jsonl
from otherwords.errors import UsageError
from otherwords.io.files import atomic_write

if TYPE_CHECKING:
    from otherwords.report.build import Report

__all__ = ["report_command"]


class PlotFormat(StrEnum):
    """Formats of plots."""

    svg = "svg"
    png = "png"
    both = "both"


def report_command(
    jsonl: Annotated[
        list[str], typer.Argument(help="Rows as JSONL; - is standard input.", metavar="ROWS...")
    ],
    metrics: MetricNames = None,
    human: Annotated[
        str | None, typer.Option(help="The human score that metrics are set beside.")
    ] = None,
    scores: Annotated[
        list[str] | None, typer.Option(help="Scores from elsewhere, TSV or JSONL, as in meta.")
    ] = None,
    lower_is_better: Annotated[
        str | None,
        typer.Option(help="Metrics of --scores whose lower scores are better, with commas."),
    ] = None,
    output: Annotated[str, typer.Option("-o", "--output", help="The page.")] = "report.html",
    plots: Annotated[
        str | None, typer.Option(help="Also write each plot into this folder.")
    ] = None,
    plot_format: Annotated[
        PlotFormat, typer.Option(help="PNG needs the extra [report].")
    ] = PlotFormat.svg,
    tables: Annotated[
        str | None, typer.Option(help="Also write each table as LaTeX into this folder.")
    ] = None,
    title: Annotated[str | None, typer.Option(help="Title (default: from the files).")] = None,
    examples: Annotated[
        int, typer.Option(help="Worst disagreements of each metric, each way.", min=0, max=1000)
    ] = 3,
    controls: Annotated[
        bool, typer.Option("--controls/--no-controls", help="Count systems named control-*.")
    ] = False,
    against: Annotated[
        Against | None, typer.Option(help="Compare with these, whatever the metric's habit.")
    ] = None,
    resamples: Resamples = None,
    confidence: Confidence = None,
    seed: Seed = None,
    case: Case = None,
    tokenizer: Tokenizer = None,
    settings: Settings = None,
    threads: Threads = 1,
    any_language: AnyLanguage = False,
) -> int:
    """Make a page of scores, significance, plots and worst disagreements, to read offline."""
    from otherwords.meta.score_files import read_given
    from otherwords.report.build import build
    from otherwords.report.data import gather
    from otherwords.report.png import check_png
    from otherwords.stats.estimates import Resampling

    check_output(output, *jsonl, *(scores or []), *files_of(settings or []))
    for folder in (plots, tables):
        _check_folder(folder)
    if plots is not None and plot_format is not PlotFormat.svg:
        check_png()
    if lower_is_better and not scores:
        raise UsageError("--lower-is-better goes with --scores")
    resampling = Resampling(
        confidence=given(confidence, 0.95), resamples=given(resamples, 1000), seed=given(seed, 0)
    )
    common = common_options(
        against=against.value if against else None, case=case, tokenizer=tokenizer
    )
    scorers = build_metrics(metrics or ["maxsim,bleu,chrf"], common, settings or [], None)
    rows = list(chain.from_iterable(read_jsonl(path) for path in jsonl))
    columns = [name.strip() for name in (lower_is_better or "").split(",") if name.strip()]
    for path in scores or []:
        for label, outside in read_given(path, rows, lower=columns).items():
            if label in scorers:
                raise UsageError(f"{path}: there is a metric '{label}' already; rename the column")
            scorers[label] = outside
    with counting("segments scored") as progress:
        found = gather(
            rows,
            scorers,
            human,
            resampling=resampling,
            controls=controls,
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    report = build(found, title=title or _title(jsonl), examples=examples)
    if plots is not None:
        _write_plots(report, Path(plots), plot_format)
    if tables is not None:
        _write_tables(report, Path(tables))
    emit([report.html], output)
    return 0


def _title(paths: Sequence[str]) -> str:
    names = [Path(path).name.split(".")[0] or path for path in paths]
    return ", ".join("standard input" if name == "-" else name for name in names)


def _check_folder(folder: str | None) -> None:
    """A folder to write into is made if its parent is there."""
    if folder is None:
        return
    path = Path(folder)
    if path.exists() and not path.is_dir():
        raise UsageError(f"{folder}: this is a file; plots and tables go into a folder")
    if not path.parent.is_dir():
        raise UsageError(f"{folder}: there is no directory {path.parent}")


def _file_name(name: str, taken: set[str]) -> str:
    """The name of a plot or table as that of a file; no two of them are the same.

    >>> _file_name("length-maxsim alpha=0.5", set())
    'length-maxsim-alpha-0.5'
    """
    base = re.sub(r"[^\w.+-]+", "-", name).strip("-.") or "part"
    number = 2
    unique = base
    while unique.casefold() in taken:
        unique = f"{base}-{number}"
        number += 1
    taken.add(unique.casefold())
    return unique


def _write_plots(report: Report, folder: Path, form: PlotFormat) -> None:
    from otherwords.report.plot import standalone
    from otherwords.report.png import to_png

    folder.mkdir(exist_ok=True)
    taken: set[str] = set()
    for plot in report.plots:
        name, svg = _file_name(plot.name, taken), standalone(plot)
        if form is not PlotFormat.png:
            emit([svg.rstrip("\n")], str(folder / f"{name}.svg"))
        if form is not PlotFormat.svg:
            with atomic_write(folder / f"{name}.png") as file:
                file.write(to_png(svg))


def _write_tables(report: Report, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    taken: set[str] = set()
    for table in report.tables:
        emit(latex_lines(table), str(folder / f"{_file_name(table.name, taken)}.tex"))
