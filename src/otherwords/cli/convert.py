"""`otherwords convert`: rows from one format to another."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from otherwords.cli import options
from otherwords.cli.output import check_output
from otherwords.corpus.columns import parse_columns
from otherwords.corpus.converting import RowFormat, convert_rows, row_format
from otherwords.corpus.parallel import split_name

__all__ = ["convert_command"]


class RowFormats(StrEnum):
    """Formats of rows."""

    jsonl = "jsonl"
    json = "json"
    csv = "csv"
    tsv = "tsv"
    parquet = "parquet"
    text = "text"


def convert_command(
    files: Annotated[
        list[str],
        typer.Argument(
            help="Rows in any format, or system outputs, one segment per line: FILE or NAME=FILE.",
            metavar="IN...",
        ),
    ],
    references: options.ReferenceFiles = None,
    source: options.SourceFile = None,
    docs: options.Documents = None,
    columns: options.ColumnNames = None,
    form: Annotated[
        RowFormats | None,
        options.written(
            "--format", "-f", help="Format of the output (default: by the name of -o, else jsonl)."
        ),
    ] = None,
    output: Annotated[
        str | None,
        options.written(
            "-o",
            "--output",
            help="Write to this file; a name that ends in / is a new folder of text files.",
        ),
    ] = None,
) -> int:
    """Convert rows between JSONL, JSON, CSV, TSV, Parquet and text files side by side."""
    format: RowFormat | None = None if form is None else form.value
    if row_format(output, format) != "text":
        read = [split_name(file)[1] for file in files]
        check_output(output, *read, *(references or []), source, docs)
    convert_rows(
        files,
        output,
        references=references or [],
        source=source,
        docs=docs,
        columns=parse_columns(columns),
        format=format,
    )
    return 0
