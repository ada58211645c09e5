"""Options that `otherwords paradigm overlap` and `coverage` share."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli.bitexts import running
from otherwords.cli.options import STATISTICS

__all__ = ["Human", "Resume"]

Human = Annotated[
    str | None,
    typer.Option(
        "--human",
        help="Read human scores, TSV: system, score...; print Spearman's rho with them.",
        rich_help_panel=STATISTICS,
    ),
]
Resume = Annotated[
    str | None,
    running("--resume", help="Keep finished work in this folder, and continue from it."),
]
