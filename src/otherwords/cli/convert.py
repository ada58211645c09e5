"""`otherwords convert`: rows from one format to another."""

from __future__ import annotations

from otherwords.cli import options
from otherwords.cli.output import check_output
from otherwords.cli.parameters import argument
from otherwords.corpus.conversion import RowFormat, convert_rows, row_format
from otherwords.corpus.formats import parse_columns
from otherwords.corpus.parallel import split_name


def convert_command(
    *,
    files: list[str] = argument(
        "Rows in any format, or system outputs, one segment per line: FILE or NAME=FILE.", "IN..."
    ),
    references: options.ReferenceFiles = None,
    source: options.SourceFile = None,
    docs: options.Documents = None,
    columns: options.ColumnNames = None,
    format: RowFormat | None = options.written(
        "Write this format (default: by the name of -o, else jsonl).", "--format", "-f"
    ),
    output: str | None = options.written(
        "Write to this file; a name that ends in / is a new folder of text files.", "-o", "--output"
    ),
) -> int:
    """Convert rows between JSONL, JSON, CSV, TSV, Parquet and parallel text files."""
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
