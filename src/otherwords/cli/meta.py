"""`otherwords meta`: how far people agree with each other, and metrics with people."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Annotated

import typer

from otherwords.arguments import check_number
from otherwords.cli.meta_tables import render
from otherwords.cli.options import AnyLanguage, Output, Settings, Threads, build_metrics, files_of
from otherwords.cli.output import Format, check_output, emit
from otherwords.cli.progress import counting
from otherwords.cli.score import Against
from otherwords.corpus.jsonl import read_jsonl
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError, near
from otherwords.evaluation import by_row, evaluate
from otherwords.meta.judged import FIVE, Scale, criteria_of, is_control, judged_set
from otherwords.meta.judges import Restriction, tables
from otherwords.metrics.base import Array, Metric

__all__ = ["meta_command", "parse_restriction", "parse_scale"]

PEM = ("adequacy", "fluency", "dissimilarity")


def meta_command(
    jsonl: Annotated[
        list[str], typer.Option("--jsonl", help="Judged rows; may be repeated, as for controls.")
    ],
    metrics: Annotated[
        str | None, typer.Option("-m", "--metrics", help="Metrics, with commas between them.")
    ] = None,
    human: Annotated[str, typer.Option(help="The human score that counts.")] = "overall",
    criteria: Annotated[
        str | None,
        typer.Option(help=f"Other criteria (default: {', '.join(PEM)} and all others there are)."),
    ] = None,
    restrict: Annotated[
        str,
        typer.Option(help="A criterion where others are high, on the scale of 1-5; or none."),
    ] = "dissimilarity:adequacy>=4,fluency>=4",
    scale: Annotated[
        list[str] | None,
        typer.Option(help="[CRITERION=]LOW:HIGH, the judges' scale; may be repeated."),
    ] = None,
    control_scale: Annotated[
        str, typer.Option(help="LOW:HIGH, the scale of the controls' scores.")
    ] = str(FIVE),
    controls: Annotated[
        bool, typer.Option("--controls/--no-controls", help="Count systems named control-*.")
    ] = True,
    against: Annotated[
        Against | None, typer.Option(help="Compare with these, whatever the metric's habit.")
    ] = None,
    settings: Settings = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    output: Output = None,
    threads: Threads = 1,
    any_language: AnyLanguage = False,
) -> int:
    """Correlate judges, criteria and metrics, as the tables of PEM do, on any judged set."""
    common = {"against": against.value} if against else {}
    if metrics is None and (common or settings):
        raise UsageError("--against and --set are for metrics; name some with -m")
    scorers = build_metrics(metrics, common, settings or [], None) if metrics is not None else {}
    restriction = parse_restriction(restrict)
    scales = [parse_scale(one) for one in scale or []]
    check_output(output, *jsonl, *files_of(settings or []))
    rows, left_out = _rows(jsonl, human, controls)
    names = _criteria(criteria, human, rows)
    judged = judged_set(
        rows,
        list(dict.fromkeys([human, *names, *(restriction.mentions if restriction else ())])),
        scales={name: one for name, one in scales if name},
        scale=next((one for name, one in reversed(scales) if not name), None),
        control_scale=parse_scale(control_scale)[1],
    )
    statistics = _statistics(rows, scorers, threads, any_language)
    found = tables(
        judged,
        human,
        names,
        restriction,
        {label: (metric, statistics[label]) for label, metric in scorers.items()},
    )
    found = replace(found, notes=[*left_out, *found.notes])
    emit(render(found, scorers, form), output)
    return 0


def parse_scale(text: str) -> tuple[str, Scale]:
    """The criterion, empty for all of them, and its scale.

    >>> parse_scale("overall=0:100")
    ('overall', Scale(low=0.0, high=100.0))
    """
    name, _, span = text.rpartition("=")
    try:
        low, high = (float(part) for part in span.split(":"))
    except ValueError as error:
        raise UsageError(f"a scale is [CRITERION=]LOW:HIGH, not '{text}'") from error
    return name.strip(), Scale(low, high)


def parse_restriction(text: str) -> Restriction | None:
    """The criterion and the thresholds of others.

    >>> str(parse_restriction("dissimilarity:adequacy>=4,fluency>=3.5"))
    'adequacy >= 4, fluency >= 3.5'
    """
    if text.strip() == "none":
        return None
    criterion, _, conditions = text.partition(":")
    thresholds = {}
    for condition in conditions.split(","):
        name, reaches, least = condition.partition(">=")
        if not (criterion.strip() and name.strip() and reaches):
            raise UsageError(f"a restriction is CRITERION:OTHER>=SCORE,... or none, not '{text}'")
        number = _number(least)
        thresholds[name.strip()] = check_number(f"the least {name.strip()}", number, 1, 5)
    return Restriction(criterion.strip(), thresholds)


def _number(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _rows(paths: list[str], human: str, controls: bool) -> tuple[list[Row], list[str]]:
    """The rows that have the human score, and what is left out."""
    rows = list(chain.from_iterable(read_jsonl(path) for path in paths))
    kept = [row for row in rows if human in criteria_of([row])]
    if not kept:
        known = criteria_of(rows)
        hint = near(human, known) if known else "there are no human scores at all"
        raise UsageError(f"no row has the human score '{human}'; {hint}")
    lacking = len(rows) - len(kept)
    left_out = [f"rows without {human}, left out: {lacking}"] if lacking else []
    kept = [row for row in kept if controls or not is_control(row)]
    if not kept:
        raise UsageError("all rows are controls, and --no-controls leaves them out")
    return kept, left_out


def _criteria(names: str | None, human: str, rows: list[Row]) -> list[str]:
    """The criteria asked for; else those of PEM, then what else the rows have."""
    wanted = [*PEM, *criteria_of(rows)] if names is None else names.split(",")
    stripped = dict.fromkeys(name.strip() for name in wanted)
    return [name for name in stripped if name and name != human]


def _statistics(
    rows: list[Row], scorers: dict[str, Metric], threads: int, any_language: bool
) -> dict[str, Array]:
    if not scorers:
        return {}
    with counting("segments scored") as progress:
        scored = evaluate(
            rows, scorers, threads=threads, any_language=any_language, progress=progress
        )
    return by_row(rows, scored)
