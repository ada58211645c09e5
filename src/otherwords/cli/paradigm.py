"""What `otherwords paradigm overlap` and `coverage` share: their grammars, their work."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli.options import STATISTICS

__all__ = ["WORK", "Human", "Memory", "Resume", "Temporary", "Threads"]

WORK = "Work"

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
    typer.Option(
        "--resume",
        help="Keep finished work in this folder, and continue from it.",
        rich_help_panel=WORK,
    ),
]
Threads = Annotated[
    int, typer.Option("--threads", help="Threads to use.", min=1, max=1024, rich_help_panel=WORK)
]
Memory = Annotated[
    float,
    typer.Option(
        "--memory",
        help="Gigabytes for tables before they spill to disk.",
        min=0.05,
        rich_help_panel=WORK,
    ),
]
Temporary = Annotated[
    str | None,
    typer.Option(
        "--temporary",
        help="Directory for what spills (default: the system's).",
        rich_help_panel=WORK,
    ),
]
