"""`otherwords rank`: sources with candidates in, the candidates best first out."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.output import check_output, show
from otherwords.cli.progress import counting
from otherwords.corpus.inputs import read_candidates
from otherwords.errors import UsageError
from otherwords.scoring.ranking import RankingResult, rankings

__all__ = ["rank_command"]


def rank_command(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Rows, or sources with candidates: JSONL, JSON, CSV, TSV or Parquet; - is "
            "standard input.",
        ),
    ],
    columns: options.ColumnNames = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--metric",
            help="Order by this metric (default: pem).",
            autocompletion=options.complete_metrics,
            rich_help_panel=options.METRICS,
        ),
    ] = None,
    top: Annotated[
        int | None,
        typer.Option(
            help="Keep the best K of each source.", metavar="K", rich_help_panel=options.OUTPUT
        ),
    ] = None,
    any_language: options.AnyLanguage = False,
    against: options.AgainstOption = None,
    case: options.Case = None,
    tokenizer: options.Tokenizer = None,
    preset: options.Preset = None,
    settings: options.Settings = None,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Order the candidate paraphrases of each source by a metric, best first."""
    check_output(output, file, *options.files_of(settings or []))
    common = options.common_options(against=against, case=case, tokenizer=tokenizer, preset=preset)
    scorers = options.build_metrics(metric or ["pem"], common, settings)
    if len(scorers) > 1:
        raise UsageError(f"one metric makes the order; -m names {len(scorers)}")
    [scorer] = scorers.values()
    with counting("candidates scored", streamed=output is None) as progress:
        found = rankings(
            read_candidates(file, columns=options.parse_columns(columns)),
            scorer,
            top=top,
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
        show(RankingResult(found, scorer), form, output)
    return 0
