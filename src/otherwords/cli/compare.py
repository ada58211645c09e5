"""`otherwords compare`: two systems side by side, without human scores."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.output import check_output, emit, show
from otherwords.cli.progress import counting
from otherwords.corpus.inputs import first_row, read_inputs
from otherwords.corpus.parallel import split_name
from otherwords.errors import UsageError
from otherwords.scoring.choice import default_metrics
from otherwords.scoring.comparison import compare_systems, pair_systems
from otherwords.stats.estimates import Resampling

__all__ = ["compare_command"]


def compare_command(
    systems: Annotated[
        list[str] | None,
        typer.Argument(
            help="Two system outputs, one segment per line: FILE or NAME=FILE; with --rows the "
            "names of two systems.",
            metavar="A B",
        ),
    ] = None,
    metrics: options.MetricNames = None,
    references: options.ReferenceFiles = None,
    source: options.SourceFile = None,
    jsonl: options.Rows = None,
    columns: options.ColumnNames = None,
    docs: options.Documents = None,
    any_language: options.AnyLanguage = False,
    against: options.AgainstOption = None,
    case: options.Case = None,
    tokenizer: options.Tokenizer = None,
    settings: options.Settings = None,
    confidence: options.Confidence = None,
    resamples: options.Resamples = None,
    seed: options.Seed = None,
    by: Annotated[
        str | None,
        typer.Option(
            help="Choose examples by this metric (default: the first of -m).",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    examples: Annotated[
        int,
        typer.Option(
            help="Show so many examples each way, and twice as many n-grams.",
            min=0,
            max=1000,
            rich_help_panel=options.OUTPUT,
        ),
    ] = 5,
    html: Annotated[
        str | None,
        typer.Option(
            "--html", help="Write a page with drawn explanations.", rich_help_panel=options.OUTPUT
        ),
    ] = None,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Compare two systems: scores, lengths, words, n-grams and examples, with significance."""
    files = [] if jsonl else [split_name(system)[1] for system in systems or []]
    inputs = [*files, *(references or []), *(jsonl or []), source, docs]
    for target in (output, html):
        check_output(target, *inputs, *options.files_of(settings or []))
    if html is not None and html == output:
        raise UsageError(f"{html} is both --html and --output; give one of them another name")
    if not jsonl and len(files) != 2:
        raise UsageError(f"two systems are compared, not {len(files)}")
    resampling = Resampling(
        confidence=options.given(confidence, 0.95),
        resamples=options.given(resamples, 1000),
        seed=options.given(seed, 0),
    )
    named = systems or []
    files, chosen = [] if jsonl else named, options.parse_columns(columns)
    first, rows = first_row(read_inputs(files, references or [], source, docs, jsonl or [], chosen))
    common = options.common_options(against=against, case=case, tokenizer=tokenizer)
    names = metrics or default_metrics(first, against)
    scorers = options.build_metrics(names, common, settings, row=first)
    if by is None and not metrics and "maxsim" in scorers:
        by = "maxsim"  # of the default metrics the one whose explanations show what matched
    pair = pair_systems(rows, named if jsonl else [])
    with counting("segments scored") as progress:
        result = compare_systems(
            pair,
            scorers,
            resampling=resampling,
            by=by,
            shown=examples,
            tokenizer=tokenizer or "penn",
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    if html is not None:
        from otherwords.report.comparison import page

        emit([page(result)], html)
    show(result, form, output)
    return 0
