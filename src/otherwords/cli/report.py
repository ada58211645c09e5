"""`otherwords report`: one self-contained page on metrics, systems and human scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from otherwords.cli import options
from otherwords.cli.output import check_output, emit
from otherwords.cli.parameters import argument
from otherwords.cli.progress import counting
from otherwords.io.files import STDIN


def report_command(
    *,
    files: list[str] | None = argument(
        "Rows: JSONL, JSON, CSV, TSV, Parquet or WMT XML; with -r or -s system outputs, one "
        "segment per line: FILE or NAME=FILE; - is standard input.",
        "FILE...",
    ),
    texts: options.Texts,
    choice: options.MetricChoice,
    others: options.OtherMetrics,
    sampling: options.Sampling,
    human: str | None = options.read("Compare metrics with this human score (default: none)."),
    system_human: options.SystemHuman = None,
    controls: options.Controls = None,
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
    plots: str | None = options.written("Write each plot as SVG into this folder."),
    tables: str | None = options.written("Write each table as LaTeX into this folder."),
    threads: options.Threads = 1,
) -> int:
    """Write an offline page that answers which system is better and shows the evidence.

    Example: otherwords report -r reference.txt old.txt new.txt

    Default metrics: otherwords-mt, maxsim and chrf if there are references, otherwords-rewrite
    if there are only sources; with --scores, only its metrics.
    """
    from otherwords.study.agreement.arrays import Scoring
    from otherwords.study.report.report import Layout, build, check_folders

    parallel = bool(texts.references or texts.source)
    systems = files or []
    if not parallel:
        texts, systems = replace(texts, jsonl=[*(files or []), *(texts.jsonl or [])]), []
    inputs = [*options.paths_of(systems), *texts.files, system_human]
    check_output(output, *inputs, *others.files, *choice.files)
    check_folders(plots, tables)
    title = options.or_default(title, _title(systems or texts.jsonl or []))
    first, rows = texts.rows(systems)
    scorers = choice.build(first, defaults=not others.scores)
    every = list(rows)
    then = "testing and drawing"
    with counting("texts scored", total=len(every), then=then) as progress:
        page = build(
            every,
            scorers,
            human,
            system_human=system_human,
            **others.given,
            layout=Layout(title, examples, explained),
            resampling=sampling.resampling(),
            controls=options.or_default(controls, False),
            scoring=Scoring(threads, texts.any_language, progress),
        )
    page.write(plots=plots, tables=tables)
    emit([page.html], output)
    if output != STDIN:
        print(f"{output}: {page.verdict}".replace("\xa0", " "))
    return 0


def _title(paths: Sequence[str]) -> str:
    names = [Path(path).name.split(".")[0] or path for path in paths]
    return ", ".join("standard input" if name == STDIN else name for name in names)
