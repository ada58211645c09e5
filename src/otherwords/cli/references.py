"""`otherwords references`: each set of references scored against the others."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli.options import (
    METRICS,
    OUTPUT,
    STATISTICS,
    AnyLanguage,
    Case,
    ColumnNames,
    Confidence,
    Documents,
    Form,
    Output,
    Paired,
    Resamples,
    Rows,
    Seed,
    Settings,
    Threads,
    Tokenizer,
    build_metrics,
    common_options,
    complete_metrics,
    files_of,
    given,
    parse_columns,
    refuse_idle,
)
from otherwords.cli.output import check_output, show
from otherwords.cli.progress import counting
from otherwords.corpus.parallel import split_name
from otherwords.errors import UsageError
from otherwords.scoring.references import DEFAULT_METRIC, read_references, score_references

__all__ = ["references_command"]


def references_command(
    references: Annotated[
        list[str] | None,
        typer.Argument(
            help="Two or more files of references, one segment per line: FILE or NAME=FILE; "
            "or WMT files.",
            metavar="REF...",
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "-m",
            "--metrics",
            help=f"Metrics, separated by commas; repeatable (default: {DEFAULT_METRIC}).",
            autocompletion=complete_metrics,
            rich_help_panel=METRICS,
        ),
    ] = None,
    jsonl: Rows = None,
    columns: ColumnNames = None,
    docs: Documents = None,
    any_language: AnyLanguage = False,
    case: Case = None,
    tokenizer: Tokenizer = None,
    settings: Settings = None,
    confidence: Confidence = None,
    paired: Annotated[
        Paired | None,
        typer.Option(
            help="Test each set against the best by the first metric.", rich_help_panel=STATISTICS
        ),
    ] = None,
    resamples: Resamples = None,
    seed: Seed = None,
    segments: Annotated[
        bool,
        typer.Option("--segments", help="Print the score of each segment.", rich_help_panel=OUTPUT),
    ] = False,
    form: Form = None,
    output: Output = None,
    threads: Threads = 1,
) -> int:
    """Score each set of references against all the others (ParaEval's Table 4)."""
    files = [split_name(reference)[1] for reference in references or []]
    check_output(output, *files, *(jsonl or []), docs, *files_of(settings or []))
    if segments and paired:
        raise UsageError("--paired does nothing with --segments")
    statistics = {"confidence": confidence, "resamples": resamples, "seed": seed, "docs": docs}
    refuse_idle(not segments, "intervals, which --segments leaves out", **statistics)
    common = common_options(against="references", case=case, tokenizer=tokenizer)
    scorers = build_metrics(metrics or [DEFAULT_METRIC], common, settings)
    rows = read_references(references or [], jsonl or [], docs, parse_columns(columns))
    with counting("references scored") as progress:
        result = score_references(
            rows,
            scorers,
            ci=not segments,
            confidence=given(confidence, 0.95),
            paired=paired.value if paired else None,
            resamples=given(resamples, 1000),
            seed=given(seed, 0),
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    show(result.by_segment() if segments else result, form, output)
    return 0
