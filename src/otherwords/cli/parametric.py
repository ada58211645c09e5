"""`otherwords parametric`: paraphrasers scored against alignments by hand."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from otherwords.cli.options import (
    INPUT,
    OUTPUT,
    Baseline,
    Confidence,
    Form,
    Output,
    PairedTest,
    Resamples,
    Seed,
    given,
    named_files,
    refuse_idle,
)
from otherwords.cli.output import check_output, show
from otherwords.cli.progress import counting

__all__ = ["parametric_command"]

SCORING = "Scoring"


class By(StrEnum):
    """Parts whose scores are shown as well."""

    domain = "domain"
    length = "length"


def parametric_command(
    gold: Annotated[
        str,
        typer.Option(
            "--gold",
            help="Read gold alignments, JSONL: source, target, sure, possible, group, domain.",
            rich_help_panel=INPUT,
        ),
    ],
    alignments: Annotated[
        list[str] | None,
        typer.Option(
            "--alignments",
            metavar="[NAME=]FILE",
            help="Score these links i-j, one line per gold row; repeatable.",
            rich_help_panel=INPUT,
        ),
    ] = None,
    tables: Annotated[
        list[str] | None,
        typer.Option(
            "--table",
            metavar="[NAME=]FILE",
            help="Score this paraphrase table: TSV, Moses, PPDB, METEOR, Parquet; repeatable.",
            rich_help_panel=INPUT,
        ),
    ] = None,
    gold_base: Annotated[
        int,
        typer.Option(
            "--gold-base",
            help="Number of the first word in --gold.",
            min=0,
            max=1,
            rich_help_panel=INPUT,
        ),
    ] = 0,
    max_length: Annotated[
        int,
        typer.Option(
            "--max-length",
            help="Longest phrase, in words.",
            min=1,
            max=20,
            rich_help_panel=SCORING,
        ),
    ] = 5,
    possible: Annotated[
        bool,
        typer.Option(
            "--possible",
            help="Extract gold phrase pairs from sure and possible links (default: sure).",
            rich_help_panel=SCORING,
        ),
    ] = False,
    own_lists: Annotated[
        bool,
        typer.Option(
            "--own-lists",
            help="List the aligned phrases of systems without a table.",
            rich_help_panel=SCORING,
        ),
    ] = False,
    min_probability: Annotated[
        float | None,
        typer.Option(
            "--min-probability",
            help="Drop less likely paraphrases of --table (default: 0.01).",
            min=0,
            max=1,
            rich_help_panel=SCORING,
        ),
    ] = None,
    case: Annotated[
        bool, typer.Option("--case", help="Keep case (default: fold).", rich_help_panel=SCORING)
    ] = False,
    confidence: Confidence = None,
    resamples: Resamples = None,
    seed: Seed = None,
    paired: PairedTest = None,
    baseline: Baseline = None,
    by: Annotated[
        list[By] | None,
        typer.Option(
            "--by", help="Show each domain, or each length; repeatable.", rich_help_panel=OUTPUT
        ),
    ] = None,
    form: Form = None,
    output: Output = None,
) -> int:
    """Score paraphrasers against alignments by hand (ParaMetric)."""
    from otherwords.diagnostics import parametric

    refuse_idle(paired is not None, "--paired", baseline=baseline)
    refuse_idle(bool(tables), "--table", min_probability=min_probability)
    aligned, listed = named_files(alignments or []), named_files(tables or [])
    check_output(output, gold, *aligned.values(), *listed.values())
    with counting("systems scored") as progress:
        result = parametric(
            gold,
            alignments=aligned,
            tables=listed,
            max_length=max_length,
            possible=possible,
            own_lists=own_lists,
            min_probability=given(min_probability, 0.01),
            case=case,
            gold_base=gold_base,
            by=[one.value for one in by or []],
            confidence=given(confidence, 0.95),
            resamples=given(resamples, 1000),
            seed=given(seed, 0),
            paired=None if paired is None else paired.value,
            baseline=baseline,
            progress=progress,
        )
    show(result, form, output)
    return 0
