"""The formats of a table, for readers and for programs."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from otherwords.tables.table import (
    LEVEL,
    Block,
    Cell,
    Column,
    Lines,
    Number,
    Table,
    best_rows,
    exact,
    flat,
    shown,
)

_NUMBER = ' class="number"'  # for HTML cells that hold numbers


def one_line(cell: object) -> str:
    r"""A cell's text without tabs, line ends and control characters.

    >>> one_line("a\tb")
    'a b'
    """
    return "".join(" " if c.isspace() or not c.isprintable() else c for c in str(cell))


def aligned(rows: Sequence[Sequence[str]], left: Sequence[bool]) -> Iterator[str]:
    r"""Rows with their columns aligned.

    >>> print("\n".join(aligned([["system", "bleu"], ["a", "7.00"]], [True, False])))
    system  bleu
    a       7.00
    """
    rows = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(len(row[place]) for row in rows) for place in range(len(left))]
    for row in rows:
        cells = [
            cell.ljust(width) if to_left else cell.rjust(width)
            for cell, width, to_left in zip(row, widths, left, strict=True)
        ]
        yield "  ".join(cells).rstrip()


def text(blocks: Iterable[Block], notes: Iterable[str]) -> Iterator[str]:
    """Aligned tables with their captions, an empty line after each; then the notes."""
    seen: dict[str, None] = {}
    for block in blocks:
        if block.caption:
            yield one_line(block.caption)
        if isinstance(block, Lines):
            yield from block.lines
        else:
            columns, rows = _visible(block)
            head = [column.title for column in columns]
            shown_rows = [_cells(row, columns) for row in rows]
            yield from aligned([head, *shown_rows], [column.left for column in columns])
            seen |= dict.fromkeys(_explain(block, rows))
        yield ""
    yield from map(one_line, [*seen, *notes])


def markdown(blocks: Iterable[Block], notes: Iterable[str]) -> Iterator[str]:
    """Tables with bars, the best numbers bold; notes as a list."""
    seen: dict[str, None] = {}
    for block in blocks:
        if block.caption:
            yield f"**{_markdown(block.caption)}**"
            yield ""
        if isinstance(block, Lines):
            yield "```"
            yield from block.lines
            yield "```"
        else:
            columns, rows = _visible(block)
            yield "| " + " | ".join(_markdown(column.title) for column in columns) + " |"
            yield "|" + "|".join("---" if column.left else "--:" for column in columns) + "|"
            bold = _best_cells(columns, rows)
            for number, row in enumerate(rows):
                cells = [_markdown(cell).strip() for cell in _cells(row, columns)]
                marked = [f"**{c}**" if (number, p) in bold else c for p, c in enumerate(cells)]
                yield "| " + " | ".join(marked) + " |"
            seen |= dict.fromkeys(_explain(block, rows))
        yield ""
    yield from (f"- {_markdown(note)}" for note in [*seen, *notes])


def latex(blocks: Iterable[Block], notes: Iterable[str]) -> Iterator[str]:
    """Booktabs tables: the best numbers bold, daggers where a test found a difference."""
    for block in blocks:
        if isinstance(block, Lines):
            yield from (f"% {one_line(line)}" for line in block.lines)
            continue
        columns, rows = _visible(block)
        caption = _latex(block.caption) if block.caption else ""
        if block.baseline is not None:
            holm = ", corrected" if _is_corrected(rows) else ""
            mark = rf"$\dagger$: differs from {_latex(block.baseline)} ($p < {LEVEL:g}${holm})."
            caption = f"{caption.rstrip('.')}. {mark}" if caption else mark
        yield r"\begin{table}"
        yield r"\centering"
        yield r"\begin{tabular}{" + "".join("l" if c.left else "r" for c in columns) + "}"
        yield r"\toprule"
        yield " & ".join(_latex(column.title) for column in columns) + r" \\"
        yield r"\midrule"
        bold = _best_cells(columns, rows)
        for number, row in enumerate(rows):
            cells = [
                _latex_cell(cell, column, (number, place) in bold)
                for place, (cell, column) in enumerate(zip(row, columns, strict=True))
            ]
            yield " & ".join(cells) + r" \\"
        yield r"\bottomrule"
        yield r"\end{tabular}"
        if caption:
            yield rf"\caption{{{caption}}}"
        yield r"\end{table}"
        yield from (f"% {one_line(note)}" for note in block.notes)
    yield from (f"% {one_line(note)}" for note in notes)


def html(blocks: Iterable[Block], notes: Iterable[str]) -> Iterator[str]:
    """HTML tables for a page; all text is escaped."""
    for block in blocks:
        if isinstance(block, Lines):
            yield f"<h3>{escape(block.caption)}</h3>" if block.caption else ""
            yield "<pre>" + "\n".join(escape(line) for line in block.lines) + "</pre>"
            continue
        columns, rows = _visible(block)
        yield "<table>"
        if block.caption:
            yield f"<caption>{escape(block.caption)}</caption>"
        heads = "".join(
            f'<th scope="col"{"" if column.left else _NUMBER}>{escape(column.title)}</th>'
            for column in columns
        )
        yield f"<thead><tr>{heads}</tr></thead>"
        yield "<tbody>"
        bold = _best_cells(columns, rows)
        for number, row in enumerate(rows):
            yield "<tr>" + "".join(_html_cells(row, columns, number, bold)) + "</tr>"
        yield "</tbody></table>"
        yield from (f"<p>{escape(note)}</p>" for note in _explain(block, rows))
    yield from (f"<p>{escape(note)}</p>" for note in notes)


def _html_cells(
    row: Sequence[Cell], columns: Sequence[Column], number: int, bold: set[tuple[int, int]]
) -> Iterator[str]:
    for place, (cell, column) in enumerate(zip(row, columns, strict=True)):
        content = escape(shown(cell, column).strip())
        if (number, place) in bold:
            content = f"<strong>{content}</strong>"
        if place == 0 and column.left:
            yield f'<th scope="row">{content}</th>'
        else:
            yield f"<td{'' if column.left else _NUMBER}>{content}</td>"


def tsv(tables: Iterable[Table]) -> Iterator[str]:
    """Full-precision values separated by tabs; with several tables, the first column names each."""
    for cells in _flat_rows(tables):
        yield "\t".join(one_line(cell) for cell in cells)


def csv_lines(tables: Iterable[Table]) -> Iterator[str]:
    """Full-precision values separated by commas, quoted as in RFC 4180."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="")
    for cells in _flat_rows(tables):
        writer.writerow(cells)
        yield out.getvalue()
        out.seek(0)
        out.truncate()


