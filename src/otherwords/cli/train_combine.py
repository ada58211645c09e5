"""`otherwords train combine`: a metric of one's own, learnt from judged translations."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from otherwords.cli import options
from otherwords.cli.options import read
from otherwords.cli.output import check_model_output
from otherwords.cli.progress import counting
from otherwords.cli.train import (
    Folds,
    JudgedRows,
    TrainedModel,
    TrainingReport,
    TrainingSeed,
    show_training,
    training,
)

__all__ = ["combine_command"]


class RegressionKind(StrEnum):
    """Kinds of regressions, or the one of them that does best."""

    ridge = "ridge"
    svr = "svr"
    boosting = "boosting"
    choose = "choose"


class HeldOut(StrEnum):
    """What is held out together."""

    langs = "langs"
    item = "item"


def combine_command(
    jsonl: JudgedRows,
    output: TrainedModel,
    columns: options.ColumnNames = None,
    human: Annotated[str, read("--human", help="Learn this human score.")] = "da",
    against: Annotated[
        options.Against, read("--against", help="Compare with the references or with the source.")
    ] = options.Against.references,
    any_language: options.AnyLanguage = False,
    metrics: Annotated[
        str | None,
        training(
            "--metrics",
            help="Combine these families of statistics and metrics, separated by commas "
            "(default: all families).",
        ),
    ] = None,
    regression: Annotated[
        RegressionKind,
        training(
            "--regression",
            help="Train this kind of regression; choose selects the best in cross-validation.",
        ),
    ] = RegressionKind.ridge,
    group: Annotated[
        HeldOut | None,
        training(
            "--group",
            help="Keep each of these in one fold (default: langs if there are several).",
        ),
    ] = None,
    folds: Folds = 5,
    seed: TrainingSeed = 0,
    report: TrainingReport = None,
    threads: options.Threads = 1,
) -> int:
    """Train a combination of statistics on human scores; report how far to trust it."""
    from otherwords.corpus.columns import parse_columns
    from otherwords.study.training.combine import train_combination

    check_model_output(output, report, *jsonl)
    with counting("parts held out") as progress:
        found = train_combination(
            jsonl,
            output,
            columns=parse_columns(columns),
            human=human,
            any_language=any_language,
            families=options.names_of(metrics),
            regression=regression,
            group=group,
            against=against,
            folds=folds,
            seed=seed,
            threads=threads,
            tick=lambda: progress(1),
        )
    return show_training(found, report)
