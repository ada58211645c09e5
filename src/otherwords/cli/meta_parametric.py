"""`otherwords meta paper parametric`: ParaMetric's Tables 2 and 3, and its §8."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli import options
from otherwords.cli.bitexts import Case
from otherwords.cli.options import tested
from otherwords.cli.output import Destination
from otherwords.cli.paradigm import SystemHuman
from otherwords.cli.parametric import Paraphrasers
from otherwords.cli.progress import counting

__all__ = ["parametric_paper_command"]


def parametric_paper_command(
    sampling: options.Sampling,
    to: Destination,
    paraphrasers: Paraphrasers,
    case: Case = False,
    system_human: SystemHuman = None,
    translations: Annotated[
        int | None,
        tested(
            "--translations",
            help="Also score with 1, 2, ... up to N translations, in groups that have N.",
            min=2,
        ),
    ] = None,
) -> int:
    """Make ParaMetric's Tables 2 and 3, next to the paper's; correlate with human scores."""
    from otherwords.study.diagnostics.parametric_paper import parametric_tables

    to.check(*paraphrasers.files, system_human)
    with counting("systems scored") as progress:
        found = parametric_tables(
            human=system_human,
            translations=translations,
            case=case,
            progress=progress,
            **paraphrasers.given,
            **sampling.given,
        )
    to.show(found)
    return 0
