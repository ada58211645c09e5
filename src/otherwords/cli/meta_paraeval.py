"""`otherwords meta paper paraeval`: ParaEval's tables on a judged set."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.meta import Controls, MetaMetrics, names_of, scorers
from otherwords.cli.output import check_output, show
from otherwords.cli.progress import counting
from otherwords.corpus.inputs import read_inputs
from otherwords.meta import paraeval_tables
from otherwords.meta.papers.paraeval import METRICS as OF_THE_PAPER
from otherwords.stats import Resampling

__all__ = ["paraeval_command"]


class References(StrEnum):
    """All references at once, or each by itself as well."""

    all = "all"
    single = "single"


class IntervalKind(StrEnum):
    """How intervals are made of the resamples."""

    percentile = "percentile"
    paper = "paper"


def paraeval_command(
    jsonl: options.Rows,
    columns: options.ColumnNames = None,
    human: Annotated[
        str | None,
        typer.Option(
            help="Human scores to use, separated by commas (default: all).",
            rich_help_panel=options.INPUT,
        ),
    ] = None,
    references: Annotated[
        References,
        typer.Option(
            help="Score with all references, or with each one alone too (default: all).",
            show_default=False,
            rich_help_panel=options.INPUT,
        ),
    ] = References.all,
    controls: Controls = None,
    any_language: options.AnyLanguage = False,
    metrics: MetaMetrics = None,
    sweep: Annotated[
        str | None,
        typer.Option(
            metavar="OPTION=VALUES",
            help="Vary an option of the metrics, as in min_length=1,2,3.",
            rich_help_panel=options.METRICS,
        ),
    ] = None,
    against: options.AgainstOption = None,
    preset: options.Preset = None,
    settings: options.Settings = None,
    interval: Annotated[
        IntervalKind,
        typer.Option(
            help="Percentiles of the resamples, or the paper's t interval of their mean "
            "(default: percentile).",
            show_default=False,
            rich_help_panel=options.STATISTICS,
        ),
    ] = IntervalKind.percentile,
    confidence: options.Confidence = None,
    resamples: options.Resamples = None,
    seed: options.Seed = None,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Make ParaEval's tables: correlations with human scores over systems and segments.

    Default metrics: paraeval-p, paraeval-r, paraeval, bleu, mup, gm, bp-bleu.
    """
    check_output(output, *options.given(jsonl, []), *options.files_of(settings or []))
    resampling = Resampling(
        interval.value,
        options.given(confidence, 0.95),
        options.given(resamples, 1000),
        options.given(seed, 0),
    )
    made = scorers(
        options.given(metrics, [",".join(OF_THE_PAPER)]), against, settings, preset=preset
    )
    rows = list(read_inputs(rows=options.given(jsonl, []), columns=options.parse_columns(columns)))
    with counting("segments scored") as progress:
        found = paraeval_tables(
            rows,
            made,
            names_of(human),
            resampling=resampling,
            sweep=None if sweep is None else options.parse_sweep(sweep),
            single=references is References.single,
            controls=options.given(controls, True),
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    show(found, form, output)
    return 0
