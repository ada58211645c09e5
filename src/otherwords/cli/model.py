"""`otherwords model`: what is in a model file, is it whole, and tables packed into one."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from otherwords.cli.bitexts import read, written
from otherwords.cli.options import Form, Output
from otherwords.cli.output import check_output, emit, show

File = Annotated[
    str, typer.Argument(help="A model file or the name of an embedded model.", metavar="FILE")
]


class TableFormat(StrEnum):
    """Formats of tables of paraphrases; `phrases.paraphrase_files` describes them."""

    auto = "auto"
    moses = "moses"
    ppdb = "ppdb"
    meteor = "meteor"
    tsv = "tsv"


def info_command(file: File, form: Form = None, output: Output = None) -> int:
    """Show the kind, size, arrays and provenance of a model."""
    from otherwords.models.description import describe

    check_output(output, file)
    show(describe(file), form, output)
    return 0


def verify_command(file: File) -> int:
    """Check every byte of a model; exit 0 if it is whole, 1 if damaged, 2 if it is no model."""
    from otherwords.models.description import check_model

    found = check_model(file)
    emit([found.message], None)
    return 0 if found.is_sound else 1


def list_command(form: Form = None, output: Output = None) -> int:
    """List the embedded models."""
    from otherwords.models.description import list_models

    check_output(output)
    show(list_models(), form, output)
    return 0


def pack_command(
    table: Annotated[
        str,
        typer.Argument(
            help="Paraphrases: Moses text, PPDB, METEOR's table (`meteor` finds it), columns with "
            "tabs between them, or what `pivot` writes; `.gz` too.",
            metavar="TABLE",
        ),
    ],
    output: Annotated[str, written("-o", "--output", help="Write this model file.")],
    form: Annotated[
        TableFormat, read("--format", "-f", help="Format of the table.")
    ] = TableFormat.auto,
) -> int:
    """Pack a table of paraphrases into a model file, which opens at once."""
    from otherwords.phrases import pack_table

    check_output(output, table)
    emit([str(pack_table(table, output, form))], None)
    return 0
