"""LaTeX of the tables of `otherwords report`."""

from __future__ import annotations

from collections.abc import Iterator

from otherwords.cli.output import latex_table, tsv_line
from otherwords.tables.plain import Table

__all__ = ["latex_lines"]


def latex_lines(table: Table) -> Iterator[str]:
    """A table with its caption and note as comments."""
    yield f"% {tsv_line([table.caption])}"
    yield from latex_table([table.head, *table.rows])
    if table.note:
        yield f"% {tsv_line([table.note])}"
