"""Records (column -> value) from JSONL, JSON, CSV, TSV, Parquet, and objects with columns."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import IO, Any

from otherwords.corpus.formats import Format, delimiter_of
from otherwords.errors import InputError, UsageError, require
from otherwords.io.values import DuplicateKeyError, load_json, parse_float, unique_keys

# The number of a line or row, from 1, and its record or the error in it.
Record = tuple[int, dict[str, Any] | InputError]

_BATCH = 2048
_LISTS = ("references", "candidates")
_NESTED = ("human", "judges", "systems")
_FAULTS = {  # plain words for Python's messages that need a position or a remedy
    "Expecting value": "a value is missing before",
    "Extra data": "text after the end of the object:",
    "Invalid \\escape": "a backslash that starts no escape; write it twice: \\\\, in",
    "Invalid \\uXXXX escape": "\\u without four hexadecimal digits in",
    "Invalid control character at": (
        "a control character inside a string; write it as an escape, such as \\t, in"
    ),
    "Unterminated string starting at": "a string is not closed, from",
}
_QUOTED = 20  # lines of a quoted cell that are searched for its end
_EXCERPT = 30  # characters of the text at a fault
_NAMES = ("item", "id", "doc", "system", "judge")


def cell_records(lines: Iterable[tuple[int, str]], path: str, format: Format) -> Iterator[Record]:
    """The records of CSV or TSV, whose first line names the columns.

    CSV is quoted as spreadsheets do it, and a cell may contain line ends. A TSV file has one record
    per line and no quoting, but cells that pandas quoted because of a `"` are unquoted. If all
    names in the header are quoted, the file is read like CSV with tabs.
    """
    numbered = iter(lines)
    number, header = next(numbered, (0, ""))
    if not number:
        return
    mark = delimiter_of(header, format)
    rows: Iterable[tuple[int, list[str] | InputError]]
    if format == "tsv" and not all(_is_quoted(name) for name in header.split(mark)):
        names = header.split(mark)
        rows = _tsv(numbered, path, len(names))
    else:
        rows = _csv(chain([(number, header)], numbered), path, mark)
        _, first = next(iter(rows))
        if isinstance(first, InputError):
            yield number, first
            return
        names = first
    names = [name.strip() for name in names]
    _check_header(names, path, number)
    for number, cells in rows:
        if isinstance(cells, InputError):
            yield number, cells
        elif len(cells) == len(names):
            yield number, dict(zip(names, cells, strict=True))
        elif any(cell.strip() for cell in cells):  # a blank line is not a record
            message = f"{len(cells)} cells here but {len(names)} columns in the header"
            yield number, InputError(message, path=path, line=number, code="E210")


def _tsv(
    lines: Iterable[tuple[int, str]], path: str, columns: int
) -> Iterator[tuple[int, list[str] | InputError]]:
    """One record per line. Lines that are also one record with a quoted line end are refused: they
    would be read as several rows.
    """
    pending: list[str] = []  # lines since a cell began with a quote that it did not close
    first = 0
    for number, line in lines:
        if pending and len(pending) < _QUOTED:
            pending.append(line)
            (_, cells), *more = _csv(enumerate(pending, first), path, "\t")
            if not more and not isinstance(cells, InputError) and len(cells) == columns:
                message = "is this a quoted cell with a line end, or several rows? write CSV"
                yield first, InputError(message, path=path, line=first, code="E216")
                pending = []
                continue
        cells = line.split("\t")
        if any(cell.startswith('"') and cell.count('"') % 2 for cell in cells):
            pending, first = [line], number
        yield number, [unquoted(cell) for cell in cells]


def _check_header(names: list[str], path: str, number: int | None) -> None:
    seen: set[str] = set()
    for name in names:
        if name and name in seen:
            message = f"two columns are named '{name}'; rename one of them"
            raise InputError(message, path=path, line=number, code="E209")
        seen.add(name)


def _csv(
    lines: Iterator[tuple[int, str]], path: str, mark: str
) -> Iterator[tuple[int, list[str] | InputError]]:
    last = 0

    def feed() -> Iterator[str]:
        nonlocal last
        for number, line in lines:
            last = number
            yield line + "\n"

    reader = csv.reader(feed(), delimiter=mark, strict=True)
    while True:
        before = last
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            number = before + 1
            wrong = _csv_trouble(str(error))
            yield number, InputError(wrong, path=path, line=number, code="E211")
            return  # the start of the next record is unknown
        yield before + 1, cells


def _csv_trouble(message: str) -> str:
    if "unexpected end" in message or "field limit" in message:
        return 'a cell that begins with " is not closed'
    if "expected after" in message:
        return 'text after the closing " of a cell; a " inside a cell is written ""'
    return f"not CSV: {message}"


def _is_quoted(cell: str) -> bool:
    return len(cell) > 1 and cell[0] == cell[-1] == '"'


def unquoted(cell: str) -> str:
    """Unquote a TSV cell; writers such as pandas quote only cells that contain a quote.

    >>> unquoted('"a ""b"" c"'), unquoted('"a"'), unquoted('"a" and "b"')
    ('a "b" c', '"a"', '"a" and "b"')
    """
    inner = cell[1:-1]
    if _is_quoted(cell) and '""' in inner and '"' not in inner.replace('""', ""):
        return inner.replace('""', '"')
    return cell


def from_cells(record: dict[str, Any]) -> dict[str, Any]:
    """Parse cells into values. An empty cell is missing, but an empty hypothesis is a text.

    `references` and `candidates` may be JSON lists; `human.NAME` is a number.
    """
    values: dict[str, Any] = {}
    for name, cell in record.items():
        if cell == "" and name not in ("hypothesis", "better", "worse"):
            values[name] = None
        elif name in _LISTS and isinstance(cell, list):
            values[name] = [text or None for text in cell]
        elif name in _LISTS or name in _NESTED:
            values[name] = _from_json(cell, "[" if name in _LISTS else "[{") if cell else cell
        else:
            values[name] = cell
    if isinstance(record.get("human"), dict):
        values["human"] = {name: _cell_number(cell) for name, cell in record["human"].items()}
    return values


def from_strings(record: dict[str, Any]) -> dict[str, Any]:
    """Parse columns of JSON strings, used where Arrow has no simple type."""
    nested = {name: _from_json(record[name], "[{") for name in _NESTED if name in record}
    return {**record, **nested} if nested else record


def _from_json(cell: Any, starts: str) -> Any:
    if not isinstance(cell, str) or cell.lstrip()[:1] not in tuple(starts):
        return cell
    try:
        value = load_json(cell)
    except DuplicateKeyError:
        raise
    except (ValueError, RecursionError):
        return cell
    return value


def _cell_number(cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    if not cell.strip():
        return None
    try:
        return parse_float(cell)
    except ValueError:
        return cell


def json_fault(error: json.JSONDecodeError) -> str:
    """The error in JSON in plain words, with the text at that place.

    >>> try:
    ...     json.loads('{"a": "b')
    ... except json.JSONDecodeError as error:
    ...     print(json_fault(error))
    a string is not closed, from "b
    """
    known = (plain for message, plain in _FAULTS.items() if error.msg.startswith(message))
    rest = error.doc[error.pos :].lstrip("\n\r").partition("\n")[0]
    excerpt = rest if len(rest) <= _EXCERPT else f"{rest[:_EXCERPT]}..."
    return f"{next(known, f'{error.msg} before')} {excerpt or 'the end'}"


def json_records(text: str, path: str) -> Iterator[Record]:
    """The objects of a JSON array, or of concatenated JSON objects."""
    decoder = json.JSONDecoder(object_pairs_hook=unique_keys)
    place, line = _skip(text, 0, 1)
    array = text[place : place + 1] == "["
    if array:
        place, line = _skip(text, place + 1, line)
    while place < len(text) and not (array and text[place] == "]"):
        try:
            value, end = decoder.raw_decode(text, place)
        except json.JSONDecodeError as error:
            wrong = f"not JSON: {json_fault(error)}"
            raise InputError(
                wrong, path=path, line=error.lineno, column=error.colno, code="E201"
            ) from error
        except DuplicateKeyError as error:
            raise InputError(str(error), path=path, line=line, code="E215") from error
        except (RecursionError, ValueError) as error:
            wrong = "not JSON: nested too deep, or a number too long"
            raise InputError(wrong, path=path, line=line, code="E201") from error
        yield line, _check_record(value, text[place:end], path, line)
        place, line = _skip(text, end, line + text.count("\n", place, end))
        if array and text[place : place + 1] == ",":
            place, line = _skip(text, place + 1, line)
            if text[place : place + 1] == "]":
                raise InputError("not JSON: a comma before ]", path=path, line=line, code="E201")
        elif array and text[place : place + 1] != "]":
            problem = "the array is not closed by ]" if place == len(text) else "a comma is missing"
            raise InputError(f"not JSON: {problem}", path=path, line=line, code="E201")
    if array and text[place : place + 1] != "]":
        message = "not JSON: the array is not closed by ]"
        raise InputError(message, path=path, line=line, code="E201")
    after, line = _skip(text, place + 1, line)
    if array and after < len(text):
        message = "not JSON: text after the closing ]"
        raise InputError(message, path=path, line=line, code="E201")


def _check_record(value: Any, text: str, path: str, line: int) -> dict[str, Any] | InputError:
    if not isinstance(value, dict):
        message = "each element must be a JSON object"
        return InputError(message, path=path, line=line, code="E202")
    return _check_surrogates(value, path, line) if "\\u" in text else value


def _check_surrogates(value: dict[str, Any], path: str, line: int) -> dict[str, Any] | InputError:
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        half = f"\\u{ord(error.object[error.start]):04x}"
        message = f"{half} is half of a surrogate pair, not a character"
        return InputError(message, path=path, line=line, code="E206")
    return value


def _skip(text: str, place: int, line: int) -> tuple[int, int]:
    while place < len(text) and text[place] in " \t\r\n\ufeff":
        line += text[place] == "\n"
        place += 1
    return place, line


def parquet_records(
    stream: IO[bytes], path: str, used: Callable[[list[str]], list[str]] = lambda names: names
) -> Iterator[Record]:
    """The rows of a Parquet file, read batch by batch; `used` chooses the columns."""
    require("pyarrow")
    import pyarrow
    import pyarrow.parquet

    from otherwords.io.parquet import check_footer

    try:
        source = path if Path(path).is_file() else io.BytesIO(stream.read())
        with pyarrow.parquet.ParquetFile(
            source, buffer_size=1 << 20, pre_buffer=False, page_checksum_verification=True
        ) as file:
            check_footer(file, source)
            names = file.schema_arrow.names
            _check_header(names, path, 1)
            number = 0
            for batch in file.iter_batches(_BATCH, columns=used(names), use_threads=False):
                for record in batch.to_pylist():
                    number += 1
                    yield number, plain_record(record)
            if number != file.metadata.num_rows:
                raise ValueError(f"it has {number} rows, not {file.metadata.num_rows}")
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        wrong = str(error).split("\n", 1)[0]
        raise InputError(f"cannot be read as Parquet: {wrong}", path=path, code="E213") from error


def is_frame(value: Any) -> bool:
    """Whether an object is a table: of pandas, Polars, Arrow, `datasets` or DuckDB, or any other
    with an Arrow stream; single columns have an Arrow stream too, and a type.

    >>> is_frame({"hypothesis": ["a"]}), is_frame(["a"])
    (False, False)
    """
    is_column = hasattr(value, "dtype") or hasattr(value, "type")
    return _names(value) is not None or (hasattr(value, "__arrow_c_stream__") and not is_column)


def object_records(source: Any) -> Iterator[Record]:
    """The rows of an object with columns (a frame, a `Dataset`, a mapping), or of mappings.

    >>> list(object_records({"hypothesis": ["a", "b"], "source": ["c", float("nan")]}))
    [(1, {'hypothesis': 'a', 'source': 'c'}), (2, {'hypothesis': 'b', 'source': None})]
    """
    title = type(source).__name__
    for number, record in enumerate(_object_rows(source), 1):
        yield number, _check_surrogates(plain_record(record), title, number)


def _object_rows(source: Any) -> Iterator[dict[str, Any]]:
    names = source if isinstance(source, Mapping) else _names(source)
    if names is None and hasattr(source, "__arrow_c_stream__"):
        yield from _arrow_rows(source)
        return
    if names is None:
        if isinstance(source, (bytes, str)) or not hasattr(source, "__iter__"):
            raise UsageError(
                f"rows are a file, an object with columns or a list of dicts, not {source!r:.60}"
            )
        for number, record in enumerate(source, 1):
            if not isinstance(record, Mapping):
                message = f"each row must be a mapping, not {record!r:.60}"
                raise InputError(message, path=type(source).__name__, line=number, code="E202")
            yield dict(record)
        return
    titles = list(names)
    _check_header([str(name) for name in titles], type(source).__name__, None)
    for name in titles:
        if not isinstance(name, str):
            raise UsageError(f"the name of a column must be a string, not {name!r:.60}")
    columns = [source[name] for name in titles]
    if columns and hasattr(source, "__arrow_c_stream__") and not hasattr(columns[0], "__iter__"):
        yield from _arrow_rows(source)  # a query of DuckDB, whose columns are queries
        return
    for name, column in zip(titles, columns, strict=True):
        if isinstance(column, str) or not hasattr(column, "__len__"):
            raise UsageError(f"the column '{name}' must be a list, not {column!r:.60}")
        if len(column) != len(columns[0]):
            counts = f"{len(column)} values in '{name}' but {len(columns[0])} in '{titles[0]}'"
            raise InputError(f"the columns differ in length: {counts}", path=type(source).__name__)
    for values in zip(*columns, strict=True):
        yield dict(zip(titles, values, strict=True))


def _arrow_rows(source: Any) -> Iterator[dict[str, Any]]:
    """The rows of an object with the Arrow PyCapsule interface, batch by batch."""
    require("pyarrow")
    import pyarrow

    for batch in pyarrow.RecordBatchReader.from_stream(source):
        yield from batch.to_pylist()


def _names(source: Any) -> list[Any] | None:
    """The names of the columns of Arrow tables and Hugging Face datasets, or of frames."""
    for attribute in ("column_names", "columns"):
        names = getattr(source, attribute, None)
        if isinstance(names, Mapping):
            splits = ", ".join(map(repr, names))
            raise UsageError(f"this holds several sets ({splits}); give one of them")
        if names is not None and not callable(names):
            return list(names)
    return None


def plain_record(record: Mapping[str, Any]) -> dict[str, Any]:
    """Turn NumPy and Arrow values into Python values; NaN, a frame's missing value, into `None`."""
    values = {name: _plain(value) for name, value in record.items()}
    for name in _NAMES:  # whole numbers with a gap are stored as floats
        value = values.get(name)
        if isinstance(value, float) and value.is_integer():
            values[name] = int(value)
    return values


def _plain(value: Any) -> Any:
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, float):
        return None if math.isnan(value) else float(value)
    if isinstance(value, (bool, int)):
        return value
    if isinstance(value, Mapping):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    for method in ("as_py", "tolist", "to_list"):  # Arrow; NumPy and Arrow arrays; Polars
        if hasattr(value, method):
            return _plain(getattr(value, method)())
    return None if type(value).__name__ in ("NAType", "NaTType") else value
