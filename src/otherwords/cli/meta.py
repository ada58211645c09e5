"""`otherwords meta`: agreement of metrics with human scores, and recognition of paraphrases."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.parameters import argument
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

# Groups of segments that are correlated within themselves.
GroupBy = Literal["none", "item", "system", "langs"]


LevelOf = Literal["segment", "system", "both"]  # The points of a correlation.


ResampleBy = Literal["segments", "documents"]  # The unit of resampling.


# Ways in which the better/worse tau counts tied metric scores.
TiesCount = Literal["wrong", "neutral", "ignored"]


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
    resample_by: ResampleBy | None = options.tested(
        "Resample these units alone (default: documents if rows have them, else segments; over "
        "systems the systems too)."
    ),
) -> int:
    """Correlate metrics with human scores, over segments and systems, with intervals and tests.

    The rows may be better/worse pairs. Default metrics: otherwords-mt, maxsim and chrf if there are
    references, otherwords-rewrite if there are only sources; with --scores, only its metrics.
    """
    from otherwords.corpus.formats import parse_columns
    from otherwords.corpus.rows import Row
    from otherwords.scoring.choice import default_metrics
    from otherwords.scoring.outside_scores import add_outside_scores
    from otherwords.study.agreement.evaluation import (
        Coefficients,
        Comparisons,
        agreement,
    )
    from otherwords.study.agreement.human_scores import read_judged

    inputs = [*(judged.jsonl or []), *others.files, *choice.files, system_human]
    to.check(*inputs)
    options.refuse_idle(
        *(ci, "--ci"),
        confidence=sampling.confidence,
        resamples=sampling.resamples,
        resample_by=resample_by,
    )
    segments, systems = level != "system", level != "segment"
    options.refuse_idle(segments, "--level segment or both", group=group, ties=ties, margin=margin)
    options.refuse_idle(systems, "--level system or both", system_human=system_human)
    if baseline is not None and compare is not None:
        raise UsageError("give --baseline or --compare all, not both")
    if compare not in (None, "all"):
        raise UsageError(
            f"--compare takes only all; to test against one metric, use --baseline {compare}"
        )
    rows = read_judged(judged.jsonl or [], parse_columns(judged.columns))
    if not rows:
        raise UsageError("there are no rows")
    first = rows[0] if isinstance(rows[0], Row) else rows[0].better
    own = choice.metrics or others.scores
    scorers = choice.build(() if own else default_metrics(first, choice.against))
    if isinstance(rows[0], Row):
        scorers = add_outside_scores(rows, scorers, *others.given.values(), systems=True)
    elif others.scores:
        raise UsageError("--scores does not go with better/worse pairs")
    with counting("segments scored", total=len(rows)) as progress:
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
            unit=resample_by,
            resampling=sampling.resampling() if ci else None,
            comparisons=Comparisons(
                baseline or compare, **options.those_given(trials=trials, seed=sampling.seed)
            ),
            scoring=judged.scoring(progress),
        )
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
        choice = replace(choice, against="source")
    scorers = choice.build([",".join(DEFAULT)])
    with counting("segments scored", total=len(rows)) as progress:
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


def judge_command(
    *,
    sampling: options.Sampling,
    to: Destination,
    answers: list[str] = argument(
        "Answers of the judge: JSONL, JSON, CSV, TSV, Parquet.", "FILE..."
    ),
    humans: list[str] | None = options.read(
        "Read the answers of people from these records or logs of `studio judge`; repeatable."
    ),
    human: str = options.read(
        "Read the answers of people from these columns, or from this human score.", default="human"
    ),
    judge: str = options.read("Read the judge's answers from these columns.", default="judge"),
    positive: str | None = options.read(
        "Count this label, or scores of at least this value, as positive (default: yes, pass, "
        "true, 1, ... of two labels)."
    ),
    name: str = options.written("Tie the calibration to a judge of this name.", default="judge"),
    model: str | None = options.written("Tie the calibration to this model."),
    prompt: str | None = options.written("Tie the calibration to this file, the judge's prompt."),
    examples: int = options.written(
        "Show at most this many disagreements.", min=0, max=100_000, default=10
    ),
) -> int:
    """Measure how far the labels or scores of an LLM judge agree with those of people.

    Answers to the same id, or system and item, are repeats. The column first names the option that
    was shown first; text, or text.A and text.B, what was judged. -o judge.json writes the
    calibration file that gate --require-agreement reads.
    """
    from otherwords.study.agreement.judge import measure_judge

    to.check(*answers, *(humans or []), prompt)
    result = measure_judge(
        answers,
        humans=None if humans is None else [_read_log(path) or path for path in humans],
        human=options.names_of(human) or "human",
        judge=options.names_of(judge) or "judge",
        positive=positive,
        name=name,
        model=model,
        prompt=prompt,
        resampling=sampling.resampling(),
    )
    to.show(replace(result, shown=examples))
    return 0


def _read_log(path: str) -> list[dict[str, Any]] | None:
    """The judged rows of a log of the studio; `None` for another file."""
    from otherwords.io.files import starts_with
    from otherwords.study.studio.export import export_rows

    if not starts_with(path, b'{"kind": "log"'):
        return None
    return list(export_rows([path], controls=False).rows)


def spans_command(
    *,
    sampling: options.Sampling,
    to: Destination,
    human: list[str] = argument(
        "Error spans of people: MQM (TSV) or ESA (JSONL) files of WMT, or JSONL with error_spans.",
        "HUMAN...",
    ),
    predicted: list[str] = options.read(
        "Compare these error spans, FILE or NAME=FILE: JSON of xCOMET, or JSONL of score --explain "
        "spans; repeatable."
    ),
    ci: options.Intervals = False,
) -> int:
    """Compare the error spans of metrics with those of people: F1 over characters.

    Segments are matched by system and text.
    """
    from otherwords.study.agreement.spans import measure_spans

    to.check(*human, *options.paths_of(predicted))
    options.refuse_idle(ci, "--ci", **sampling.given)
    to.show(measure_spans(human, predicted, resampling=sampling.resampling() if ci else None))
    return 0
