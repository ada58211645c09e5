"""`otherwords studio agreement`: how far two annotators agree."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli.bitexts import read
from otherwords.cli.options import Form, Output
from otherwords.cli.output import check_output, show

__all__ = ["agreement_command"]


def agreement_command(
    first: Annotated[str, typer.Argument(metavar="[NAME=]LOG", help="Log of `studio align`.")],
    second: Annotated[
        str | None,
        typer.Argument(metavar="[NAME=]LOG", help="Another log (default: the first has two)."),
    ] = None,
    everything: Annotated[
        bool,
        read("--all", help="Compare rows that are not marked as done too."),
    ] = False,
    form: Form = None,
    output: Output = None,
) -> int:
    """Compare the alignments of two annotators.

    One log may hold both. Rows that either annotator has not finished are left out.
    """
    from otherwords.studio import compare_annotators

    check_output(output, first, second)
    show(compare_annotators(first, second, everything=everything), form, output)
    return 0
