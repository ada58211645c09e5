"""`otherwords compare`: two systems side by side, without human scores."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli.compare_tables import render
from otherwords.cli.options import (
    Against,
    AnyLanguage,
    Case,
    Confidence,
    Documents,
    MetricNames,
    Output,
    ReferenceFiles,
    Resamples,
    Seed,
    Settings,
    SourceFile,
    Threads,
    Tokenizer,
    build_metrics,
    common_options,
    files_of,
    given,
)
from otherwords.cli.output import Format, check_output, emit
from otherwords.cli.progress import counting
from otherwords.corpus.inputs import read_rows
from otherwords.errors import UsageError, near

__all__ = ["compare_command"]


def compare_command(
    systems: Annotated[
        list[str] | None,
        typer.Argument(
            help="Two system outputs, a segment a line; with --jsonl the names of two systems.",
            metavar="A B",
        ),
    ] = None,
    metrics: MetricNames = None,
    references: ReferenceFiles = None,
    source: SourceFile = None,
    jsonl: Annotated[
        list[str] | None, typer.Option("--jsonl", help="Rows of two or more systems.")
    ] = None,
    docs: Documents = None,
    against: Annotated[
        Against | None, typer.Option(help="Compare with these, whatever the metric's habit.")
    ] = None,
    by: Annotated[
        str | None, typer.Option(help="The metric that examples are chosen by (the first).")
    ] = None,
    examples: Annotated[
        int, typer.Option(help="Examples each way; twice as many n-grams.", min=0, max=1000)
    ] = 5,
    resamples: Resamples = None,
    confidence: Confidence = None,
    seed: Seed = None,
    case: Case = None,
    tokenizer: Tokenizer = None,
    settings: Settings = None,
    html: Annotated[
        str | None, typer.Option("--html", help="Write a page, explanations drawn, to this file.")
    ] = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    output: Output = None,
    threads: Threads = 1,
    any_language: AnyLanguage = False,
) -> int:
    """Compare two systems: scores, lengths, words, n-grams and examples, with significance."""
    from otherwords.scoring.comparison import compare_systems, pair_systems
    from otherwords.stats.estimates import Resampling

    inputs = [*(references or []), *(jsonl or []), source, docs, *files_of(settings or [])]
    inputs += [] if jsonl else systems or []
    for target in (output, html):
        check_output(target, *inputs)
    if html is not None and html == output:
        raise UsageError(f"{html} is both --html and --output; give one of them another name")
    resampling = Resampling(
        confidence=given(confidence, 0.95), resamples=given(resamples, 1000), seed=given(seed, 0)
    )
    common = common_options(
        against=against.value if against else None, case=case, tokenizer=tokenizer
    )
    scorers = build_metrics(metrics or ["maxsim,bleu,chrf"], common, settings or [], None)
    if by is not None and by not in scorers:
        raise UsageError(f"--by is one of the metrics; {near(by, scorers)}")
    if not jsonl and len(systems or []) != 2:
        raise UsageError(f"two systems are compared, not {len(systems or [])}")
    rows = read_rows([] if jsonl else systems or [], references or [], source, docs, jsonl or [])
    pair = pair_systems(rows, (systems or []) if jsonl else [])
    with counting("segments scored") as progress:
        found = compare_systems(
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

        emit([page(found)], html)
    emit(render(found, form), output)
    return 0
