"""`otherwords validate`: check files before they are scored."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli.options import OUTPUT, ColumnNames, Form, Output, parse_columns
from otherwords.cli.output import check_output, show
from otherwords.corpus.validate import validate_files

__all__ = ["validate_command"]


def validate_command(
    files: Annotated[list[str], typer.Argument(help="Files to check.", metavar="FILE...")],
    columns: ColumnNames = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Let warnings fail the check as errors do.")
    ] = False,
    most: Annotated[
        int,
        typer.Option(
            "--most",
            help="Show so many findings of a code for each file.",
            min=1,
            rich_help_panel=OUTPUT,
        ),
    ] = 5,
    form: Form = None,
    output: Output = None,
) -> int:
    """Check text, rows, CoNLL-U and WMT files; exit 1 if the check found errors."""
    check_output(output, *files)
    result = validate_files(files, cap=most, columns=parse_columns(columns))
    show(result, form, output)
    return 1 if result.errors or (strict and result.doubts) else 0
