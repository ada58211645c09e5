"""`otherwords meta paper paraeval`: ParaEval's tables on a judged set."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.progress import counting

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
    judged: options.JudgedRows,
    choice: options.MetricChoice,
    sampling: options.Sampling,
    to: Destination,
    human: Annotated[
        str | None,
        options.read(help="Human scores to use, separated by commas (default: all)."),
    ] = None,
    references: Annotated[
        References,
        options.read(
            help="Score with all references, or with each one alone too (default: all).",
            show_default=False,
        ),
    ] = References.all,
    sweep: Annotated[
        str | None,
        options.scored(
            metavar="OPTION=VALUES", help="Vary an option of the metrics, as in min_length=1,2,3."
        ),
    ] = None,
    interval: Annotated[
        IntervalKind,
        options.tested(
            help="Percentiles of the resamples, or the paper's t interval of their mean "
            "(default: percentile).",
            show_default=False,
        ),
    ] = IntervalKind.percentile,
    threads: options.Threads = 1,
) -> int:
    """Make ParaEval's tables: correlations with human scores over systems and segments.

    Default metrics: paraeval-p, paraeval-r, paraeval, bleu, mup, gm, bp-bleu.
    """
    from otherwords.meta import paraeval_tables
    from otherwords.meta.papers.paraeval import METRICS
    from otherwords.scoring.choice import parse_sweep

    to.check(*(judged.jsonl or []), *choice.files)
    resampling = sampling.resampling(interval.value)
    scorers = choice.build([",".join(METRICS)])
    rows = judged.read()
    with counting("segments scored") as progress:
        found = paraeval_tables(
            rows,
            scorers,
            options.names_of(human),
            resampling=resampling,
            sweep=None if sweep is None else parse_sweep(sweep),
            single=references is References.single,
            controls=options.given(judged.controls, True),
            threads=threads,
            any_language=judged.any_language,
            progress=progress,
        )
    to.show(found)
    return 0
