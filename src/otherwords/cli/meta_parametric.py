"""`otherwords meta paper parametric`: ParaMetric's Tables 2 and 3, and its §8."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli import options
from otherwords.cli.bitexts import Case, GoldBase, files_by_name
from otherwords.cli.options import tested
from otherwords.cli.output import Destination
from otherwords.cli.paradigm import SystemHuman
from otherwords.cli.parametric import Alignments, Gold, MadeFrom, Tables
from otherwords.cli.progress import counting

__all__ = ["parametric_paper_command"]


def parametric_paper_command(
    sampling: options.Sampling,
    to: Destination,
    gold: Gold,
    alignments: Alignments = None,
    tables: Tables = None,
    made_from: MadeFrom = None,
    gold_base: GoldBase = None,
    case: Case = False,
    system_human: SystemHuman = None,
    translations: Annotated[
        int | None,
        tested(
            "--translations",
            help="Also score with 1, 2, ... so many translations, in groups that have as many.",
            min=2,
        ),
    ] = None,
) -> int:
    """Make ParaMetric's Tables 2 and 3 beside the paper's figures; correlate with human scores."""
    from otherwords.corpus.parallel import named_files
    from otherwords.diagnostics import parametric_tables

    aligned, listed = named_files(alignments or []), named_files(tables or [])
    texts = files_by_name(made_from or [])
    read_files = [file for files in texts.values() for file in files]
    to.check(gold, *aligned.values(), *listed.values(), *read_files, system_human)
    with counting("systems scored") as progress:
        found = parametric_tables(
            gold,
            alignments=aligned,
            tables=listed,
            made_from=texts,
            human=system_human,
            translations=translations,
            case=case,
            gold_base=options.given(gold_base, 0),
            progress=progress,
            **sampling.given,
        )
    to.show(found)
    return 0
