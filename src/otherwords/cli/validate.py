"""`otherwords validate`: check files before they are scored."""

from __future__ import annotations

from otherwords.cli.options import ColumnNames, written
from otherwords.cli.output import Destination
from otherwords.cli.parameters import argument, option


def validate_command(
    *,
    to: Destination,
    files: list[str] = argument("Files to check.", "FILE..."),
    columns: ColumnNames = None,
    strict: bool = option("Fail on warnings too."),
    most: int = written(
        "Show at most this many findings of each code for each file.", min=1, default=3
    ),
) -> int:
    """Check text, rows and WMT files; exit 1 if the check found errors."""
    from otherwords.corpus.formats import parse_columns
    from otherwords.corpus.validation import validate_files

    to.check(*files)
    result = validate_files(files, cap=most, columns=parse_columns(columns))
    to.show(result)
    return 1 if result.errors or (strict and result.doubts) else 0
