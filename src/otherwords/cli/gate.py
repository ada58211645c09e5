"""`otherwords gate`: rules that a system must keep; for continuous integration."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.output import append, check_output, show
from otherwords.cli.progress import counting
from otherwords.corpus.parallel import split_name
from otherwords.errors import UsageError
from otherwords.scoring.choice import default_metrics
from otherwords.scoring.gating import Rules, gate_rows, read_gate_input

__all__ = ["gate_command"]

RULES = "Rules"
SUMMARY = "GITHUB_STEP_SUMMARY"  # the file that GitHub shows on the page of a run


def gate_command(
    system: Annotated[
        str | None,
        typer.Argument(
            help="System output, one segment per line, or rows (JSONL, CSV, ...): FILE or "
            "NAME=FILE; with --rows the name of a system.",
            metavar="SYSTEM",
        ),
    ] = None,
    metrics: options.MetricNames = None,
    references: options.ReferenceFiles = None,
    source: options.SourceFile = None,
    jsonl: options.Rows = None,
    columns: options.ColumnNames = None,
    docs: options.Documents = None,
    baseline: Annotated[
        str | None,
        typer.Option(
            "--baseline",
            help="Compare with this: a file of --save-baseline, or another system's output; with "
            "--rows also the name of a system.",
            rich_help_panel=options.INPUT,
        ),
    ] = None,
    any_language: options.AnyLanguage = False,
    fail_under: Annotated[
        list[str] | None,
        typer.Option(
            help="Fail if a score is below (of TER: above) [METRIC=]VALUE; repeatable.",
            rich_help_panel=RULES,
        ),
    ] = None,
    min_delta: Annotated[
        list[str] | None,
        typer.Option(
            help="Fail unless a score is better than the baseline by [METRIC=]VALUE; a negative "
            "value allows a loss; repeatable.",
            rich_help_panel=RULES,
        ),
    ] = None,
    fail_if_worse: Annotated[
        bool,
        typer.Option(
            "--fail-if-worse",
            help="Fail if a score is significantly worse than the baseline.",
            rich_help_panel=RULES,
        ),
    ] = False,
    significance: Annotated[
        float | None,
        typer.Option(
            help="Significance level of --fail-if-worse, over all metrics (default: 0.05).",
            rich_help_panel=RULES,
        ),
    ] = None,
    no_contradictions: Annotated[
        bool,
        typer.Option(
            "--no-contradictions",
            help="Fail if a segment contradicts its reference, or its source if it has none.",
            rich_help_panel=RULES,
        ),
    ] = False,
    accept: Annotated[
        str | None,
        typer.Option(
            help="Accept these contradictions: lines of `gate -f jsonl`.", rich_help_panel=RULES
        ),
    ] = None,
    min_adequacy: Annotated[
        float | None,
        typer.Option(
            help="Fail if pem-adequacy of a segment is below this.", rich_help_panel=RULES
        ),
    ] = None,
    min_difference: Annotated[
        float | None,
        typer.Option(
            help="Fail if pem-dissimilarity of a segment is below this.", rich_help_panel=RULES
        ),
    ] = None,
    against: options.AgainstOption = None,
    case: options.Case = None,
    tokenizer: options.Tokenizer = None,
    settings: options.Settings = None,
    paired: Annotated[
        options.Paired | None,
        typer.Option(
            help="Paired test of --fail-if-worse (default: randomization).",
            rich_help_panel=options.STATISTICS,
        ),
    ] = None,
    resamples: options.Resamples = None,
    resamples_max: options.ResamplesMax = None,
    seed: options.Seed = None,
    save_baseline: Annotated[
        str | None,
        typer.Option(
            help="Store scores and statistics for later tests, if the gate is passed.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    examples: Annotated[
        int,
        typer.Option(
            help="Show so many segments of each broken rule.",
            min=0,
            max=100_000,
            rich_help_panel=options.OUTPUT,
        ),
    ] = 50,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Check a system by rules: exit code 0 if it keeps them, 1 if it breaks one."""
    files = [split_name(one)[1] for one in (system, baseline) if one is not None and not jsonl]
    inputs = [
        *files,
        *(references or []),
        *(jsonl or []),
        source,
        docs,
        *options.files_of(settings or []),
    ]
    check_output(output, *inputs, baseline, accept)
    # The file that the baseline was read from may be replaced by the new one.
    check_output(save_baseline, accept, *(path for path in inputs if path != baseline))
    if save_baseline is not None and save_baseline in (output, "-"):
        raise UsageError("--save-baseline needs a file of its own")
    idle = {"significance": significance, "paired": paired, "resamples": resamples, "seed": seed}
    idle["resamples_max"] = resamples_max
    options.refuse_idle(fail_if_worse, "--fail-if-worse", **idle)
    options.check_most(resamples, resamples_max)
    rules = Rules(
        fail_under=fail_under,
        min_delta=min_delta,
        fail_if_worse=fail_if_worse,
        significance=options.given(significance, 0.05),
        no_contradictions=no_contradictions,
        accept=accept,
        min_adequacy=min_adequacy,
        min_difference=min_difference,
    )
    if not rules.names and save_baseline is None:
        raise UsageError("no rule is given; for example --fail-under 0.6 (or --save-baseline FILE)")
    found = read_gate_input(
        *(
            system,
            references or [],
            source,
            docs,
            jsonl or [],
            baseline,
            options.parse_columns(columns),
        )
    )
    common = options.common_options(against=against, case=case, tokenizer=tokenizer)
    scorers = {}
    if metrics or rules.need_metrics or baseline or save_baseline:
        names = metrics or default_metrics(found.rows[0], against)
        scorers = options.build_metrics(names, common, settings, row=found.rows[0])
    else:
        options.refuse_idle(False, "-m", case=case, tokenizer=tokenizer, set=settings)
    with counting("segments checked") as progress:
        result = gate_rows(
            found.rows,
            scorers,
            rules,
            baseline=found.baseline,
            name=found.name,
            baseline_name=found.baseline_name,
            against=against.value if against else None,
            test=paired.value if paired else "randomization",
            resamples=options.given(resamples, 1000),
            resamples_max=options.given(resamples_max, 100_000),
            seed=options.given(seed, 0),
            shown=examples,
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    if save_baseline is not None and result.passed:
        result.scores.write(save_baseline)
    show(result, form, output)
    if save_baseline is not None and not result.passed:
        print(f"{save_baseline} is not written: the gate failed", file=sys.stderr)
    if os.environ.get(SUMMARY):
        # An empty line, so that the next summary does not continue the last list.
        append([*result.render("markdown"), ""], os.environ[SUMMARY])
    return 0 if result.passed else 1
