"""`otherwords meta`: agreement of metrics with human scores, and recognition of paraphrases."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from otherwords.cli import options
from otherwords.cli.output import Destination, check_output, emit_bytes
from otherwords.cli.progress import counting
from otherwords.errors import UsageError


class GroupBy(StrEnum):
    """Groups of segments that are correlated within themselves."""

    none = "none"
    item = "item"
    system = "system"
    langs = "langs"


class LevelOf(StrEnum):
    """The points of a correlation."""

    segment = "segment"
    system = "system"
    both = "both"


class ResampleBy(StrEnum):
    """The unit of resampling."""

    segments = "segments"
    documents = "documents"
    systems = "systems"


class TiesCount(StrEnum):
    """Ways in which the better/worse tau counts tied metric scores."""

    wrong = "wrong"
    neutral = "neutral"
    ignored = "ignored"


def meta_command(
    *,
    judged: options.JudgedRows,
    choice: options.MetricChoice,
    others: options.OtherMetrics,
    sampling: options.Sampling,
    to: Destination,
    human: str | None = options.read("Correlate with this human score (default: the only one)."),
    system_human: options.SystemHuman = None,
    level: LevelOf | None = options.tested("Correlate segments, systems, or both (default: both)."),
    group: GroupBy | None = options.tested(
        "Average the coefficients of segments over these groups (default: none)."
    ),
    coefficients: str | None = options.tested(
        "Print these coefficients, separated by commas (default: all)."
    ),
    ties: TiesCount | None = options.tested(
        "Choose how tau counts tied metric scores (default: wrong)."
    ),
    margin: float | None = options.tested(
        "Require this difference between the human scores of a better/worse pair (default: 0)."
    ),
    baseline: str | None = options.tested("Test every metric against this one."),
    compare: str | None = options.tested("Test all pairs of metrics (all)."),
    trials: int | None = options.tested(
        "Run this many trials of the permutation tests (default: 1000)."
    ),
    ci: options.Intervals = False,
    resamples_max: options.ResamplesMax = None,
    resample_by: ResampleBy | None = options.tested(
        "Resample these units (default: documents if rows have them, else segments)."
    ),
    distributions: str | None = options.tested("Write all resampled values as JSONL."),
) -> int:
    """Correlate metrics with human scores, over segments and systems, with intervals and tests.

    The rows may be better/worse pairs. Default metrics: maxsim, paraeval-f, bleu, chrf.
    """
    from otherwords.corpus.formats import parse_columns
    from otherwords.corpus.rows import Row
    from otherwords.scoring.outside_scores import add_outside_scores
    from otherwords.study.agreement.evaluation import (
        DEFAULT,
        Coefficients,
        Comparisons,
        agreement,
    )
    from otherwords.study.agreement.human_scores import read_judged

    inputs = [*(judged.jsonl or []), *others.files, *choice.files, system_human]
    to.check(*inputs)
    check_output(distributions, *inputs)
    options.refuse_idle(
        *(ci, "--ci"),
        confidence=sampling.confidence,
        resamples=sampling.resamples,
        resample_by=resample_by,
        distributions=distributions,
    )
    segments, systems = level is not LevelOf.system, level is not LevelOf.segment
    options.refuse_idle(segments, "--level segment or both", group=group, ties=ties, margin=margin)
    options.refuse_idle(systems, "--level system or both", system_human=system_human)
    tested = baseline is not None or compare is not None
    options.refuse_idle(tested, "--baseline or --compare all", resamples_max=resamples_max)
    options.check_most(sampling.resamples, resamples_max)
    if baseline is not None and compare is not None:
        raise UsageError("give --baseline or --compare all, not both")
    if compare not in (None, "all"):
        raise UsageError(
            f"--compare takes only all; to test against one metric, use --baseline {compare}"
        )
    rows = read_judged(judged.jsonl or [], parse_columns(judged.columns))
    scorers = choice.build([",".join(DEFAULT)], defaults=not others.scores)
    if rows and isinstance(rows[0], Row):
        scorers = add_outside_scores(rows, scorers, *others.given.values(), systems=True)
    elif others.scores:
        raise UsageError("--scores does not go with better/worse pairs")
    with counting("segments scored") as progress:
        result = agreement(
            rows,
            scorers,
            human,
            system_human=system_human,
            controls=options.or_default(judged.controls, False),
            coefficients=Coefficients(
                names=options.names_of(coefficients),
                margin=margin,
                **options.those_given(level=level, group=group, ties=ties),
            ),
            unit=None if resample_by is None else resample_by.value,
            resampling=sampling.resampling() if ci else None,
            comparisons=Comparisons(
                baseline or compare,
                **options.those_given(
                    trials=trials, resamples_max=resamples_max, seed=sampling.seed
                ),
            ),
            scoring=judged.scoring(progress),
        )
    if distributions is not None:
        emit_bytes((f"{line}\n".encode() for line in result.distributions()), distributions)
    to.show(result)
    return 0


def recognition_command(
    *,
    judged: options.JudgedRows,
    choice: options.MetricChoice,
    sampling: options.Sampling,
    to: Destination,
    human: str | None = options.read(
        "Read the labels 0 and 1 from this human score (default: the only one)."
    ),
    positive: float | None = options.read(
        "Count human scores of at least this value as 1 (default: all are 0 or 1)."
    ),
    threshold: float | None = options.tested(
        "Count pairs with at least this score as paraphrases (default: the best "
        "threshold of the other items)."
    ),
    ci: options.Intervals = False,
) -> int:
    """Print how well metrics recognise paraphrases: AUC, and F1 at a threshold.

    Default metrics: meaning, maxsim, bleu, chrf. Rows without references are compared with
    their source.
    """
    from otherwords.study.agreement.recognition import DEFAULT, measure_recognition

    to.check(*(judged.jsonl or []), *choice.files)
    options.refuse_idle(ci, "--ci", **sampling.given)
    rows = judged.read()
    if choice.against is None and not any(row.references for row in rows):
        choice = replace(choice, against=options.Against.source)
    scorers = choice.build([",".join(DEFAULT)])
    with counting("segments scored") as progress:
        result = measure_recognition(
            rows,
            scorers,
            human,
            threshold=threshold,
            positive=positive,
            resampling=sampling.resampling() if ci else None,
            controls=options.or_default(judged.controls, False),
            scoring=judged.scoring(progress),
        )
    to.show(result)
    return 0
