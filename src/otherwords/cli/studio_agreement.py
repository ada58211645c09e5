"""`otherwords studio agreement`: how far two annotators agree."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli.options import read
from otherwords.cli.output import Destination
from otherwords.cli.parameters import Argument

__all__ = ["agreement_command"]


def agreement_command(
    to: Destination,
    first: Annotated[str, Argument(metavar="[NAME=]LOG", help="Log of `studio align`.")],
    second: Annotated[
        str | None,
        Argument(metavar="[NAME=]LOG", help="Another log (default: the first has two)."),
    ] = None,
    everything: Annotated[
        bool,
        read("--all", help="Also compare rows that are not marked as done."),
    ] = False,
) -> int:
    """Compare the alignments of two annotators.

    One log may hold both. Rows that either annotator has not finished are left out.
    """
    from otherwords.study.studio.agreement_result import compare_annotators

    to.check(first, second)
    to.show(compare_annotators(first, second, everything=everything))
    return 0
