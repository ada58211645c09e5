"""`otherwords meta`: how far people agree with each other, and metrics with people."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from itertools import chain
from typing import Annotated, Any

import typer

from otherwords.arguments import check_number
from otherwords.cli.meta_paraeval import METRICS, paraeval_findings, swept
from otherwords.cli.meta_paraeval_tables import render as render_paraeval
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
from otherwords.meta.judges import Restriction, Tables, tables
from otherwords.meta.paraeval import Resampling
from otherwords.metrics.base import Array, Metric

__all__ = ["meta_command", "parse_restriction", "parse_scale"]

RESTRICTION = "dissimilarity:adequacy>=4,fluency>=4"
PEM = ("adequacy", "fluency", "dissimilarity")


class Paper(StrEnum):
    """Whose tables."""

    pem = "pem"
    paraeval = "paraeval"


class References(StrEnum):
    """All references at once, or each by itself as well."""

    all = "all"
    single = "single"


class Intervals(StrEnum):
    """How intervals are made of the draws."""

    percentile = "percentile"
    paper = "paper"


def meta_command(
    jsonl: Annotated[
        list[str], typer.Option("--jsonl", help="Judged rows; may be repeated, as for controls.")
    ],
    paper: Annotated[Paper, typer.Option(help="The paper whose tables are made.")] = Paper.pem,
    metrics: Annotated[
        str | None,
        typer.Option(
            "-m", "--metrics", help=f"Metrics, with commas between them (paraeval: {METRICS})."
        ),
    ] = None,
    human: Annotated[
        str | None,
        typer.Option(help="The human score that counts (pem: overall; paraeval: all there are)."),
    ] = None,
    criteria: Annotated[
        str | None,
        typer.Option(
            help=f"pem: other criteria (default: {', '.join(PEM)} and all others there are)."
        ),
    ] = None,
    restrict: Annotated[
        str | None,
        typer.Option(
            help="pem: a criterion where others are high, on the scale of 1-5; or none "
            f"(default: {RESTRICTION})."
        ),
    ] = None,
    scale: Annotated[
        list[str] | None,
        typer.Option(help="pem: [CRITERION=]LOW:HIGH, the judges' scale; may be repeated."),
    ] = None,
    control_scale: Annotated[
        str | None,
        typer.Option(help=f"pem: LOW:HIGH, the scale of the controls' scores (default: {FIVE})."),
    ] = None,
    references: Annotated[
        References | None, typer.Option(help="paraeval: each reference by itself, then all.")
    ] = None,
    sweep: Annotated[
        str | None, typer.Option(help="paraeval: OPTION=VALUE,VALUE,..., as in min_length=1,2,3.")
    ] = None,
    interval: Annotated[
        Intervals | None,
        typer.Option(help="paraeval: percentiles of the draws, or of their mean as the paper has."),
    ] = None,
    confidence: Annotated[
        float | None, typer.Option(help="paraeval: confidence of the intervals (default: 0.95).")
    ] = None,
    resamples: Annotated[
        int | None, typer.Option(help="paraeval: draws of documents or segments (default: 1000).")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="paraeval: seed of the draws.")] = None,
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
    """Correlate judges, criteria and metrics, as the tables of a paper do, on any judged set."""
    common = {"against": against.value} if against else {}
    check_output(output, *jsonl, *files_of(settings or []))
    if paper is Paper.paraeval:
        _refuse(
            paper, criteria=criteria, restrict=restrict, scale=scale, control_scale=control_scale
        )
        resampling = Resampling(
            (interval or Intervals.percentile).value,
            0.95 if confidence is None else confidence,
            1000 if resamples is None else resamples,
            0 if seed is None else seed,
        )
        scorers = swept(METRICS if metrics is None else metrics, common, settings or [], sweep)
        humans = None if human is None else [name.strip() for name in human.split(",")]
        rows, humans, left_out = _rows(jsonl, humans, controls)
        single = references is References.single
        lines = paraeval_findings(
            rows,
            humans,
            scorers,
            resampling,
            single=single,
            threads=threads,
            any_language=any_language,
        )
        emit(render_paraeval(replace(lines, notes=[*left_out, *lines.notes]), form), output)
        return 0
    _refuse(
        paper,
        references=references,
        sweep=sweep,
        interval=interval,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    )
    if metrics is None and (common or settings):
        raise UsageError("--against and --set are for metrics; name some with -m")
    made = {} if metrics is None else build_metrics(metrics, common, settings or [], None)
    restriction = parse_restriction(RESTRICTION if restrict is None else restrict)
    scales = [parse_scale(one) for one in scale or []]
    rows, (overall, *_), left_out = _rows(jsonl, ["overall" if human is None else human], controls)
    found = _pem(
        rows,
        overall,
        _criteria(criteria, overall, rows),
        restriction,
        scales,
        parse_scale(str(FIVE) if control_scale is None else control_scale)[1],
        made,
        _statistics(rows, made, threads, any_language),
    )
    emit(render(replace(found, notes=[*left_out, *found.notes]), made, form), output)
    return 0


def _refuse(paper: Paper, **options: Any) -> None:
    """Options of the other paper's tables would do nothing."""
    for name, value in options.items():
        if value is not None and value != []:
            raise UsageError(f"--{name.replace('_', '-')} does not go with --paper {paper}")


def _pem(
    rows: list[Row],
    human: str,
    criteria: list[str],
    restriction: Restriction | None,
    scales: list[tuple[str, Scale]],
    control_scale: Scale,
    metrics: dict[str, Metric],
    statistics: dict[str, Array],
) -> Tables:
    mentioned = restriction.mentions if restriction else ()
    judged = judged_set(
        rows,
        list(dict.fromkeys([human, *criteria, *mentioned])),
        scales={name: one for name, one in scales if name},
        scale=next((one for name, one in reversed(scales) if not name), None),
        control_scale=control_scale,
    )
    both = {label: (metric, statistics[label]) for label, metric in metrics.items()}
    return tables(judged, human, criteria, restriction, both)


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


def _rows(
    paths: list[str], humans: list[str] | None, controls: bool
) -> tuple[list[Row], list[str], list[str]]:
    """The rows that have any of the human scores, these scores, and what is left out.

    Without names, all human scores that there are.
    """
    rows = list(chain.from_iterable(read_jsonl(path) for path in paths))
    known = criteria_of(rows)
    wanted = list(dict.fromkeys(known if humans is None else humans))
    if not known:
        raise UsageError(f"{', '.join(paths)}: there are no human scores at all")
    for human in wanted:
        if human not in known:
            raise UsageError(f"no row has the human score '{human}'; {near(human, known)}")
    kept = [row for row in rows if not set(wanted).isdisjoint(criteria_of([row]))]
    lacking = len(rows) - len(kept)
    left_out = [f"rows without {', '.join(wanted)}, left out: {lacking}"] if lacking else []
    kept = [row for row in kept if controls or not is_control(row)]
    if not kept:
        raise UsageError("all rows are controls, and --no-controls leaves them out")
    return kept, wanted, left_out


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
