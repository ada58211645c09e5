"""`otherwords model`: inspect and verify model files; pack tables and encoders into one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from otherwords.cli.bitexts import files_by_name
from otherwords.cli.options import read, refuse_idle, written
from otherwords.cli.output import Destination, check_output, emit
from otherwords.cli.parameters import argument
from otherwords.errors import UsageError

File = Annotated[str, argument("A model file or the name of an embedded model.", "FILE")]


# Formats of tables of paraphrases; `models.paraphrase_files` describes them.
TableFormat = Literal["auto", "moses", "ppdb", "meteor", "tsv"]
Bits = Literal["8", "4"]  # Bits per number of an encoder's embeddings.


def info_command(*, to: Destination, file: File) -> int:
    """Show the kind, size, arrays and provenance of a model."""
    from otherwords.models.description import describe

    to.check(file)
    to.show(describe(file))
    return 0


def verify_command(*, file: File) -> int:
    """Check every byte of a model; exit 0 if it is whole, 1 if damaged, 2 if it is not a model."""
    from otherwords.models.description import check_model

    is_sound, message = check_model(file)
    emit([message], None)
    return 0 if is_sound else 1


def list_command(*, to: Destination) -> int:
    """List the embedded models."""
    from otherwords.models.description import list_models

    to.check()
    to.show(list_models())
    return 0


def encoder_command(
    *,
    folder: str = argument("Folder of a sentence-transformers model (BERT, MiniLM).", "FOLDER"),
    output: str = written("Write this model file.", "-o", "--output"),
    bits: Bits = written(
        "Store a number of the embeddings in 8 bits, or in 4 (smaller).", default="8"
    ),
    layers: int | None = read("Use only the first N layers (faster, less exact).", metavar="N"),
) -> int:
    """Pack a sentence encoder into a model file for the option encoder=FILE of metrics."""
    from otherwords.build.encoders import pack_folder
    from otherwords.models import container

    check_output(output)
    model = pack_folder(folder, bits=int(bits), layers=layers)
    container.write(output, model.kind, model.arrays, model.provenance)
    emit([f"{output}: {Path(output).stat().st_size:,} bytes, {model.short_digest}"], None)
    return 0


def pack_command(
    *,
    output: str = written("Write this model file.", "-o", "--output"),
    table: str | None = argument(
        "Paraphrases: Moses text, PPDB, METEOR's table, columns with "
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
    lm_stems: bool = read("Read the language model as one of stems (default: words)."),
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
        emit([str(pack_table(table, output, form or "auto"))], None)
        return 0
    refuse_idle(False, "a table of paraphrases", format=form)
    refuse_idle(lm is not None, "--lm", lm_stems=lm_stems)
    files = files_by_name(pivot or [])
    repeated = [language for language, paths in files.items() if len(paths) > 1]
    if repeated:
        raise UsageError(f"{repeated[0]}: give one phrase table per pivot language")
    tables = {language: path for language, [path] in files.items()}
    check_output(output, *tables.values(), lm)
    emit([str(pack_pivots(output, tables, lm=lm, lm_stems=lm_stems))], None)
    return 0
