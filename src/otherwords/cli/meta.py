"""`otherwords meta`: which metric agrees with human scores, on any judged set."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import typer

from otherwords.cli import options
from otherwords.cli.output import check_output, emit_bytes, show
from otherwords.cli.progress import counting
from otherwords.errors import UsageError
from otherwords.meta import agreement, read_judged
from otherwords.metrics.base import Metric
from otherwords.stats import Resampling

__all__ = [
    "Controls",
    "LowerIsBetter",
    "MetaMetrics",
    "ScoreFiles",
    "meta_command",
    "names_of",
    "scorers",
]

MetaMetrics = Annotated[
    list[str] | None,
    typer.Option(
        "-m",
        "--metrics",
        help="Metrics, separated by commas; repeatable (default: see above).",
        autocompletion=options.complete_metrics,
        rich_help_panel=options.METRICS,
    ),
]
ScoreFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--scores",
        help="Read scores of other metrics: TSV or JSONL with id, or system and item.",
        rich_help_panel=options.INPUT,
    ),
]
LowerIsBetter = Annotated[
    str | None,
    typer.Option(
        "--lower-is-better",
        help="Metrics of --scores whose lower scores are better, separated by commas.",
        rich_help_panel=options.INPUT,
    ),
]
Controls = Annotated[
    bool | None,
    typer.Option(
        "--controls/--no-controls",
        help="Count systems named control-* (default: in the tables of papers only).",
        rich_help_panel=options.INPUT,
    ),
]


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


class ResampleBy(StrEnum):
    """What is resampled for the intervals."""

    segments = "segments"
    documents = "documents"
    systems = "systems"


class TiesCount(StrEnum):
    """How the better/worse tau counts tied metric scores."""

    wrong = "wrong"
    neutral = "neutral"
    ignored = "ignored"


def meta_command(
    jsonl: options.Rows,
    columns: options.ColumnNames = None,
    human: Annotated[
        str | None,
        typer.Option(
            help="Human score to use (default: the only one).", rich_help_panel=options.INPUT
        ),
    ] = None,
    scores: ScoreFiles = None,
    lower_is_better: LowerIsBetter = None,
    system_human: Annotated[
        str | None,
        typer.Option(
            help="Read human scores of systems: a JSON object.", rich_help_panel=options.INPUT
        ),
    ] = None,
    controls: Controls = None,
    any_language: options.AnyLanguage = False,
    metrics: MetaMetrics = None,
    against: options.AgainstOption = None,
    preset: options.Preset = None,
    settings: options.Settings = None,
    level: Annotated[
        LevelOf | None,
        typer.Option(
            help="Correlate segments, systems, or both (default: both).",
            rich_help_panel=options.STATISTICS,
        ),
    ] = None,
    group: Annotated[
        GroupBy | None,
        typer.Option(
            help="Average the coefficients of segments within each (default: none).",
            rich_help_panel=options.STATISTICS,
        ),
    ] = None,
    coefficients: Annotated[
        str | None,
        typer.Option(
            help="Coefficients to print, separated by commas (default: all).",
            rich_help_panel=options.STATISTICS,
        ),
    ] = None,
    ties: Annotated[
        TiesCount | None,
        typer.Option(
            help="How tau counts tied metric scores (default: wrong).",
            rich_help_panel=options.STATISTICS,
        ),
    ] = None,
    margin: Annotated[
        float | None,
        typer.Option(
            help="Least difference of the human scores of a better/worse pair (default: 0).",
            rich_help_panel=options.STATISTICS,
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            help="Test every metric against this one.", rich_help_panel=options.STATISTICS
        ),
    ] = None,
    compare: Annotated[
        str | None, typer.Option(help="all: test all pairs.", rich_help_panel=options.STATISTICS)
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(
            help="Trials of the permutation tests (default: 1000).",
            rich_help_panel=options.STATISTICS,
        ),
    ] = None,
    ci: options.Intervals = False,
    confidence: options.Confidence = None,
    resamples: options.Resamples = None,
    resamples_max: options.ResamplesMax = None,
    resample_by: Annotated[
        ResampleBy | None,
        typer.Option(
            help="Unit to resample (default: documents if rows have them, else segments).",
            rich_help_panel=options.STATISTICS,
        ),
    ] = None,
    seed: options.Seed = None,
    distributions: Annotated[
        str | None,
        typer.Option(
            help="Write all resampled values as JSONL.", rich_help_panel=options.STATISTICS
        ),
    ] = None,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Correlate metrics with human scores, over segments and systems, with intervals and tests.

    The rows may be better/worse pairs. Default metrics: maxsim, paraeval, bleu, chrf.
    """
    inputs = [
        *options.given(jsonl, []),
        *options.given(scores, []),
        *options.files_of(settings or []),
        system_human,
    ]
    check_output(output, *inputs)
    check_output(distributions, *inputs)
    intervals = {"confidence": confidence, "resamples": resamples, "resample_by": resample_by}
    options.refuse_idle(ci, "--ci", **intervals, distributions=distributions)
    segments, systems = level is not LevelOf.system, level is not LevelOf.segment
    options.refuse_idle(segments, "--level segment or both", group=group, ties=ties, margin=margin)
    options.refuse_idle(systems, "--level system or both", system_human=system_human)
    tested = baseline is not None or compare is not None
    options.refuse_idle(tested, "--baseline or --compare all", resamples_max=resamples_max)
    options.check_most(resamples, resamples_max)
    if baseline is not None and compare is not None:
        raise UsageError("give --baseline or --compare all, not both")
    if compare not in (None, "all"):
        raise UsageError(f"--compare all compares all pairs; for one, --baseline {compare}")
    resampling = Resampling(
        confidence=options.given(confidence, 0.95),
        resamples=options.given(resamples, 1000),
        seed=options.given(seed, 0),
    )
    chosen = None
    if metrics is not None or settings or against or preset or scores:
        default = [] if scores else ["maxsim,paraeval,bleu,chrf"]
        chosen = scorers(options.given(metrics, default), against, settings, preset=preset)
    with counting("segments scored") as progress:
        found = agreement(
            read_judged(options.given(jsonl, []), options.parse_columns(columns)),
            chosen,
            human,
            scores=options.given(scores, []),
            lower_is_better=names_of(lower_is_better) or [],
            system_human=system_human,
            level=options.given(level, LevelOf.both).value,
            group=options.given(group, GroupBy.none).value,
            coefficients=names_of(coefficients),
            unit=None if resample_by is None else resample_by.value,
            resampling=resampling if ci else None,
            compare=baseline or compare,
            ties=options.given(ties, TiesCount.wrong).value,
            margin=margin,
            trials=options.given(trials, 1000),
            resamples_max=options.given(resamples_max, 100_000),
            seed=options.given(seed, 0),
            controls=options.given(controls, False),
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    if distributions is not None:
        emit_bytes((f"{line}\n".encode() for line in found.distributions()), distributions)
    show(found, form, output)
    return 0


def scorers(
    names: Sequence[str],
    against: options.Against | None,
    settings: Sequence[str] | None,
    **more: Any,
) -> dict[str, Metric]:
    """The metrics by label; their options are refused where there are none."""
    common = options.common_options(against=against.value if against else None, **more)
    if names:
        return options.build_metrics(names, common, settings or [], None)
    if common or settings:
        raise UsageError("--against, --preset and --set are for metrics; name some with -m")
    return {}


def names_of(text: str | None) -> list[str] | None:
    """Names that are separated by commas; `None` if there is no text."""
    return None if text is None else [name.strip() for name in text.split(",") if name.strip()]
