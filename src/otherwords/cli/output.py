"""Where results go: standard output, or a file that appears only when it is whole."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from otherwords.errors import UsageError
from otherwords.io.files import STDIN, atomic_write, packed_write
from otherwords.tables import Format, Tabular, format_of
from otherwords.tables.formats import indented

__all__ = [
    "Format",
    "align",
    "check_model_output",
    "check_output",
    "chosen_format",
    "emit",
    "emit_bytes",
    "indented",
    "latex_table",
    "rendered",
    "show",
    "tsv_line",
]


def rendered(
    form: Format,
    *found: Any,
    document: Callable[..., Any],
    records: Callable[..., Iterable[Any]],
    tsv: Callable[..., Iterable[str]],
    latex: Callable[..., Iterable[str]],
    text: Callable[..., Iterable[str]],
) -> Iterable[str]:
    """The lines of what was found in a format; each function makes those of one."""
    if form is Format.json:
        return [json.dumps(document(*found), indent=2, ensure_ascii=False)]
    if form is Format.jsonl:
        return (json.dumps(one, ensure_ascii=False) for one in records(*found))
    return {Format.tsv: tsv, Format.latex: latex, Format.text: text}[form](*found)


def emit(lines: Iterable[str], output: str | None) -> None:
    """Write the lines to a file, all or nothing, or to standard output as UTF-8."""
    if output is not None and output != "-":
        with atomic_write(output) as file:
            file.writelines(map(_encoded, lines))
        return
    for line in lines:
        sys.stdout.buffer.write(_encoded(line))
    sys.stdout.buffer.flush()


def chosen_format(form: Format | None, output: str | None, default: Format = Format.text) -> Format:
    """The format that is asked for, else that of the output's name."""
    return format_of(output, default) if form is None else form


def show(
    result: Tabular, form: Format | None, output: str | None, *, default: Format = Format.text
) -> None:
    """Print a result, or write it to a file in the format that the file's name asks for."""
    lines = result.render(chosen_format(form, output, default))
    emit_bytes(map(_encoded, lines), output)
    for warning in result.warnings():
        print(warning, file=sys.stderr)


def check_output(output: str | None, *inputs: str | None) -> None:
    """Refuse, before any work, an output that is one of the inputs or has nowhere to go."""
    if output is None or output == STDIN:
        return
    target = Path(output)
    if target.is_dir():
        raise UsageError(f"{output}: this is a directory; the output must be a file")
    if not target.parent.is_dir():
        raise UsageError(f"{output}: there is no directory {target.parent}")
    for path in inputs:
        if path and path != STDIN and target.exists() and _same(target, path):
            raise UsageError(f"{output} is both read and written; give the output another name")


def check_model_output(output: str, report: str | None, *inputs: str) -> None:
    """Refuse to write a trained model or its report over an input, or where a model cannot go."""
    for path in (output, report):
        check_output(path, *inputs)
    if output == STDIN:
        raise UsageError("a model cannot go to standard output; name a file")
    if report == output:
        raise UsageError("--report and --output name the same file")


def _same(target: Path, path: str) -> bool:
    with suppress(OSError, ValueError):
        return target.is_file() and target.samefile(path)
    return False


def emit_bytes(chunks: Iterable[bytes], output: str | None) -> None:
    """Write UTF-8 text to a file, all or nothing (gzip if named .gz), or to standard output."""
    if output is not None and output != "-":
        with packed_write(output) as file:
            file.writelines(chunks)
        return
    for chunk in chunks:
        sys.stdout.buffer.write(chunk)
    sys.stdout.buffer.flush()


def _encoded(line: str) -> bytes:
    # A file name need not be valid Unicode.
    return (line + "\n").encode("utf-8", "backslashreplace")


def align(table: Sequence[Sequence[str]], *, left: int = 1) -> Iterable[str]:
    """A table with its columns aligned, the first `left` ones to the left.

    >>> print("\\n".join(align([["system", "bleu"], ["a", "7.00"]])))
    system  bleu
    a       7.00
    """
    table = [[_one_line(cell) for cell in row] for row in table]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    for row in table:
        cells = [
            cell.ljust(width) if column < left else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        yield "  ".join(cells).rstrip()


def tsv_line(cells: Iterable[object]) -> str:
    """Cells with tabs between them; tabs and line ends inside become spaces."""
    return "\t".join(_one_line(str(cell)) for cell in cells)


def _one_line(cell: str) -> str:
    return "".join(" " if c.isspace() or not c.isprintable() else c for c in cell)


def latex_table(table: Sequence[Sequence[str]]) -> Iterable[str]:
    """A booktabs tabular."""
    yield "\\begin{tabular}{l" + "r" * (len(table[0]) - 1) + "}"
    yield "\\toprule"
    for number, row in enumerate(table):
        yield " & ".join(_escape(cell) for cell in row) + " \\\\"
        if number == 0:
            yield "\\midrule"
    yield "\\bottomrule"
    yield "\\end{tabular}"


def _escape(text: str) -> str:
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    special |= {c: "\\" + c for c in "&%$#_{}"}
    return "".join(special.get(c, c) for c in _one_line(text))
