"""`otherwords score`: system outputs and references in, a table of scores out."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli import options
from otherwords.cli.output import Destination, Format
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

__all__ = ["score_command"]


def score_command(
    inputs: options.Texts,
    choice: options.MetricChoice,
    others: options.OtherMetrics,
    sampling: options.Sampling,
    to: Destination,
    systems: options.SystemFiles = None,
    common: Annotated[
        bool, options.read("--common", help="Score only the segments that all systems have.")
    ] = False,
    sacrebleu: Annotated[
        bool, options.scored("--with-sacrebleu", help="Add the metrics bleu, chrf and chrf++.")
    ] = False,
    annotator: Annotated[
        str | None, options.scored(help="Annotate text with embedded (default) or spacy[:MODEL].")
    ] = None,
    sweep: Annotated[
        str | None,
        options.scored(help="Score with each value: OPTION=FIRST:LAST:STEP or OPTION=VALUE,..."),
    ] = None,
    ci: options.Intervals = False,
    paired: options.PairedTest = None,
    baseline: options.Baseline = None,
    resamples_max: options.ResamplesMax = None,
    segments: Annotated[
        bool, options.written("--segments", help="Print the score of each segment.")
    ] = False,
    texts: Annotated[
        bool, options.written("--texts", help="Print the texts with --segments.")
    ] = False,
    worst: Annotated[
        int | None,
        options.written(
            help="Show the K worst segments of each system, with texts and explanations.",
            metavar="K",
            min=1,
        ),
    ] = None,
    best: Annotated[
        int | None,
        options.written(
            help="Show the K best segments of each system, with texts and explanations.",
            metavar="K",
            min=1,
        ),
    ] = None,
    examples_by: Annotated[
        str | None,
        options.written(
            help="Choose worst and best segments by this metric (default: the first of -m)."
        ),
    ] = None,
    explain: Annotated[
        int | None,
        options.written(help="Explain the scores of segment N (from 1).", metavar="N"),
    ] = None,
    findings: Annotated[
        bool,
        options.written(
            "--findings",
            help="Show contradicted, missing and added content: as spans with --explain, otherwise "
            "columns of the metric facts.",
        ),
    ] = False,
    metric_scores: Annotated[
        str | None,
        options.written(
            help="Write metric-scores/SRC-TGT/NAME-REF.{seg,sys}.score (mt-metrics-eval) into this "
            "folder; --rows must be one language pair of a test set."
        ),
    ] = None,
    threads: options.Threads = 1,
) -> int:
    """Score system outputs with one or several metrics.

    Default metrics: otherwords-mt, maxsim and chrf if there are references, otherwords-rewrite
    if there are only sources; with --scores, only its metrics.
    """
    from otherwords.corpus.parallel import split_name
    from otherwords.scoring.choice import SACREBLEU
    from otherwords.scoring.run import explain_rows, score_rows

    files = [split_name(system)[1] for system in systems or []]
    to.check(*files, *inputs.files, *choice.files, *others.files)
    tests = ci or paired is not None
    options.refuse_idle(ci, "--ci", confidence=sampling.confidence)
    options.refuse_idle(paired is not None, "--paired", baseline=baseline)
    options.refuse_idle(
        *(tests, "--ci or --paired"),
        resamples=sampling.resamples,
        resamples_max=resamples_max,
        seed=sampling.seed,
        docs=inputs.docs,
    )
    options.check_most(sampling.resamples, resamples_max)
    options.refuse_idle(bool(choice.metrics), "-m", sweep=sweep)
    options.refuse_idle(segments, "--segments", texts=texts)
    options.refuse_idle(bool(worst or best), "--worst or --best", examples_by=examples_by)
    if explain is not None and (tests or segments or sweep or common or worst or best):
        raise UsageError(
            "--explain goes with none of --ci, --paired, --segments, --sweep, --common, --worst, "
            "--best"
        )
    if sweep and (worst or best):
        raise UsageError(
            "--worst and --best show segments of one metric; give them without --sweep"
        )
    if segments and (worst or best):
        raise UsageError("--segments prints all segments; give it without --worst and --best")
    if metric_scores is not None and (sweep or common or explain is not None):
        raise UsageError("--metric-scores cannot be combined with --sweep, --common, --explain")
    if segments and tests and to.format() is not Format.json:
        raise UsageError("--segments with --ci or --paired needs --format json")
    if metric_scores is not None:
        from otherwords.corpus.formats import parse_columns
        from otherwords.integrations.mt_metrics_eval import only_set, write_metric_scores

        scored = only_set(inputs.jsonl or [], parse_columns(inputs.columns))
    first, rows = inputs.rows(systems or [])
    added = SACREBLEU if sacrebleu else ()
    made = choice.build(
        first, defaults=not others.scores, add=added, sweep=sweep, annotator=annotator
    )
    scorers, rows = others.add(made, rows)
    if explain is not None:
        found = explain_rows(
            rows, scorers, explain, findings=findings, any_language=inputs.any_language
        )
        to.show(found)
        return 0
    if findings:
        from otherwords.scoring.findings import add_facts

        scorers = add_facts(scorers, first)
    with counting("segments scored") as progress:
        result = score_rows(
            rows,
            scorers,
            ci=ci,
            baseline=baseline,
            common=common,
            worst=worst or 0,
            best=best or 0,
            by=examples_by,
            texts=texts,
            by_metric=sweep is not None,
            threads=threads,
            any_language=inputs.any_language,
            progress=progress,
            **options.those_given(paired=paired, resamples_max=resamples_max),
            **sampling.given,
        )
    if metric_scores is not None:
        write_metric_scores(result, scored, metric_scores)
    to.show(result.by_segment() if segments else result)
    return 0
