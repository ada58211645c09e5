"""`otherwords train combine`: a metric of one's own, learnt from judged translations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any

import typer

from otherwords.cli.options import AnyLanguage, Threads
from otherwords.cli.output import check_model_output, emit
from otherwords.cli.progress import counting
from otherwords.corpus.jsonl import read_jsonl
from otherwords.errors import UsageError, near
from otherwords.text.language import check_english

if TYPE_CHECKING:
    from otherwords.training.combine import Report

__all__ = ["combine_command"]

CHOOSE = "choose"


def combine_command(
    jsonl: Annotated[
        list[str], typer.Option("--jsonl", help="Judged rows: hypothesis, references, human.")
    ],
    output: Annotated[str, typer.Option("-o", "--output", help="The combination, a model file.")],
    human: Annotated[str, typer.Option(help="The human score to learn.")] = "da",
    metrics: Annotated[
        str | None,
        typer.Option(help="Families of statistics and metrics, by commas; all families if none."),
    ] = None,
    model: Annotated[
        str, typer.Option(help="ridge, svr, boosting, or choose: the one that does best.")
    ] = "ridge",
    group: Annotated[
        str | None,
        typer.Option(help="What is held out whole: langs or item; langs if there are several."),
    ] = None,
    against: Annotated[
        str, typer.Option(help="Compare with the references or with the source.")
    ] = "references",
    folds: Annotated[int, typer.Option(help="Parts of the cross-validation by item.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of folds and intervals.", min=0)] = 0,
    report: Annotated[str | None, typer.Option(help="Write the report as JSON.")] = None,
    threads: Threads = 1,
    any_language: AnyLanguage = False,
) -> int:
    """Learn to combine statistics as people judge; say how far to trust the result."""
    from otherwords.metrics.combine_features import FAMILIES
    from otherwords.training.combine import measure, train
    from otherwords.training.combine_fit import GRIDS

    check_model_output(output, report, *jsonl)
    _one_of("model", model, (*GRIDS, CHOOSE))
    _one_of("against", against, ("references", "source"))
    if group is not None:
        _one_of("group", group, ("langs", "item"))
    rows = list(chain.from_iterable(read_jsonl(path) for path in jsonl))
    if not any_language:
        check_english([row.hypothesis for row in rows], f"the text of the hypotheses of {jsonl[0]}")
    families = list(FAMILIES) if metrics is None else [name.strip() for name in metrics.split(",")]
    statistics = measure(rows, human, families, against=against, threads=threads)
    grid = tuple(chain.from_iterable(GRIDS.values())) if model == CHOOSE else GRIDS[model]
    by: Any = group or ("langs" if len(statistics.domains) > 1 else "item")
    with counting("parts held out") as progress:
        combination, found = train(
            statistics, grid=grid, group=by, folds=folds, seed=seed, tick=lambda: progress(1)
        )
    if report is not None:
        emit([json.dumps(asdict(found), indent=1, ensure_ascii=False)], report)
    combination.save(output)
    emit(_summary(found, len(statistics.names), output), None)
    return 0


def _one_of(option: str, given: str, known: tuple[str, ...]) -> None:
    if given not in known:
        raise UsageError(f"unknown {option} '{given}'; {near(given, known)}")


def _summary(report: Report, statistics: int, output: str) -> Iterator[str]:
    setting = f"{report.setting['model']} {report.setting['value']:g}"
    segments = sum(line["segments"] for line in report.domains)
    yield f"{output}: {statistics} statistics of {segments} judged segments ({setting})"
    held = "each held out in turn" if report.group == "langs" else f"{report.folds} parts by item"
    for line in report.domains:
        yield (
            f"Pearson with people, {line['name']}: {line['pearson']:.3f} "
            f"(95 % interval {line['low']:.3f} to {line['high']:.3f}, {line['segments']} segments)"
        )
    yield (
        f"mean, cross-validated ({held}): {report.pearson:.3f} "
        f"({report.low:.3f} to {report.high:.3f})"
    )
    yield (
        f"the best statistic by itself, chosen with hindsight: {report.best_pearson:.3f} "
        f"({report.best_statistic})"
    )
