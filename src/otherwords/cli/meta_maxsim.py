"""`otherwords meta paper maxsim`: MAXSIM's Table 2 and its sweep of alpha on a judged set."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.meta import Controls, MetaMetrics, names_of, scorers
from otherwords.cli.output import check_output, show
from otherwords.cli.progress import counting
from otherwords.corpus.inputs import read_inputs
from otherwords.errors import UsageError
from otherwords.meta import maxsim_tables
from otherwords.stats import Resampling

__all__ = ["maxsim_command"]


def maxsim_command(
    jsonl: options.Rows,
    columns: options.ColumnNames = None,
    human: Annotated[
        str | None,
        typer.Option(
            help="Human scores to use, separated by commas (default: all).",
            rich_help_panel=options.INPUT,
        ),
    ] = None,
    system_human: Annotated[
        str | None,
        typer.Option(
            help="Read human scores of systems: a JSON object.", rich_help_panel=options.INPUT
        ),
    ] = None,
    reference: Annotated[
        int | None,
        typer.Option(
            help="Use the reference of this number alone (default: all).",
            rich_help_panel=options.INPUT,
        ),
    ] = None,
    controls: Controls = None,
    any_language: options.AnyLanguage = False,
    metrics: MetaMetrics = None,
    against: options.AgainstOption = None,
    settings: options.Settings = None,
    sweep: Annotated[
        str,
        typer.Option(
            metavar="alpha=VALUES",
            help="Values of alpha (default: alpha=0:1:0.05).",
            show_default=False,
            rich_help_panel=options.METRICS,
        ),
    ] = "alpha=0:1:0.05",
    ci: options.Intervals = False,
    confidence: options.Confidence = None,
    resamples: options.Resamples = None,
    seed: options.Seed = None,
    form: options.Form = None,
    output: options.Output = None,
    threads: options.Threads = 1,
) -> int:
    """Make MAXSIM's tables: Spearman with human scores over systems, and by alpha.

    Metrics beside MAXSIM (default: bleu).
    """
    inputs = [*options.given(jsonl, []), *options.files_of(settings or []), system_human]
    check_output(output, *inputs)
    options.refuse_idle(ci, "--ci", confidence=confidence, resamples=resamples, seed=seed)
    option, values = options.parse_sweep(sweep)
    if option != "alpha":
        raise UsageError(f"the sweep is of alpha, not of {option}")
    resampling = Resampling(
        confidence=options.given(confidence, 0.95),
        resamples=options.given(resamples, 1000),
        seed=options.given(seed, 0),
    )
    made = scorers(options.given(metrics, ["bleu"]), against, settings)
    rows = list(read_inputs(rows=options.given(jsonl, []), columns=options.parse_columns(columns)))
    with counting("segments scored") as progress:
        found = maxsim_tables(
            rows,
            made,
            names_of(human),
            system_human=system_human,
            reference=reference,
            alphas=values,
            resampling=resampling if ci else None,
            controls=options.given(controls, False),
            threads=threads,
            any_language=any_language,
            progress=progress,
        )
    show(found, form, output)
    return 0
