"""One table for every output: text, Markdown, LaTeX, TSV, CSV, JSON, JSONL, HTML, DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from otherwords._lazy import attach

if TYPE_CHECKING:
    from otherwords.tables.table import Column as Column
    from otherwords.tables.table import Lines as Lines
    from otherwords.tables.table import Number as Number
    from otherwords.tables.table import Table as Table
    from otherwords.tables.tabular import Format as Format
    from otherwords.tables.tabular import Tabular as Tabular
    from otherwords.tables.tabular import format_of as format_of

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "otherwords.tables.table": "Column Lines Number Table",
        "otherwords.tables.tabular": "Format Tabular format_of",
    },
)
