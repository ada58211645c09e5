"""`otherwords meta paper maxsim`: MAXSIM's Table 2 and its sweep of alpha on a judged set."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli import options
from otherwords.cli.output import Destination
from otherwords.cli.progress import counting
from otherwords.errors import UsageError

__all__ = ["maxsim_command"]


def maxsim_command(
    judged: options.JudgedRows,
    choice: options.MetricChoice,
    sampling: options.Sampling,
    to: Destination,
    human: options.HumanScores = None,
    system_human: options.SystemHuman = None,
    reference_number: Annotated[
        int | None, options.read(help="Use only the reference with this number (default: all).")
    ] = None,
    sweep: Annotated[
        str,
        options.scored(
            metavar="alpha=VALUES",
            help="Vary alpha over these values (default: alpha=0:1:0.05).",
            show_default=False,
        ),
    ] = "alpha=0:1:0.05",
    ci: options.Intervals = False,
) -> int:
    """Make MAXSIM's tables: Spearman with human scores over systems, and by alpha.

    Default metrics to compare MAXSIM with: bleu.
    """
    from otherwords.scoring.choice import parse_sweep
    from otherwords.study.papers.maxsim import maxsim_tables

    to.check(*(judged.jsonl or []), *choice.files, system_human)
    options.refuse_idle(ci, "--ci", **sampling.given)
    option, values = parse_sweep(sweep)
    if option != "alpha":
        raise UsageError(f"--sweep varies alpha here, not {option}")
    scorers = choice.build(["bleu"])
    rows = judged.read()
    with counting("segments scored") as progress:
        found = maxsim_tables(
            rows,
            scorers,
            options.names_of(human),
            system_human=system_human,
            reference=reference_number,
            alphas=values,
            resampling=sampling.resampling() if ci else None,
            progress=progress,
            **judged.how(controls=False),
        )
    to.show(found)
    return 0
