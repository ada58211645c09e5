"""`otherwords meta recognition`: which metric tells paraphrases from other pairs."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.meta import MetaMetrics, scorers
from otherwords.cli.output import check_output, show
from otherwords.cli.progress import counting
from otherwords.corpus.inputs import read_inputs
from otherwords.meta.recognition import DEFAULT, recognition
from otherwords.stats import Resampling

__all__ = ["recognition_command"]


def recognition_command(
    jsonl: options.Rows,
    columns: options.ColumnNames = None,
    human: Annotated[
        str | None,
        typer.Option(
            help="Labels, 0 or 1 (default: the only human score).", rich_help_panel=options.INPUT
        ),
    ] = None,
    positive: Annotated[
        float | None,
        typer.Option(
            help="Count human scores from this one on as 1 (default: all must be 0 or 1).",
            rich_help_panel=options.INPUT,
        ),
    ] = None,
    any_language: options.AnyLanguage = False,
    metrics: MetaMetrics = None,
    against: options.AgainstOption = None,
    preset: options.Preset = None,
    settings: options.Settings = None,
    threshold: Annotated[
        float | None,
        typer.Option(
            help="Call pairs paraphrases from this score on (default: the best of other items).",
            rich_help_panel=options.STATISTICS,
        ),
    ] = None,
    ci: options.Intervals = False,
    confidence: options.Confidence = None,
    resamples: options.Resamples = None,
    seed: options.Seed = None,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Print how well metrics recognise paraphrases: AUC, and F1 at a threshold.

    Default metrics: pem-adequacy, maxsim, bleu, chrf. Rows without references are compared with
    their source (--against source).
    """
    check_output(output, *options.given(jsonl, []), *options.files_of(settings or []))
    options.refuse_idle(ci, "--ci", confidence=confidence, resamples=resamples, seed=seed)
    resampling = Resampling(
        confidence=options.given(confidence, 0.95),
        resamples=options.given(resamples, 1000),
        seed=options.given(seed, 0),
    )
    rows = list(read_inputs(rows=options.given(jsonl, []), columns=options.parse_columns(columns)))
    names = options.given(metrics, [",".join(DEFAULT)])
    if against is None and not any(row.references for row in rows):
        against = options.Against.source
    made = scorers(names, against, settings, preset=preset)
    with counting("segments scored") as progress:
        found = recognition(
            rows,
            made,
            human,
            threshold=threshold,
            positive=positive,
            resampling=resampling if ci else None,
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    show(found, form, output)
    return 0
