"""`otherwords score`: system outputs and references in, a table of scores out."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.output import Format, check_output, chosen_format, show
from otherwords.cli.progress import counting
from otherwords.corpus.inputs import first_row, read_inputs
from otherwords.corpus.parallel import split_name
from otherwords.errors import UsageError
from otherwords.scoring.choice import SACREBLEU, default_metrics
from otherwords.scoring.run import explain_rows, score_rows

__all__ = ["score_command"]


def score_command(
    systems: Annotated[
        list[str] | None,
        typer.Argument(
            help="System outputs, one segment per line: FILE or NAME=FILE; - is standard input.",
            metavar="SYSTEM...",
        ),
    ] = None,
    metrics: options.MetricNames = None,
    references: options.ReferenceFiles = None,
    source: options.SourceFile = None,
    jsonl: options.Rows = None,
    columns: options.ColumnNames = None,
    docs: options.Documents = None,
    common: Annotated[
        bool,
        typer.Option(
            "--common",
            help="Score only the segments that all systems have.",
            rich_help_panel=options.INPUT,
        ),
    ] = False,
    any_language: options.AnyLanguage = False,
    sacrebleu: Annotated[
        bool,
        typer.Option(
            "--with-sacrebleu", help=f"Add {', '.join(SACREBLEU)}.", rich_help_panel=options.METRICS
        ),
    ] = False,
    baselines: Annotated[bool, options.renamed("--baselines", "--with-sacrebleu")] = False,
    against: options.AgainstOption = None,
    case: options.Case = None,
    tokenizer: options.Tokenizer = None,
    annotator: Annotated[
        str | None,
        typer.Option(
            help="Annotate with embedded or spacy[:MODEL].", rich_help_panel=options.METRICS
        ),
    ] = None,
    preset: options.Preset = None,
    settings: options.Settings = None,
    sweep: Annotated[
        str | None,
        typer.Option(
            help="Score with each value: OPTION=FIRST:LAST:STEP or OPTION=VALUE,...",
            rich_help_panel=options.METRICS,
        ),
    ] = None,
    ci: options.Intervals = False,
    confidence: options.Confidence = None,
    paired: options.PairedTest = None,
    baseline: options.Baseline = None,
    resamples: options.Resamples = None,
    resamples_max: options.ResamplesMax = None,
    seed: options.Seed = None,
    segments: Annotated[
        bool,
        typer.Option(
            "--segments", help="Print the score of each segment.", rich_help_panel=options.OUTPUT
        ),
    ] = False,
    texts: Annotated[
        bool,
        typer.Option(
            "--texts", help="Print the texts with --segments.", rich_help_panel=options.OUTPUT
        ),
    ] = False,
    worst: Annotated[
        int | None,
        typer.Option(
            help="Show the K worst segments of each system, with texts and explanations.",
            metavar="K",
            min=1,
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    best: Annotated[
        int | None,
        typer.Option(
            help="Show the K best segments of each system, in the same way.",
            metavar="K",
            min=1,
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            help="Choose worst and best segments by this metric (default: the first of -m).",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    explain: Annotated[
        int | None,
        typer.Option(
            help="Explain the scores of segment N (from 1).",
            metavar="N",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Score system outputs with one or several metrics."""
    files = [split_name(system)[1] for system in systems or []]
    inputs = [*files, *(references or []), *(jsonl or []), source, docs]
    check_output(output, *inputs, *options.files_of(settings or []))
    options.refuse_idle(ci, "--ci", confidence=confidence)
    options.refuse_idle(paired is not None, "--paired", baseline=baseline)
    tested = {"resamples": resamples, "resamples_max": resamples_max, "seed": seed, "docs": docs}
    options.refuse_idle(ci or paired is not None, "--ci or --paired", **tested)
    options.check_most(resamples, resamples_max)
    options.refuse_idle(bool(metrics), "-m", sweep=sweep)
    options.refuse_idle(segments, "--segments", texts=texts)
    options.refuse_idle(bool(worst or best), "--worst or --best", by=by)
    if explain is not None and (ci or paired or segments or sweep or common or worst or best):
        raise UsageError(
            "--explain goes with none of --ci, --paired, --segments, --sweep, --common, --worst, "
            "--best"
        )
    if sweep and (worst or best):
        raise UsageError(
            "--worst and --best show segments of one metric; give them without --sweep"
        )
    if segments and (worst or best):
        raise UsageError("--segments prints all segments; give it without --worst and --best")
    if segments and (ci or paired) and chosen_format(form, output) is not Format.json:
        raise UsageError("--segments with --ci or --paired needs --format json")
    chosen = options.parse_columns(columns)
    first, rows = first_row(
        read_inputs(systems or [], references or [], source, docs, jsonl or [], chosen)
    )
    shared = options.common_options(
        against=against, case=case, tokenizer=tokenizer, annotator=annotator, preset=preset
    )
    names = [*(metrics or default_metrics(first, against)), *(SACREBLEU if sacrebleu else ())]
    scorers = options.build_metrics(names, shared, settings, sweep, row=first)
    if explain is not None:
        show(explain_rows(rows, scorers, explain, any_language=any_language), form, output)
        return 0
    with counting("segments scored") as progress:
        result = score_rows(
            rows,
            scorers,
            ci=ci,
            confidence=options.given(confidence, 0.95),
            paired=paired.value if paired else None,
            baseline=baseline,
            resamples=options.given(resamples, 1000),
            seed=options.given(seed, 0),
            resamples_max=options.given(resamples_max, 100_000),
            common=common,
            worst=options.given(worst, 0),
            best=options.given(best, 0),
            by=by,
            texts=texts,
            by_metric=sweep is not None,
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    show(result.by_segment() if segments else result, form, output)
    return 0
