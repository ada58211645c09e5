"""`otherwords model`: inspect and verify model files; pack tables and encoders into one."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from otherwords.cli.bitexts import files_by_name
from otherwords.cli.options import read, refuse_idle, written
from otherwords.cli.output import Destination, check_output, emit
from otherwords.cli.parameters import argument
from otherwords.errors import UsageError

File = Annotated[str, argument("A model file or the name of an embedded model.", "FILE")]


class TableFormat(StrEnum):
    """Formats of tables of paraphrases; `models.paraphrase_files` describes them."""

    auto = "auto"
    moses = "moses"
    ppdb = "ppdb"
    meteor = "meteor"
    tsv = "tsv"


class Bits(StrEnum):
    """Precisions of a neural encoder."""

    full = "32"
    small = "8"


def info_command(*, to: Destination, file: File) -> int:
    """Show the kind, size, arrays and provenance of a model."""
    from otherwords.models.description import describe

    to.check(file)
    to.show(describe(file))
    return 0


def verify_command(*, file: File) -> int:
    """Check every byte of a model; exit 0 if it is whole, 1 if damaged, 2 if it is not a model."""
    from otherwords.models.description import check_model

    check = check_model(file)
    emit([check.message], None)
    return 0 if check.is_sound else 1


def list_command(*, to: Destination) -> int:
    """List the embedded models."""
    from otherwords.models.description import list_models

    to.check()
    to.show(list_models())
    return 0


def encoder_command(
    *,
    folder: str = argument(
        "Folder of a sentence-transformers model (BERT, MiniLM), or auto: that of an "
        "installed package.",
        "FOLDER",
    ),
    output: str = written("Write this model file.", "-o", "--output"),
    bits: Bits = written(
        "Store a weight in 32 bits, or in 8 (smaller and faster, less exact).", default=Bits.full
    ),
) -> int:
    """Convert a sentence encoder into a model file for the option encoder=FILE of metrics.

    Needs the extra `neural`; nothing is downloaded.
    """
    from otherwords.encoders.neural import pack_encoder

    check_output(output)
    emit([str(pack_encoder(folder, output, bits=int(bits)))], None)
    return 0


def pack_command(
    *,
    output: str = written("Write this model file.", "-o", "--output"),
    table: str | None = argument(
        "Paraphrases: Moses text, PPDB, METEOR's table (`meteor` finds it), columns with "
        "tabs between them, or what `pivot` writes; `.gz` too.",
        "TABLE",
    ),
    form: TableFormat | None = read(
        "Read TABLE in this format (default: by its content).", "--format", "-f"
    ),
    pivot: list[str] | None = read(
        "Pack a Moses phrase table from stems into a pivot language, with counts; repeatable.",
        metavar="LANG=FILE",
    ),
    lm: str | None = read("Use this language model for PEM's fluency: ARPA or packed."),
) -> int:
    """Pack a paraphrase table (for ParaEval), or phrase tables into pivot languages (for PEM).

    The model file opens at once and can replace an embedded one.
    """
    from otherwords.build.phrases.packing import pack_pivots, pack_table

    if (table is None) == (not pivot):
        raise UsageError("give one TABLE of paraphrases, or phrase tables with --pivot LANG=FILE")
    if table is not None:
        refuse_idle(False, "--pivot", lm=lm)
        check_output(output, table)
        emit([str(pack_table(table, output, form or TableFormat.auto))], None)
        return 0
    refuse_idle(False, "a table of paraphrases", format=form)
    files = files_by_name(pivot or [])
    repeated = [language for language, paths in files.items() if len(paths) > 1]
    if repeated:
        raise UsageError(f"{repeated[0]}: give one phrase table per pivot language")
    tables = {language: path for language, [path] in files.items()}
    check_output(output, *tables.values(), lm)
    emit([str(pack_pivots(output, tables, lm=lm))], None)
    return 0
