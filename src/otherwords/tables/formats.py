"""The formats of a table, for readers and for programs."""

from __future__ import annotations

import csv
import io
import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
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
    interval_decimals,
    shown,
)

_SHORTEST = 20  # characters of the narrowest column of texts
_MOST_LINES = 4  # a longer text in a column is cut
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


def text(blocks: Iterable[Block], notes: Iterable[str], width: int | None = None) -> Iterator[str]:
    """Aligned tables with their captions, an empty line between them; then the notes.

    With a `width`, tables are fitted to it, and other lines are broken between words.
    """
    seen: dict[str, None] = {}
    left_out: dict[str, None] = {}  # columns
    for place, block in enumerate(blocks):
        if place:
            yield ""
        if block.caption:
            yield from _wrap(one_line(block.caption), width)
        if isinstance(block, Lines):
            yield from (part for line in block.lines for part in _wrap(line, width))
        else:
            columns, rows = _visible(block)
            lines, lacking = _fit(columns, rows, width)
            yield from lines
            seen |= dict.fromkeys(_explain(block, rows))
            left_out |= dict.fromkeys(lacking)
    if left_out:
        seen[f"not shown, for lack of width: {', '.join(left_out)}"] = None
    last = [*seen, *notes]
    yield from [""] if last else []
    yield from (part for note in last for part in _wrap(one_line(note), width))


def _wrap(line: str, width: int | None) -> list[str]:
    """A line in parts of at most a width; those after the first begin below its second column.

    >>> _wrap("text  one two three", 16)
    ['text  one two', '      three']
    """
    if width is None or len(line) <= width:
        return [line]
    label = re.match(r" *(?:\S+ {2,})?", line)
    indent = " " * (label.end() if label and label.end() < width // 2 else 0)
    how: Any = {"break_long_words": False, "break_on_hyphens": False}
    return textwrap.wrap(line, width, subsequent_indent=indent, drop_whitespace=True, **how)


def _fit(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int | None
) -> tuple[list[str], list[str]]:
    """An aligned table that is no wider than a width, or one line per cell if there is none; and
    the names of the columns that it lacks.
    """
    for fewer, cells in _variants(columns, rows):
        lacking = [column.title for column in columns if column not in fewer]
        table = [[column.title for column in fewer], *cells]
        left = [column.left for column in fewer]
        lines = list(aligned(table, left))
        excess = 0 if width is None else max(map(len, lines)) - width
        if excess <= 0:
            return lines, lacking
    texts = [place for place, column in enumerate(fewer) if column.left and place]
    sizes = {place: max(len(row[place]) for row in table) - excess for place in texts}
    longest = max(sizes, key=sizes.__getitem__, default=None)
    if longest is not None and sizes[longest] >= _SHORTEST:
        return list(aligned([*_wrapped(table, longest, sizes[longest])], left)), lacking
    return [line for cells in table[1:] for line in _stack(table[0], cells, width)], lacking


def _wrapped(table: list[list[str]], place: int, size: int) -> Iterator[list[str]]:
    """Rows whose texts in one column go on in the rows below."""
    for row in table:
        parts = textwrap.wrap(row[place], size, max_lines=_MOST_LINES, placeholder="…") or [""]
        for number, part in enumerate(parts):
            cells = [""] * len(row) if number else row
            yield [*cells[:place], part, *cells[place + 1 :]]


def _variants(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]]
) -> Iterator[tuple[Sequence[Column], list[list[str]]]]:
    """Columns and cells that need less and less room: fewer digits, no p-values (their stars stay),
    no minor columns, no intervals.
    """
    for fewer in range(3):
        digits = [
            column
            if column.decimals is None
            else replace(column, decimals=max(column.decimals - fewer, min(column.decimals, 2)))
            for column in columns
        ]
        cells = [_cells(row, digits) for row in rows]
        yield columns, cells
    cells = [[re.sub(r" \(p [^)]*\) ?", "", cell) for cell in row] for row in cells]
    yield columns, cells
    while any(column.minor for column in columns):
        last = max(place for place, column in enumerate(columns) if column.minor)
        columns = [column for place, column in enumerate(columns) if place != last]
        cells = [[cell for place, cell in enumerate(row) if place != last] for row in cells]
        yield columns, cells
    interval = re.compile(r" ± [\d.]+| \[-?[\d.]+, -?[\d.]+\]")
    yield columns, [[interval.sub("", cell) for cell in row] for row in cells]


