"""`otherwords meta paper paraeval`: ParaEval's tables on a judged set."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.progress import counting
from otherwords.errors import UsageError
from otherwords.tables.tabular import Tabular

__all__ = ["paraeval_command"]


class References(StrEnum):
    """All references at once, or also each alone."""

    all = "all"
    single = "single"


class IntervalKind(StrEnum):
    """How intervals are computed from the resamples."""

    percentile = "percentile"
    paper = "paper"


def paraeval_command(
    judged: options.JudgedRows,
    choice: options.MetricChoice,
    sampling: options.Sampling,
    to: Destination,
    human: options.HumanScores = None,
    references: Annotated[
        References,
        options.read(
            help="Score with all references, or also with each one alone (single) (default: all).",
            show_default=False,
        ),
    ] = References.all,
    humans: Annotated[
        bool,
        options.read(
            "--humans",
            help="Print how well each metric separates references from systems instead (§4.1).",
        ),
    ] = False,
    tables: Annotated[
        str | None,
        options.read(
            metavar="TABLE,...",
            help="Print the agreement with human scores for each paraphrase table instead (§4.3).",
        ),
    ] = None,
    sweep: Annotated[
        str | None,
        options.scored(
            metavar="OPTION=VALUES", help="Vary an option of the metrics, such as min_length=1,2,3."
        ),
    ] = None,
    interval: Annotated[
        IntervalKind,
        options.tested(
            help="Compute intervals from percentiles of the resamples, or as the paper does, by "
            "a t interval of their mean (default: percentile).",
            show_default=False,
        ),
    ] = IntervalKind.percentile,
) -> int:
    """Make ParaEval's tables: correlations with human scores over systems and segments.

    Default metrics: paraeval-p, paraeval-r, paraeval, bleu, mup, gm, bp-bleu.
    """
    from otherwords.scoring.choice import parse_sweep
    from otherwords.study.papers.paraeval import METRICS, paraeval_tables
    from otherwords.study.papers.paraeval_humans import METRICS as OF_HUMANS
    from otherwords.study.papers.paraeval_humans import human_distance
    from otherwords.study.papers.paraeval_sources import rank_tables

    to.check(*(judged.jsonl or []), *choice.files)
    single = references is References.single
    if humans and (tables or human or sweep or single):
        raise UsageError(
            "--humans cannot be combined with --tables, --human, --sweep, --references"
        )
    if tables is not None and (sweep or choice.against or single):
        raise UsageError("--tables cannot be combined with --sweep, --against, --references")
    default = ["paraeval-p"] if tables else [",".join(OF_HUMANS if humans else METRICS)]
    scorers = choice.build(default)
    if tables is not None and len(scorers) != 1:
        raise UsageError(f"one metric ranks the tables; -m names {len(scorers)}")
    rows = judged.read()
    found: Tabular
    with counting("segments scored") as progress:
        shared: dict[str, Any] = {
            "resampling": sampling.resampling(interval.value),
            "threads": judged.threads,
            "any_language": judged.any_language,
            "progress": progress,
        }
        controls = options.given(judged.controls, True)
        if humans:
            found = human_distance(rows, scorers, **shared)
        elif tables is not None:
            [metric] = scorers.values()
            shared |= {"metric": metric.name, "options": metric.options, "controls": controls}
            found = rank_tables(rows, options.names_of(tables) or [], human, **shared)
        else:
            found = paraeval_tables(
                rows,
                scorers,
                options.names_of(human),
                sweep=None if sweep is None else parse_sweep(sweep),
                single=single,
                controls=controls,
                **shared,
            )
    to.show(found)
    return 0
