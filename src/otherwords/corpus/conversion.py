"""Converts rows between formats: JSONL, JSON, CSV, TSV, Parquet, parallel text files."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Literal

from otherwords.corpus.formats import HUMAN, Chosen, named_kind
from otherwords.corpus.inputs import (
    is_text,
    read_inputs,
    read_records_or_rows,
)
from otherwords.corpus.jsonl import candidates_or_row, pair_of, row_of
from otherwords.corpus.records import unquoted
from otherwords.corpus.rows import Row
from otherwords.errors import InputError, UsageError, require
from otherwords.io.files import STDIN, atomic_write, follow_links, packed_write
from otherwords.io.parquet import sealed_schema, write_digest
from otherwords.io.processes import working_folder

RowFormat = Literal["jsonl", "json", "csv", "tsv", "parquet", "text"]
_BATCH = 2048
_LISTS = ("references", "candidates", "systems")
_UNREADABLE = {"tsv": re.compile(r"[\t\r\n\0]"), "csv": re.compile(r"[\r\0]")}
_UNSAFE = re.compile(r"[^\w.+-]")
_Numbered = Iterator[tuple[str, int, dict[str, Any]]]


def row_format(output: str | None, format: RowFormat | None) -> RowFormat:
    """The requested format, or the format of the output's name; a folder means text.

    >>> row_format("a.csv.gz", None), row_format("texts/", None), row_format(None, None)
    ('csv', 'text', 'jsonl')
    """
    name = output or STDIN
    named = named_kind(name)
    chosen = format
    if chosen is None:
        if name == STDIN:
            chosen = "jsonl"
        elif named in ("jsonl", "json", "csv", "tsv", "parquet"):
            chosen = named
        elif name.endswith("/"):
            chosen = "text"
        else:
            raise UsageError(
                f"the name '{name}' has no format; let it end in .jsonl, .json, .csv, .tsv, "
                "or .parquet, or in / for text"
            )
    if chosen in ("parquet", "text") and name == STDIN:
        raise UsageError(f"{chosen} cannot go to standard output; give `output`")
    if chosen == "parquet" and name.endswith(".gz"):
        raise UsageError("Parquet files are compressed already; leave .gz out of the name")
    return chosen


def convert_rows(
    inputs: Sequence[str],
    output: str | None = None,
    *,
    references: Sequence[str] = (),
    source: str | None = None,
    docs: str | None = None,
    columns: Chosen | None = None,
    format: RowFormat | None = None,
) -> int:
    """Write the rows of files to `output` (standard output if `None`), and return their number.

    Columns are renamed to fields; the references of a row become a list. Other columns are kept,
    except in text: a folder of `systems/NAME.txt`, `reference1.txt`, ..., `source.txt` and
    `docs.txt`. The output appears when it is complete.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "rows.csv")
    ...     _ = path.write_text('mt,ref\\na cat,the cat\\n')
    ...     convert_rows([str(path)], f"{folder}/rows.jsonl")
    1
    """
    wanted = row_format(output, format)
    records: _Numbered
    if references or source or docs or all(is_text(path, columns) for path in inputs):
        if columns:
            raise UsageError("`columns` is for rows; text files have no columns")
        rows = read_inputs(inputs, references, source, docs)
        records = ((row.path or "", row.line or 0, _record_of(row)) for row in rows)
    else:
        records = _records(inputs, columns)
    if wanted == "text":
        return _write_texts(records, str(output))
    with _target(output, wanted) as file:
        if wanted == "jsonl":
            return _write_lines(records, file, b"", b"\n", b"\n")
        if wanted == "json":
            return _write_lines(records, file, b"[\n", b",\n", b"\n]\n")
        with tempfile.TemporaryFile("w+", encoding="utf-8") as spool:
            layout = _Layout(records, spool)
            write = _write_parquet if wanted == "parquet" else _write_cells
            write(layout, file, wanted)
            return layout.count


@contextmanager
def _target(output: str | None, format: RowFormat) -> Iterator[IO[bytes]]:
    if output is None or output == STDIN:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
    elif format == "parquet":
        with atomic_write(output) as file:
            yield file
    else:
        with packed_write(output) as file:
            yield file


def _records(inputs: Sequence[str], columns: Chosen | None) -> _Numbered:
    for path in inputs:
        for number, record in read_records_or_rows(path, columns):
            if isinstance(record, Row):
                yield path, number, _record_of(record)
                continue
            if "hypothesis" in record:
                row_of(record, path, number)
            elif "better" in record:
                pair_of(record, path, number)
            else:
                candidates_or_row(record, path, number)
            yield path, number, _tidy(record)


def _tidy(record: dict[str, Any]) -> dict[str, Any]:
    """Make references a list, and drop missing values."""
    fields: dict[str, Any] = {}
    for name, value in record.items():
        if value is None or value == {} or value == []:
            continue
        if name in ("reference", "references"):
            texts = [value] if isinstance(value, str) else value
            fields["references"] = [text for text in texts if text is not None]
        else:
            fields[name] = value
    return fields


def _record_of(row: Row) -> dict[str, Any]:
    record = {
        "hypothesis": str(row.hypothesis),
        "references": [str(text) for text in row.references],
        "source": None if row.source is None else str(row.source),
        "system": row.system,
        "item": row.item,
        "doc": row.doc,
    }
    return _tidy(record)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)


def _json_line(value: Any, path: str, number: int) -> str:
    try:
        return _json(value)
    except ValueError as error:
        message = "a field holds NaN or an infinity, which JSON does not have; leave it out"
        raise InputError(message, path=path, line=number) from error


def _write_lines(
    records: _Numbered, file: IO[bytes], before: bytes, between: bytes, after: bytes
) -> int:
    count = 0
    for path, number, record in records:
        file.write((between if count else before) + _json_line(record, path, number).encode())
        count += 1
    file.write(after if count else before.strip() + after.strip() + b"\n" if before else b"")
    return count


class _Layout:
    """The columns of a table and their types, known when all records were read."""

    def __init__(self, records: _Numbered, spool: IO[str]) -> None:
        self.count = 0
        self.types: dict[str, set[str]] = {}
        self._spool = spool
        for path, number, record in records:
            self.count += 1
            flat = _flat(record)
            for name, value in flat.items():
                self.types.setdefault(name, set()).add(_type(name, value))
            spool.write(_json_line([path, number, flat], path, number) + "\n")

    def __iter__(self) -> _Numbered:
        self._spool.seek(0)
        for line in self._spool:
            path, number, record = json.loads(line)
            yield path, number, record


def _flat(record: Mapping[str, Any]) -> dict[str, Any]:
    """Put human scores into separate columns."""
    columns: dict[str, Any] = {}
    for name, value in record.items():
        if name == "human" and isinstance(value, dict):
            columns.update((HUMAN + key, score) for key, score in value.items())
        else:
            columns[name] = value
    return columns


def _type(name: str, value: Any) -> str:
    if value is None:
        return "null"
    if name in _LISTS and isinstance(value, list):
        return "list"
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int) and abs(value) < 1 << 63:
        return "int64"
    return "float64" if isinstance(value, float) else "json"


def _write_cells(layout: _Layout, file: IO[bytes], format: RowFormat) -> None:
    names = list(layout.types)
    text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
    writer = csv.writer(text, lineterminator="\n")

    def write(cells: list[str], path: str | None, number: int | None) -> None:
        for name, cell in zip(names, cells, strict=True):
            if _UNREADABLE[format].search(cell):
                message = f"'{name}' has a character that {format.upper()} cannot hold; write JSONL"
                raise InputError(message, path=path, line=number)
        if format == "tsv":
            text.write("\t".join(map(_quoted, cells)) + "\n")
        else:
            writer.writerow(cells)

    if names:
        write(names, None, None)
    for path, number, record in layout:
        write([_cell(name, record.get(name)) for name in names], path, number)
    text.detach()


def _cell(name: str, value: Any) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if name in ("references", "candidates") and isinstance(value, list) and len(value) == 1:
        text = str(value[0])
        if name == "references" and text and not text.lstrip().startswith("["):
            return text
    return _json(value)


def _quoted(cell: str) -> str:
    return cell if unquoted(cell) == cell else '"' + cell.replace('"', '""') + '"'


def _write_parquet(layout: _Layout, file: IO[bytes], format: RowFormat) -> None:
    require("pyarrow")
    import pyarrow
    import pyarrow.parquet

    types = {name: _arrow(kinds - {"null"}) for name, kinds in layout.types.items()}
    known = {"list": pyarrow.list_(pyarrow.string()), "json": pyarrow.string()}
    schema = pyarrow.schema(
        [(name, known.get(kind) or pyarrow.type_for_alias(kind)) for name, kind in types.items()]
    )
    sealed = sealed_schema(schema, file)
    with pyarrow.parquet.ParquetWriter(file, sealed, write_page_checksum=True) as writer:
        batch: list[dict[str, Any]] = []
        for _, _, record in layout:
            batch.append({name: _value(record.get(name), kind) for name, kind in types.items()})
            if len(batch) == _BATCH * 16:
                writer.write_table(pyarrow.Table.from_pylist(batch, sealed))
                batch = []
        writer.write_table(pyarrow.Table.from_pylist(batch, sealed))
    write_digest(file)


def _arrow(kinds: set[str]) -> str:
    if kinds == {"int64", "float64"}:
        return "float64"
    return "json" if len(kinds) != 1 else next(iter(kinds))


def _value(value: Any, kind: str) -> Any:
    if value is None:
        return None
    if kind == "json" and not isinstance(value, str):
        return _json(value)
    return float(value) if kind == "float64" else value


def _write_texts(records: _Numbered, output: str) -> int:
    """Write parallel files to a new folder; every system must have the same segments."""
    folder = Path(output)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{output}: text is written to a new folder, but this one exists already")
    if not follow_links(folder).parent.is_dir():
        raise UsageError(
            f"{output}: there is no directory {follow_links(folder).parent}; make it first"
        )
    systems: dict[str, list[str]] = {}
    streams: dict[str, list[str]] = {}
    segments: list[dict[str, Any]] = []
    count = 0
    for path, number, record in records:
        count += 1
        if "hypothesis" not in record:
            message = "this is not a row with a hypothesis; only rows can be written as text"
            raise InputError(message, path=path, line=number)
        outputs = systems.setdefault(record.get("system", "system"), [])
        outputs.append(_line(record["hypothesis"], "hypothesis", path, number))
        segment = _segment(record, path, number)
        if len(segments) < len(outputs):
            if segments and segments[0].keys() != segment.keys():
                message = "this row has other references, source or doc than the first"
                raise InputError(message, path=path, line=number)
            segments.append(segment)
        elif segments[len(outputs) - 1] != segment:
            message = f"segment {len(outputs)} of this system is not that of the first system"
            raise InputError(message, path=path, line=number)
    for name, outputs in systems.items():
        if len(outputs) != len(segments):
            counts = f"{len(outputs)} segments, but others have {len(segments)}"
            raise InputError(f"the system '{name}' has {counts}; text files must be parallel")
    for segment in segments:
        for name, text in segment.items():
            streams.setdefault(name, []).append(text)
    _write_folder(folder, systems, streams)
    return count


def _segment(record: Mapping[str, Any], path: str, number: int) -> dict[str, Any]:
    references = enumerate(record.get("references") or (), 1)
    texts = {f"reference{place}": text for place, text in references}
    texts |= {"source": record.get("source"), "docs": record.get("doc")}
    return {
        name: _line(str(text), name, path, number)
        for name, text in texts.items()
        if text is not None
    }


def _line(text: str, name: str, path: str, number: int) -> str:
    if not {"\n", "\r", "\0"}.isdisjoint(text):
        message = f"the {name} has a line end or NUL, which a text file of segments cannot hold"
        raise InputError(message, path=path, line=number)
    return text


def _write_folder(
    folder: Path, systems: Mapping[str, Iterable[str]], streams: Mapping[str, Iterable[str]]
) -> None:
    names = {name: _UNSAFE.sub("_", name).lstrip(".") or "system" for name in systems}
    taken: dict[str, str] = {}
    for name, file in names.items():
        if (other := taken.setdefault(file, name)) != name:
            message = f"{other!r} and {name!r} would have the same file name, {file}.txt"
            raise InputError(f"{message}; rename one of these systems")
    try:
        with working_folder(follow_links(folder).parent, prefix=".") as temporary:
            temporary.chmod(0o755)
            (temporary / "systems").mkdir()
            for name, lines in systems.items():
                _write_lines_of(temporary / "systems" / f"{names[name]}.txt", lines)
            for name, lines in streams.items():
                _write_lines_of(temporary / f"{name}.txt", lines)
            if folder.exists():
                folder.rmdir()
            temporary.rename(follow_links(folder))
    except OSError as error:
        message = f"cannot be written: {error.strerror or error}"
        raise InputError(message, path=str(folder)) from error


def _write_lines_of(path: Path, lines: Iterable[str]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{line}\n" for line in lines)