def _stack(head: Sequence[str], cells: Sequence[str], width: int | None) -> Iterator[str]:
    """A row as lines, one per cell, below the first one."""
    yield cells[0]
    size = max(map(len, head[1:]), default=0)
    for title, cell in zip(head[1:], cells[1:], strict=True):
        if not cell.strip():
            continue
        yield from _wrap(f"  {title:<{size}}  {cell.strip()}", width)


def markdown(blocks: Iterable[Block], notes: Iterable[str]) -> Iterator[str]:
    """Tables with bars, the best numbers bold; notes as a list."""
    seen: dict[str, None] = {}
    for block in blocks:
        if block.caption:
            yield f"**{_markdown(block.caption)}**"
            yield ""
        if isinstance(block, Lines):
            lines = list(block.lines)
            yield from ["```", *lines, "```"] if lines else []
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
    """Booktabs tables: the best numbers bold, stars where a test found a difference; the caption
    says how to read them.
    """
    for block in blocks:
        if isinstance(block, Lines):
            yield from (f"% {one_line(line)}" for line in [block.caption, *block.lines] if line)
            continue
        columns, rows = _visible(block)
        caption = ". ".join(filter(None, [block.caption, *_explain(block, rows)]))
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
            yield rf"\caption{{{_latex(caption.rstrip('.'))}.}}"
        yield r"\end{table}"
    yield from (f"% {one_line(note)}" for note in notes)


def html(blocks: Iterable[Block], notes: Iterable[str]) -> Iterator[str]:
    """HTML tables for a page; all text is escaped."""
    for block in blocks:
        if isinstance(block, Lines):
            yield f"<h3>{escape(block.caption)}</h3>" if block.caption else ""
            plain = "\n".join(escape(line) for line in block.lines)
            yield block.html or (f"<pre>{plain}</pre>" if plain else "")
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
    rows = [[row[place] for place in places] for row in table.rows]
    columns = [table.columns[place] for place in places]
    return [_round(column, [row[n] for row in rows]) for n, column in enumerate(columns)], rows


def _round(column: Column, cells: Sequence[Cell]) -> Column:
    """The column with as many decimals as its intervals support."""
    numbers = [cell for cell in cells if isinstance(cell, Number) and cell.low is not None]
    scale = column.scale
    known = [(n.value, (n.low or 0) * scale, (n.high or 0) * scale) for n in numbers]
    supported = interval_decimals(known)
    if column.decimals is None or supported is None:
        return column
    return replace(column, decimals=min(column.decimals, supported))


def _cells(row: Sequence[Cell], columns: Sequence[Column]) -> list[str]:
    return [shown(cell, column) for cell, column in zip(row, columns, strict=True)]


def _best_cells(columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> set[tuple[int, int]]:
    return {
        (row, place)
        for place, column in enumerate(columns)
        if column.best is not None
        for row in best_rows(rows, place, column.best)
    }


def _correction(rows: Sequence[Sequence[Cell]]) -> str:
    """How the p-values of the rows were corrected, if they were."""
    numbers = (cell for row in rows for cell in row if isinstance(cell, Number))
    return next((number.correction for number in numbers if number.adjusted is not None), "")


def _explain(table: Table, rows: Sequence[Sequence[Cell]]) -> list[str]:
    """Lines that say how to read the table: what the star means, and the table's notes."""
    tested = any(isinstance(cell, Number) and cell.p is not None for row in rows for cell in row)
    star = []
    if tested and table.baseline is not None:
        corrected = f", corrected ({name})" if (name := _correction(rows)) else ""
        star = [f"p: against {table.baseline}, two-sided{corrected}; * p < {LEVEL:g}"]
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
    return content + space + _latex(interval) + "*" * cell.is_significant


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
