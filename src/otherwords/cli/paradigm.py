"""Options that `otherwords paradigm overlap` and `coverage` share."""

from __future__ import annotations

from typing import Annotated

from otherwords.cli.options import running, tested

__all__ = ["Resume", "SystemHuman"]

SystemHuman = Annotated[
    str | None,
    tested(
        "--system-human",
        help="Read human scores of systems, TSV: system, score...; print Spearman's rho with them.",
    ),
]
Resume = Annotated[
    str | None,
    running(
        "--resume",
        help="Keep finished work in this folder, and continue from it after an interruption.",
    ),
]