def jsonl(tables: Iterable[Table], notes: Iterable[str]) -> Iterator[str]:
    """One object per row; with several tables, `table` names the row's table, and notes follow."""
    all_tables = list(tables)
    for table in all_tables:
        named = {"table": table.name} if len(all_tables) > 1 else {}
        for row in table.rows:
            yield json.dumps(named | record(table, row), ensure_ascii=False)
    if len(all_tables) > 1:
        yield from (
            json.dumps({"table": "notes", "note": note}, ensure_ascii=False) for note in notes
        )


def record(table: Table, row: Sequence[Cell]) -> dict[str, Any]:
    """A row as a mapping from column names to values."""
    return {
        column.name: number_dict(cell) if isinstance(cell, Number) else cell
        for column, cell in zip(table.columns, row, strict=True)
    }


def number_dict(number: Number) -> dict[str, Any]:
    """A number with its interval and test, in JSON's shape (docs/formats.md).

    >>> number_dict(Number(0.5, 0.4, 0.6))
    {'value': 0.5, 'interval': {'low': 0.4, 'high': 0.6}}
    """
    parts: dict[str, Any] = {"value": number.value}
    if number.low is not None:
        parts["interval"] = _parts(number, "low high confidence resamples")
    if number.p is not None:
        parts["comparison"] = _parts(number, "difference p adjusted test trials")
        if number.is_floor:
            parts["comparison"]["is_floor"] = True
    return parts | _parts(number, "size") | ({"reason": number.reason} if number.reason else {})


def _parts(number: Number, names: str) -> dict[str, Any]:
    parts = {name: getattr(number, name) for name in names.split()}
    return {name: value for name, value in parts.items() if value is not None}


