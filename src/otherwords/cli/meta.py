"""`otherwords meta`: which metric agrees with people, on any judged set."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from itertools import chain
from typing import Annotated, Any

import typer

from otherwords.cli.meta_agreement import Asked, agreement
from otherwords.cli.meta_agreement_tables import distributions
from otherwords.cli.meta_agreement_tables import render as render_agreement
from otherwords.cli.meta_paraeval import METRICS, paraeval_findings, swept
from otherwords.cli.meta_paraeval_tables import render as render_paraeval
from otherwords.cli.meta_pem import PEM, RESTRICTION, parse_restriction, parse_scale, pem_tables
from otherwords.cli.meta_tables import render as render_pem
from otherwords.cli.options import (
    Against,
    AnyLanguage,
    Output,
    Settings,
    Threads,
    build_metrics,
    files_of,
)
from otherwords.cli.output import Format, check_output, emit, emit_bytes
from otherwords.corpus.jsonl import read_jsonl
from otherwords.corpus.rows import Row
from otherwords.errors import UsageError, near
from otherwords.meta.judged import FIVE, criteria_of, is_control
from otherwords.stats.estimates import Resampling

__all__ = ["meta_command"]

DEFAULT = "maxsim,paraeval,bleu,chrf"


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


class GroupBy(StrEnum):
    """Within what segments are correlated."""

    none = "none"
    item = "item"
    system = "system"
    langs = "langs"


class LevelOf(StrEnum):
    """Over what points."""

    segment = "segment"
    system = "system"
    both = "both"


class Drawn(StrEnum):
    """What is drawn for the intervals."""

    segments = "segments"
    documents = "documents"
    systems = "systems"


class TiesCount(StrEnum):
    """What a tie of the metric means to the better/worse tau."""

    against = "against"
    neutral = "neutral"
    ignored = "ignored"


def meta_command(
    jsonl: Annotated[
        list[str],
        typer.Option("--jsonl", help="Judged rows, or better/worse pairs; may be repeated."),
    ],
    paper: Annotated[
        Paper | None, typer.Option(help="Make the tables of this paper instead.")
    ] = None,
    metrics: Annotated[
        str | None,
        typer.Option(
            "-m",
            "--metrics",
            help=f"Metrics, with commas between them (default: {DEFAULT}; paraeval: {METRICS}).",
        ),
    ] = None,
    human: Annotated[
        str | None,
        typer.Option(
            help="The human score that counts (default: the only one; pem: overall; "
            "paraeval: all there are)."
        ),
    ] = None,
    group: Annotated[
        GroupBy | None,
        typer.Option(help="Correlate segments within these, and average (default: none)."),
    ] = None,
    level: Annotated[
        LevelOf | None, typer.Option(help="Over segments, systems, or both (the default).")
    ] = None,
    coefficients: Annotated[
        str | None, typer.Option(help="Only these coefficients, with commas between them.")
    ] = None,
    scores: Annotated[
        list[str] | None,
        typer.Option(help="Scores of other metrics: TSV or JSONL with id, or system and item."),
    ] = None,
    lower_is_better: Annotated[
        str | None,
        typer.Option(help="Metrics of --scores whose lower scores are better, with commas."),
    ] = None,
    system_human: Annotated[
        str | None, typer.Option(help="Human scores of systems: a JSON object.")
    ] = None,
    baseline: Annotated[
        str | None, typer.Option(help="Compare every metric with this one, with tests.")
    ] = None,
    compare: Annotated[
        str | None, typer.Option(help="all: compare all pairs of metrics, with tests.")
    ] = None,
    ci: Annotated[bool, typer.Option("--ci", help="Bootstrap intervals.")] = False,
    draw: Annotated[
        Drawn | None,
        typer.Option(help="What is drawn (default: documents if rows have them, else segments)."),
    ] = None,
    trials: Annotated[
        int | None, typer.Option(help="Trials of the permutation tests (default: 1000).")
    ] = None,
    ties: Annotated[
        TiesCount | None,
        typer.Option(help="What metrics' ties are to the better/worse tau (default: against)."),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(help="How far human scores must differ to make a better/worse pair."),
    ] = None,
    distribution: Annotated[
        str | None, typer.Option("--distributions", help="Write all draws here, as JSONL.")
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
        float | None, typer.Option(help="Confidence of the intervals (default: 0.95).")
    ] = None,
    resamples: Annotated[
        int | None, typer.Option(help="Draws for the intervals (default: 1000).")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of draws and tests (default: 0).")] = None,
    controls: Annotated[
        bool | None,
        typer.Option(
            "--controls/--no-controls",
            help="Count systems named control-* (default: with --paper only).",
        ),
    ] = None,
    against: Annotated[
        Against | None, typer.Option(help="Compare with these, whatever the metric's habit.")
    ] = None,
    settings: Settings = None,
    form: Annotated[Format, typer.Option("--format", "-f", help="Output format.")] = Format.text,
    output: Output = None,
    threads: Threads = 1,
    any_language: AnyLanguage = False,
) -> int:
    """Correlate metrics with people, over segments and systems, with intervals and tests."""
    common = {"against": against.value} if against else {}
    inputs = [*jsonl, *(scores or []), *files_of(settings or [])]
    check_output(output, *inputs, system_human)
    check_output(distribution, *inputs, system_human)
    of_pem = {
        "criteria": criteria,
        "restrict": restrict,
        "scale": scale,
        "control_scale": control_scale,
    }
    of_paraeval = {"references": references, "sweep": sweep, "interval": interval}
    drawing = {"confidence": confidence, "resamples": resamples, "seed": seed}
    of_agreement = {
        "group": group,
        "level": level,
        "coefficients": coefficients,
        "scores": scores,
        "lower_is_better": lower_is_better,
        "system_human": system_human,
        "baseline": baseline,
        "compare": compare,
        "ci": ci or None,
        "draw": draw,
        "trials": trials,
        "ties": ties,
        "margin": margin,
        "distributions": distribution,
    }
    resampling = Resampling(
        (interval or Intervals.percentile).value,
        0.95 if confidence is None else confidence,
        1000 if resamples is None else resamples,
        0 if seed is None else seed,
    )
    if paper is None:
        _refuse("without --paper", **of_pem, **of_paraeval)
        if distribution is not None and not ci:
            raise UsageError("--distributions writes the draws of the intervals; add --ci")
        if not ci:
            _refuse("without --ci", confidence=confidence, resamples=resamples, draw=draw)
        if level is LevelOf.system:
            _refuse("with --level system", group=group, ties=ties, margin=margin)
        if level is LevelOf.segment:
            _refuse("with --level segment", system_human=system_human)
        if baseline is not None and compare is not None:
            raise UsageError("give --baseline or --compare all, not both")
        if compare not in (None, "all"):
            raise UsageError(f"--compare all compares all pairs; for one, --baseline {compare}")
        found = agreement(
            Asked(
                jsonl,
                DEFAULT if metrics is None and not scores else metrics or "",
                human,
                scores or [],
                lower_is_better or "",
                system_human,
            ),
            common,
            settings or [],
            level=(level or LevelOf.both).value,
            group=(group or GroupBy.none).value,
            coefficients=_names(coefficients),
            unit=None if draw is None else draw.value,
            resampling=resampling if ci else None,
            compare=baseline or compare,
            ties=None if ties is None else ties.value,
            margin=margin,
            trials=1000 if trials is None else trials,
            seed=0 if seed is None else seed,
            controls=bool(controls),
            threads=threads,
            any_language=any_language,
        )
        if distribution is not None:
            emit_bytes(distributions(found), distribution)
        emit(render_agreement(found, form), output)
        return 0
    _refuse(f"with --paper {paper}", **of_agreement)
    count_controls = controls is not False
    if paper is Paper.paraeval:
        _refuse(f"with --paper {paper}", **of_pem)
        scorers = swept(METRICS if metrics is None else metrics, common, settings or [], sweep)
        rows, humans, left_out = _rows(jsonl, _names(human), count_controls)
        lines = paraeval_findings(
            rows,
            humans,
            scorers,
            resampling,
            single=references is References.single,
            threads=threads,
            any_language=any_language,
        )
        emit(render_paraeval(replace(lines, notes=[*left_out, *lines.notes]), form), output)
        return 0
    _refuse(f"with --paper {paper}", **of_paraeval, **drawing)
    if metrics is None and (common or settings):
        raise UsageError("--against and --set are for metrics; name some with -m")
    made = {} if metrics is None else build_metrics(metrics, common, settings or [], None)
    restriction = parse_restriction(RESTRICTION if restrict is None else restrict)
    scales = [parse_scale(one) for one in scale or []]
    only = ["overall" if human is None else human]
    rows, (overall, *_), left_out = _rows(jsonl, only, count_controls)
    tables = pem_tables(
        rows,
        overall,
        criteria,
        restriction,
        scales,
        parse_scale(str(FIVE) if control_scale is None else control_scale)[1],
        made,
        threads=threads,
        any_language=any_language,
    )
    emit(render_pem(replace(tables, notes=[*left_out, *tables.notes]), made, form), output)
    return 0


def _refuse(where: str, **options: Any) -> None:
    """Options that would do nothing."""
    for name, value in options.items():
        if value is not None and value != []:
            raise UsageError(f"--{name.replace('_', '-')} does not go {where}")


def _names(text: str | None) -> list[str] | None:
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]


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
