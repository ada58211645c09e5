"""`otherwords pivot`: find paraphrases by pivoting phrase tables."""

from __future__ import annotations

from typing import Literal

from otherwords.cli.bitexts import (
    Machines,
    MinProbability,
    MinStep,
    files_by_name,
    target,
)
from otherwords.cli.options import Output, limit, read, written
from otherwords.cli.output import check_output
from otherwords.cli.parameters import argument

PivotFormat = Literal["tsv", "parquet"]  # Output formats of paraphrases.
TableSide = Literal["source", "target"]  # A side of phrase tables.


def pivot_command(
    *,
    tables: list[str] = argument(
        "Phrase tables, Parquet or Moses text; tables of one pivot language are added.",
        "[NAME=]TABLE...",
    ),
    machine: Machines,
    english: TableSide = read("Name the English side of the tables.", default="source"),
    min_count: int = limit("Drop phrase pairs that occur less often.", min=1, default=1),
    min_step: MinStep = 0.0,
    max_length: int | None = limit("Limit phrases to this many words (default: all).", min=1),
    min_probability: MinProbability = 0.0,
    top: int | None = limit(
        "Keep at most this many paraphrases of a phrase (default: all).", min=1
    ),
    identity: bool = limit("Keep a phrase as its own paraphrase."),
    sets: bool = written("Write sets of phrases that share a foreign phrase."),
    form: PivotFormat | None = written(
        "Write this format (default: by the name of -o, else tsv).", "--format", "-f"
    ),
    output: Output = None,
) -> int:
    """Find paraphrases: English phrases that share foreign translations."""
    from otherwords.build.phrases.pivoting import Pruning, pivot_tables

    languages = files_by_name(tables, "table{}")
    check_output(output, *(file for files in languages.values() for file in files))
    with machine.engine() as engine:
        pivot_tables(
            languages,
            target(output),
            engine=engine,
            form=form,
            english=english,
            identity=identity,
            sets=sets,
            pruning=Pruning(min_count, min_step, max_length, min_probability, top),
        )
    return 0
