"""`otherwords gate`: rules that a system must keep; for continuous integration."""

from __future__ import annotations

import os
import sys
from functools import partial
from typing import Annotated

from otherwords.cli import options
from otherwords.cli.output import Destination, append, check_output
from otherwords.cli.parameters import Argument, Option
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

__all__ = ["gate_command"]

ruled = partial(Option, panel="Rules")
SUMMARY = "GITHUB_STEP_SUMMARY"  # the file that GitHub shows on the page of a run


def gate_command(
    texts: options.Texts,
    choice: options.MetricChoice,
    others: options.OtherMetrics,
    to: Destination,
    system: Annotated[
        str | None,
        Argument(
            help="System output, one segment per line, or rows (JSONL, CSV, ...): FILE or "
            "NAME=FILE; with --rows the name of a system.",
            metavar="SYSTEM",
        ),
    ] = None,
    baseline: Annotated[
        str | None,
        options.read(
            "--baseline",
            help="Compare with this baseline: a file of --save-baseline, or another system's "
            "output; with --rows also the name of a system.",
        ),
    ] = None,
    fail_under: Annotated[
        list[str] | None,
        ruled(help="Fail if a score is below [METRIC=]VALUE (TER: above it); repeatable."),
    ] = None,
    min_delta: Annotated[
        list[str] | None,
        ruled(
            help="Fail unless a score is better than the baseline by [METRIC=]VALUE; a negative "
            "value allows a loss; repeatable."
        ),
    ] = None,
    fail_if_worse: Annotated[
        bool,
        ruled("--fail-if-worse", help="Fail if a score is significantly worse than the baseline."),
    ] = False,
    significance: Annotated[
        float | None,
        ruled(
            help="Set the significance level of --fail-if-worse over all metrics (default: 0.05)."
        ),
    ] = None,
    no_contradictions: Annotated[
        bool,
        ruled(
            "--no-contradictions",
            help="Fail if a segment contradicts its reference (without references: its source), "
            "or if it omits or adds a statement while all else is the same.",
        ),
    ] = False,
    detector: Annotated[
        options.Detector | None,
        ruled(
            help="Find contradictions by facts, by the pair model, or by either (default: facts)."
        ),
    ] = None,
    detector_encoder: Annotated[
        str | None,
        ruled(
            "--detector-encoder", help="Use these weights for the pair model: auto, or a folder."
        ),
    ] = None,
    accept: Annotated[
        str | None, ruled(help="Accept these contradictions: lines of `gate -f jsonl`.")
    ] = None,
    min_adequacy: Annotated[
        float | None, ruled(help="Fail if meaning of any segment is below this value.")
    ] = None,
    min_difference: Annotated[
        float | None, ruled(help="Fail if difference of any segment is below this value.")
    ] = None,
    paired: Annotated[
        options.Paired | None,
        options.tested(help="Use this paired test for --fail-if-worse (default: randomization)."),
    ] = None,
    resamples: options.ResamplesNumber = None,
    resamples_max: options.ResamplesMax = None,
    seed: options.Seed = None,
    save_baseline: Annotated[
        str | None,
        options.written(help="Store scores and statistics for later tests if the gate passes."),
    ] = None,
    examples: Annotated[
        int,
        options.written(
            help="Show at most this many segments of each broken rule.", min=0, max=100_000
        ),
    ] = 50,
    threads: options.Threads = 1,
) -> int:
    """Check a system by rules: exit with 0 if it keeps all of them, with 1 if it breaks one.

    Default metrics: otherwords-mt, maxsim and chrf if there are references, otherwords-rewrite
    if there are only sources; with --scores, only its metrics.
    """
    from otherwords.corpus.formats import parse_columns
    from otherwords.corpus.parallel import split_name
    from otherwords.scoring.gating.checking import gate_rows
    from otherwords.scoring.gating.reading import read_gate_input
    from otherwords.scoring.gating.rules import Rules

    read = [] if texts.jsonl else [split_name(one)[1] for one in (system, baseline) if one]
    inputs = [*read, *texts.files, *choice.files, *others.files, accept]
    to.check(*inputs, baseline)
    # The file that the baseline was read from may be replaced by the new one.
    check_output(save_baseline, *(path for path in inputs if path != baseline))
    if save_baseline is not None and save_baseline in (to.output, "-"):
        raise UsageError("--save-baseline needs a separate file")
    tests = options.those_given(
        test=paired, resamples=resamples, resamples_max=resamples_max, seed=seed
    )
    options.refuse_idle(
        fail_if_worse, "--fail-if-worse", significance=significance, paired=paired, **tests
    )
    options.check_most(resamples, resamples_max)
    options.refuse_idle(no_contradictions, "--no-contradictions", detector=detector)
    rules = Rules(
        fail_under=fail_under,
        min_delta=min_delta,
        fail_if_worse=fail_if_worse,
        significance=options.given(significance, 0.05),
        no_contradictions=no_contradictions,
        detector=options.given(detector, "facts"),
        detector_encoder=detector_encoder,
        accept=accept,
        min_adequacy=min_adequacy,
        min_difference=min_difference,
    )
    if not rules.names and save_baseline is None:
        raise UsageError(
            "no rule is given; for example --no-contradictions or --fail-under METRIC=VALUE "
            "(or --save-baseline FILE)"
        )
    found = read_gate_input(
        system,
        texts.references or [],
        texts.source,
        texts.docs,
        texts.jsonl or [],
        baseline,
        parse_columns(texts.columns),
    )
    scored = choice.metrics or rules.need_metrics or baseline or save_baseline
    made = choice.build(found.rows[0], defaults=not others.scores) if scored else {}
    before = found.baseline if isinstance(found.baseline, list) else []
    scorers, _ = others.add(made, [*found.rows, *before])
    options.refuse_idle(
        bool(scorers),
        "-m",
        case=choice.case,
        tokenizer=choice.tokenizer,
        encoder=choice.encoder,
        set=choice.settings,
    )
    with counting("segments checked") as progress:
        result = gate_rows(
            found.rows,
            scorers,
            rules,
            baseline=found.baseline,
            name=found.name,
            baseline_name=found.baseline_name,
            shown=examples,
            threads=threads,
            any_language=texts.any_language,
            progress=progress,
            **options.those_given(against=choice.against),
            **tests,
        )
    if save_baseline is not None and result.passed:
        result.scores.write(save_baseline)
    to.show(result)
    if to.output not in (None, "-") and not result.passed:
        print(f"{result.caption()}; see {to.output}", file=sys.stderr)
    if save_baseline is not None and not result.passed:
        print(f"{save_baseline} is not written: the gate failed", file=sys.stderr)
    if os.environ.get(SUMMARY):
        # An empty line, so that the next summary does not continue the last list.
        append([*result.render("markdown"), ""], os.environ[SUMMARY])
    return 0 if result.passed else 1