def _flat_rows(tables: Iterable[Table]) -> Iterator[list[str]]:
    """A header and rows; several tables share the union of their columns."""
    all_tables = list(tables)
    if len(all_tables) == 1:
        names, parts = flat(all_tables[0])
        yield names
        for row in all_tables[0].rows:
            yield [_exact(row[place], part) for place, part in parts]
        return
    flats = [flat(table) for table in all_tables]
    head = list(dict.fromkeys(name for names, _ in flats for name in names))
    yield ["table", *head]
    for table, (names, parts) in zip(all_tables, flats, strict=True):
        for row in table.rows:
            here = {
                n: _exact(row[place], part) for n, (place, part) in zip(names, parts, strict=True)
            }
            yield [table.name, *(here.get(name, "") for name in head)]


def _exact(cell: Cell, part: str) -> str:
    value = exact(cell, part)
    if value is None:
        return ""
    if isinstance(value, (bool, list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return repr(value) if isinstance(value, float) else str(value)


def _visible(table: Table) -> tuple[list[Column], list[list[Cell]]]:
    places = [place for place, column in enumerate(table.columns) if not column.hidden]
    columns = [table.columns[place] for place in places]
    return columns, [[row[place] for place in places] for row in table.rows]


def _cells(row: Sequence[Cell], columns: Sequence[Column]) -> list[str]:
    return [shown(cell, column) for cell, column in zip(row, columns, strict=True)]


def _best_cells(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> set[tuple[int, int]]:
    return {
        (row, place)
        for place, column in enumerate(columns)
        if column.best is not None
        for row in best_rows(rows, place, column.best)
    }


def _is_corrected(rows: Sequence[Sequence[Cell]]) -> bool:
    numbers = (cell for row in rows for cell in row if isinstance(cell, Number))
    return any(number.adjusted is not None for number in numbers)


def _explain(table: Table, rows: Sequence[Sequence[Cell]]) -> list[str]:
    """Lines that say how to read the table: what the star means, and the table's notes."""
    tested = any(isinstance(cell, Number) and cell.p is not None for row in rows for cell in row)
    star = []
    if tested and table.baseline is not None:
        holm = ", corrected (Holm)" if _is_corrected(rows) else ""
        star = [f"p: against {table.baseline}, two-sided{holm}; * p < {LEVEL:g}"]
    return [*star, *table.notes]


def _markdown(cell: str) -> str:
    return "".join("\\" + c if c in "|*_`\\<" else c for c in one_line(cell))


def _latex(cell: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {c: "\\" + c for c in "&%$#_{}"} | {"±": r"$\pm$", "<": "$<$", ">": "$>$"}
    return "".join(special.get(c, c) for c in one_line(cell))


def _latex_cell(cell: Cell, column: Column, bold: bool) -> str:
    if not isinstance(cell, Number):
        content = _latex(shown(cell, column))
        return rf"\textbf{{{content}}}" if bold else content
    bare = Number(cell.value, cell.low, cell.high, reason=cell.reason)
    value, space, interval = shown(bare, column).partition(" ")
    content = rf"\textbf{{{_latex(value)}}}" if bold else _latex(value)
    return content + space + _latex(interval) + (r"$^\dagger$" if cell.is_significant else "")


def indented(value: dict[str, Any] | list[Any], indent: str = "  ") -> Iterator[str]:
    """A nested value for readers, one leaf per line; the items of a list are numbered.

    >>> list(indented({"a": {"b": 1}}, ""))
    ['a:', '  b: 1']
    """
    items = value.items() if isinstance(value, dict) else enumerate(value, 1)
    for key, item in items:
        if _is_nested(item):
            yield f"{indent}{key}:"
            yield from indented(item, indent + "  ")
        else:
            words = item if isinstance(item, str) else json.dumps(item, ensure_ascii=False)
            yield f"{indent}{key}: {words}"


def _is_nested(item: Any) -> bool:
    if isinstance(item, list):
        return any(isinstance(child, (dict, list)) for child in item)
    return isinstance(item, dict) and bool(item)
