"""Results as tables, which every output format can show."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Any

from otherwords.errors import UsageError, near
from otherwords.tables import formats
from otherwords.tables.table import Block, Table, exact, flat

_SIGNATURE = re.compile(r"\S+\|v:\d")


class Format(StrEnum):
    """Output formats."""

    text = "text"
    markdown = "markdown"
    latex = "latex"
    tsv = "tsv"
    csv = "csv"
    json = "json"
    jsonl = "jsonl"
    html = "html"
    junit = "junit"
    sarif = "sarif"


_ENDINGS = {
    ".txt": Format.text,
    ".md": Format.markdown,
    ".tex": Format.latex,
    ".tsv": Format.tsv,
    ".csv": Format.csv,
    ".json": Format.json,
    ".jsonl": Format.jsonl,
    ".ndjson": Format.jsonl,
    ".html": Format.html,
    ".xml": Format.junit,
    ".sarif": Format.sarif,
}


def format_of(name: str | None, default: Format = Format.text) -> Format:
    """The format of a file name.

    >>> format_of("x.json.gz"), format_of("table.tex"), format_of(None)
    (<Format.json: 'json'>, <Format.latex: 'latex'>, <Format.text: 'text'>)
    """
    stem = (name or "").lower().removesuffix(".gz")
    if stem.endswith(".parquet"):
        raise UsageError(f"{name}: results are not written as Parquet; name a .tsv, .csv or .jsonl")
    return next((form for end, form in _ENDINGS.items() if stem.endswith(end)), default)


def refuse_checks(form: Format) -> UsageError:
    """The error for a format of checks that pass or fail, where there are none."""
    return UsageError(f"{form} is a format of `gate` alone; choose another one")


class Tabular:
    """A result that every output format can show. Subclasses define `tables`.

    `tables` are for readers, `records` (long, with signatures) for programs, `to_dict` is the
    JSON document, `notes` are lines below the tables: how to read them, signatures.
    """

    def tables(self) -> Iterable[Block]:
        raise TypeError(f"{type(self).__name__} has no tables")

    def records(self) -> Iterable[Table]:
        return [block for block in self.tables() if isinstance(block, Table)]

    def notes(self) -> Iterable[str]:
        return ()

    def warnings(self) -> Iterable[str]:
        return ()

    def to_dict(self) -> dict[str, Any]:
        return {
            **{
                table.name: [formats.record(table, row) for row in table.rows]
                for table in self.records()
            },
            "notes": list(self.notes()),
        }

    def render(
        self,
        form: Format | str = Format.text,
        *,
        width: int | None = None,
        signatures: bool = True,
    ) -> Iterator[str]:
        """The lines of the result in a format.

        `width` is that of the terminal to which text is fitted. Without `signatures`, text does not
        have those of the metrics; other formats always do.
        """
        try:
            form = Format(form)
        except ValueError as error:
            raise UsageError(f"unknown format '{form}'; {near(str(form), list(Format))}") from error
        match form:
            case Format.json:
                from otherwords import __version__

                document = {"otherwords": __version__, **self.to_dict()}
                yield json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False)
            case Format.jsonl:
                yield from formats.jsonl(self.records(), self.notes())
            case Format.tsv:
                yield from formats.tsv(self.records())
            case Format.csv:
                yield from formats.csv_lines(self.records())
            case Format.junit | Format.sarif:
                raise refuse_checks(form)
            case Format.text:
                notes = [n for n in self.notes() if signatures or not _SIGNATURE.match(n)]
                yield from formats.text(self.tables(), notes, width)
            case _:
                write = {
                    Format.markdown: formats.markdown,
                    Format.latex: formats.latex,
                    Format.html: formats.html,
                }[form]
                yield from write(self.tables(), self.notes())

    def to_frame(self, table: str | None = None) -> Any:
        """A pandas DataFrame of the only table, or of the one named.

        Intervals and tests are separate columns, as in TSV.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise UsageError(
                "to_frame needs pandas; install it with: pip install pandas"
            ) from error
        tables = {record.name: record for record in self.records()}
        if table is None and len(tables) != 1:
            raise UsageError(f"there are several tables; name one of: {', '.join(tables)}")
        if table is not None and table not in tables:
            raise UsageError(f"there is no table '{table}'; {near(table, tables)}")
        chosen = tables[table] if table is not None else next(iter(tables.values()))
        names, parts = flat(chosen)
        rows = [[exact(row[place], part) for place, part in parts] for row in chosen.rows]
        return pd.DataFrame(rows, columns=names)

    def _repr_html_(self) -> str:
        return "\n".join(self.render(Format.html))

    def __str__(self) -> str:
        return "\n".join(self.render(Format.text, signatures=False))
