"""`otherwords pivot`: phrase tables in, paraphrases out."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from otherwords.cli.bitexts import (
    Machines,
    MinProbability,
    MinStep,
    files_by_name,
    numbers_by_name,
    target,
)
from otherwords.cli.options import Output, limit, read, written
from otherwords.cli.parameters import Argument

__all__ = ["pivot_command"]


class PivotFormat(StrEnum):
    """Output formats of paraphrases."""

    tsv = "tsv"
    parquet = "parquet"


class TableSide(StrEnum):
    """A side of phrase tables."""

    source = "source"
    target = "target"


class Average(StrEnum):
    """Over which languages the mean is taken."""

    known = "known"
    all = "all"


def pivot_command(
    tables: Annotated[
        list[str],
        Argument(
            help="Phrase tables, Parquet or Moses text; tables of one pivot language are added.",
            metavar="[NAME=]TABLE...",
        ),
    ],
    machine: Machines,
    english: Annotated[
        TableSide, read("--english", help="Name the English side of the tables.")
    ] = TableSide.source,
    weight: Annotated[
        list[str] | None,
        read("--weight", help="Weight a pivot language: NAME=NUMBER; repeatable (default: equal)."),
    ] = None,
    average: Annotated[
        Average,
        read(
            "--average",
            help="Average over the pivot languages that have the phrase (known), or over all.",
        ),
    ] = Average.known,
    min_count: Annotated[
        int, limit("--min-count", help="Drop phrase pairs that occur less often.", min=1)
    ] = 1,
    min_step: MinStep = 0.0,
    max_length: Annotated[
        int | None,
        limit("--max-length", help="Limit phrases to this many words (default: all).", min=1),
    ] = None,
    min_probability: MinProbability = 0.0,
    top: Annotated[
        int | None,
        limit(
            "--top", help="Keep at most this many paraphrases of a phrase (default: all).", min=1
        ),
    ] = None,
    identity: Annotated[
        bool, limit("--identity", help="Keep a phrase as its own paraphrase.")
    ] = False,
    sets: Annotated[
        bool, written("--sets", help="Write sets of phrases that share a foreign phrase.")
    ] = False,
    form: Annotated[
        PivotFormat | None,
        written("--format", "-f", help="Write this format (default: by the name of -o, else tsv)."),
    ] = None,
    output: Output = None,
) -> int:
    """Find paraphrases: English phrases that share foreign translations."""
    from otherwords.build.phrases.pivoting import Pruning, pivot_tables

    languages = files_by_name(tables, "table{}")
    machine.check_output(output, *(file for files in languages.values() for file in files))
    with machine.engine() as engine:
        pivot_tables(
            languages,
            target(output),
            engine=engine,
            form=form,
            english=english,
            weights=numbers_by_name(weight, "a weight"),
            average=average,
            identity=identity,
            sets=sets,
            pruning=Pruning(min_count, min_step, max_length, min_probability, top),
        )
    return 0
