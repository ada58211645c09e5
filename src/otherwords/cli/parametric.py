"""`otherwords parametric`: paraphrasers scored against alignments by hand."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.bitexts import Case, GoldBase, Preset, files_by_name
from otherwords.cli.options import read, written
from otherwords.cli.output import Destination
from otherwords.cli.progress import counting

__all__ = ["Alignments", "Gold", "MadeFrom", "Tables", "parametric_command"]

scored = partial(typer.Option, rich_help_panel="Scoring")


Gold = Annotated[
    str,
    read(
        "--gold",
        help="Read gold alignments, JSONL: source, target, sure, possible, group, domain.",
    ),
]
Alignments = Annotated[
    list[str] | None,
    read(
        "--alignments",
        metavar="[NAME=]FILE",
        help="Score these links i-j, one line per gold row; repeatable.",
    ),
]
Tables = Annotated[
    list[str] | None,
    read(
        "--table",
        metavar="[NAME=]FILE",
        help="Score this paraphrase table: TSV, Moses, PPDB, METEOR, Parquet; repeatable.",
    ),
]
MadeFrom = Annotated[
    list[str] | None,
    read(
        "--made-from",
        metavar="NAME=FILE",
        help="Warn if the text that a table was made of has tested sentences; repeatable.",
    ),
]


class By(StrEnum):
    """Parts whose scores are shown as well."""

    domain = "domain"
    length = "length"


def parametric_command(
    sampling: options.Sampling,
    to: Destination,
    gold: Gold,
    alignments: Alignments = None,
    tables: Tables = None,
    made_from: MadeFrom = None,
    gold_base: GoldBase = None,
    preset: Preset = None,
    max_length: Annotated[
        int,
        scored("--max-length", help="Longest phrase, in words.", min=1, max=20),
    ] = 5,
    possible: Annotated[
        bool,
        scored(
            "--possible",
            help="Extract gold phrase pairs from sure and possible links (default: sure).",
        ),
    ] = False,
    own_lists: Annotated[
        bool,
        scored("--own-lists", help="List the aligned phrases of systems without a table."),
    ] = False,
    min_probability: Annotated[
        float | None,
        scored(
            "--min-probability",
            help="Drop less likely paraphrases of --table (default: 0.01).",
            min=0,
            max=1,
        ),
    ] = None,
    case: Case = False,
    paired: options.PairedTest = None,
    baseline: options.Baseline = None,
    by: Annotated[
        list[By] | None,
        written("--by", help="Show each domain, or each length; repeatable."),
    ] = None,
) -> int:
    """Score paraphrasers against alignments by hand (ParaMetric)."""
    from otherwords.corpus.parallel import named_files
    from otherwords.diagnostics import parametric

    options.refuse_idle(paired is not None, "--paired", baseline=baseline)
    options.refuse_idle(bool(tables), "--table", min_probability=min_probability)
    aligned, listed = named_files(alignments or []), named_files(tables or [])
    texts = files_by_name(made_from or [])
    read_files = [file for files in texts.values() for file in files]
    to.check(gold, *aligned.values(), *listed.values(), *read_files)
    with counting("systems scored") as progress:
        result = parametric(
            gold,
            alignments=aligned,
            tables=listed,
            made_from=texts,
            preset=preset,
            max_length=max_length,
            possible=possible,
            own_lists=own_lists,
            min_probability=options.given(min_probability, 0.01),
            case=case,
            gold_base=options.given(gold_base, 0),
            by=[one.value for one in by or []],
            baseline=baseline,
            progress=progress,
            **options.those_given(paired=paired),
            **sampling.given,
        )
    to.show(result)
    return 0
