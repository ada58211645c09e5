"""`otherwords meta paper paraeval`: ParaEval's tables on a judged set."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from otherwords.cli.meta import Controls, MetaMetrics, names_of, scorers
from otherwords.cli.options import (
    INPUT,
    METRICS,
    STATISTICS,
    AgainstOption,
    AnyLanguage,
    ColumnNames,
    Confidence,
    Form,
    Output,
    Resamples,
    Rows,
    Seed,
    Settings,
    Threads,
    files_of,
    given,
    parse_columns,
    parse_sweep,
)
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
    jsonl: Rows,
    columns: ColumnNames = None,
    human: Annotated[
        str | None,
        typer.Option(
            help="Human scores to use, separated by commas (default: all).", rich_help_panel=INPUT
        ),
    ] = None,
    references: Annotated[
        References,
        typer.Option(
            help="Score with all references, or with each one alone too (default: all).",
            show_default=False,
            rich_help_panel=INPUT,
        ),
    ] = References.all,
    controls: Controls = None,
    any_language: AnyLanguage = False,
    metrics: MetaMetrics = None,
    sweep: Annotated[
        str | None,
        typer.Option(
            metavar="OPTION=VALUES",
            help="Vary an option of the metrics, as in min_length=1,2,3.",
            rich_help_panel=METRICS,
        ),
    ] = None,
    against: AgainstOption = None,
    settings: Settings = None,
    interval: Annotated[
        IntervalKind,
        typer.Option(
            help="Percentiles of the resamples, or the paper's t interval of their mean "
            "(default: percentile).",
            show_default=False,
            rich_help_panel=STATISTICS,
        ),
    ] = IntervalKind.percentile,
    confidence: Confidence = None,
    resamples: Resamples = None,
    seed: Seed = None,
    form: Form = None,
    output: Output = None,
    threads: Threads = 1,
) -> int:
    """Make ParaEval's tables: correlations with human scores over systems and segments.

    Default metrics: paraeval-p, paraeval-r, paraeval, bleu, mup, gm, bp-bleu.
    """
    check_output(output, *given(jsonl, []), *files_of(settings or []))
    resampling = Resampling(
        interval.value, given(confidence, 0.95), given(resamples, 1000), given(seed, 0)
    )
    made = scorers(given(metrics, [",".join(OF_THE_PAPER)]), against, settings)
    rows = list(read_inputs(rows=given(jsonl, []), columns=parse_columns(columns)))
    with counting("segments scored") as progress:
        found = paraeval_tables(
            rows,
            made,
            names_of(human),
            resampling=resampling,
            sweep=None if sweep is None else parse_sweep(sweep),
            single=references is References.single,
            controls=given(controls, True),
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    show(found, form, output)
    return 0
