"""`otherwords references`: each set of references scored against the others."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli import options
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
            autocompletion=options.complete_metrics,
            rich_help_panel=options.METRICS,
        ),
    ] = None,
    jsonl: options.Rows = None,
    columns: options.ColumnNames = None,
    docs: options.Documents = None,
    any_language: options.AnyLanguage = False,
    case: options.Case = None,
    tokenizer: options.Tokenizer = None,
    settings: options.Settings = None,
    confidence: options.Confidence = None,
    paired: Annotated[
        options.Paired | None,
        typer.Option(
            help="Test each set against the best by the first metric.",
            rich_help_panel=options.STATISTICS,
        ),
    ] = None,
    resamples: options.Resamples = None,
    seed: options.Seed = None,
    segments: Annotated[
        bool,
        typer.Option(
            "--segments", help="Print the score of each segment.", rich_help_panel=options.OUTPUT
        ),
    ] = False,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Score each set of references against all the others (ParaEval's Table 4)."""
    files = [split_name(reference)[1] for reference in references or []]
    check_output(output, *files, *(jsonl or []), docs, *options.files_of(settings or []))
    if segments and paired:
        raise UsageError("--paired does nothing with --segments")
    statistics = {"confidence": confidence, "resamples": resamples, "seed": seed, "docs": docs}
    options.refuse_idle(not segments, "intervals, which --segments leaves out", **statistics)
    common = options.common_options(against="references", case=case, tokenizer=tokenizer)
    scorers = options.build_metrics(metrics or [DEFAULT_METRIC], common, settings)
    rows = read_references(references or [], jsonl or [], docs, options.parse_columns(columns))
    with counting("references scored") as progress:
        result = score_references(
            rows,
            scorers,
            ci=not segments,
            confidence=options.given(confidence, 0.95),
            paired=paired.value if paired else None,
            resamples=options.given(resamples, 1000),
            seed=options.given(seed, 0),
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    show(result.by_segment() if segments else result, form, output)
    return 0
