"""Parquet files: written all or nothing, with the same bytes for any batching of the rows."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import Target, atomic_write, no_such_file, starts_with
from otherwords.io.parquet import KEY, check_footer, sealed_schema, write_digest

PARQUET = "parquet"

Columns = Mapping[str, pa.DataType]
Limits = Mapping[str, tuple[float, float]]  # the smallest and the largest value allowed in a column
ROW_GROUP = 1 << 17


def form_of(form: str | None, target: Target, forms: Sequence[str]) -> str:
    """Choose an output format: the one requested, else Parquet by file name, else the first.

    >>> form_of(None, "table.parquet", ["moses", "parquet"])
    'parquet'
    """
    named = isinstance(target, (str, Path)) and str(target).endswith(f".{PARQUET}")
    chosen = form or (PARQUET if named else forms[0])
    if chosen not in forms:
        raise UsageError(f"unknown format '{chosen}'; {near(chosen, forms)}")
    if chosen == PARQUET and not isinstance(target, (str, Path)):
        raise UsageError("Parquet goes to a file: give its name with `output`")
    return chosen


def is_parquet(path: str | Path) -> bool:
    """Whether the content of a file is Parquet; pipes are not read."""
    return starts_with(path, b"PAR1")


def row_count(path: str | Path) -> int:
    """Count the rows of a table; the error for a damaged file names it."""
    try:
        return int(pq.read_metadata(path).num_rows)
    except (OSError, pa.ArrowException) as error:
        raise _unreadable(str(path), error) from error


def table_digest(path: str | Path) -> str:
    """Return eight hexadecimal digits of the SHA-256 of a table, as signatures print them."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:8]


def _describe(schema: pa.Schema, metadata: Mapping[str, Any]) -> pa.Schema:
    text = json.dumps(dict(metadata), sort_keys=True, ensure_ascii=False)
    return schema.with_metadata({KEY: text.encode()})


def write_parquet(
    path: str | Path,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch],
    metadata: Mapping[str, Any] | None = None,
    *,
    fast: Sequence[str] | None = None,
) -> int:
    """Write rows in groups of a fixed size; returns their number.

    `fast` is for temporary files, and lists the columns with repeated values.
    """
    if metadata is not None:
        schema = _describe(schema, metadata)
    rows = 0
    with atomic_write(path) as file:
        sealed = schema if fast is not None else sealed_schema(schema, file)
        with pq.ParquetWriter(file, sealed, **_packing(fast)) as writer:
            for group in _regroup(sealed, batches):
                # One chunk per column, because pages end where chunks do.
                writer.write_table(group.combine_chunks(), row_group_size=ROW_GROUP)
                rows += len(group)
        if sealed is not schema:
            write_digest(file)
    return rows


def _packing(fast: Sequence[str] | None) -> dict[str, Any]:
    if fast is None:
        return {"compression": "zstd", "compression_level": 1, "write_page_checksum": True}
    return {"compression": "lz4", "use_dictionary": list(fast), "write_statistics": False}


def _regroup(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Yield tables of exactly ROW_GROUP rows; the last one may be shorter."""
    waiting: list[pa.RecordBatch] = []
    count = 0
    for batch in batches:
        waiting.append(batch.cast(schema))
        count += len(batch)
        if count < ROW_GROUP:
            continue
        table = pa.Table.from_batches(waiting, schema)
        whole = count - count % ROW_GROUP
        for start in range(0, whole, ROW_GROUP):
            yield table.slice(start, ROW_GROUP)
        waiting, count = table.slice(whole).to_batches(), count - whole
    if count:
        yield pa.Table.from_batches(waiting, schema)


def open_parquet(path: str | Path, columns: Columns, what: str) -> pq.ParquetFile:
    """Open a Parquet file; refuse it if it lacks a column of a `what`."""
    name = str(path)
    if os.path.isdir(path):
        raise InputError("this is a directory; a file is needed", path=name)
    try:
        file = pq.ParquetFile(path, page_checksum_verification=True)
        check_footer(file, path)
    except FileNotFoundError as error:
        raise no_such_file(name) from error
    except (OSError, ValueError, pa.ArrowException) as error:  # ValueError: a name is not UTF-8
        raise _unreadable(name, error) from error
    schema = file.schema_arrow
    for column, kind in columns.items():
        index = schema.get_field_index(column)
        if index < 0:
            raise InputError(
                f"this is not a valid {what}: there is no column '{column}'", path=name
            )
        if not _alike(schema.field(index).type, kind):
            actual = schema.field(index).type
            message = f"this is not a valid {what}: column '{column}' holds {actual}, not {kind}"
            raise InputError(message, path=name)
    return file


def read_batches(
    path: str | Path,
    schema: pa.Schema,
    what: str,
    size: int = 1 << 16,
    *,
    limits: Limits | None = None,
    nullable: Sequence[str] = (),
) -> Iterator[pa.RecordBatch]:
    """Read the columns of a schema, and verify the checksums of pages that have them.

    Errors name the file and `what` it should hold. With `limits`, numbers outside of them are
    refused, and nulls in columns that are not `nullable`.
    """
    first = 1
    for batch in _read_rows(path, schema, what, size):
        if limits is not None:
            check_values(batch, limits, path, first, nullable=nullable)
        first += len(batch)
        yield batch


def _read_rows(
    path: str | Path, schema: pa.Schema, what: str, size: int
) -> Iterator[pa.RecordBatch]:
    with open_parquet(path, {field.name: field.type for field in schema}, what) as file:
        batches = file.iter_batches(size, columns=schema.names)
        left = file.metadata.num_rows
        while True:
            try:
                batch = next(batches).select(schema.names).cast(schema)
            except StopIteration:
                break
            except (OSError, ValueError, pa.ArrowException) as error:
                raise _unreadable(str(path), error) from error
            left -= len(batch)
            yield batch
    if left:  # page headers have no checksums, and readers skip pages of unknown kinds
        raise InputError(f"cannot be read as Parquet: {left} rows are missing", path=path)


def check_values(
    batch: pa.RecordBatch,
    limits: Limits,
    path: str | Path,
    first: int,
    *,
    nullable: Sequence[str] = (),
) -> None:
    """Refuse numbers outside their limits, and nulls where none are allowed.

    Errors name the file and the row; `first` is the number of the batch's first row.
    """
    for name, column in zip(batch.schema.names, batch.columns, strict=True):
        bad = pc.is_null(column) if name not in nullable else None
        if name in limits:
            low, high = limits[name]
            inside = pc.and_(pc.greater_equal(column, low), pc.less_equal(column, high))
            outside = pc.invert(inside.fill_null(name in nullable))
            bad = outside if bad is None else pc.or_(bad, outside)
        if bad is not None and (place := pc.index(bad, True).as_py()) >= 0:
            value = column[place].as_py()
            wanted = "{:g} to {:g}".format(*limits[name]) if name in limits else "a value"
            message = f"row {first + place}: column '{name}' holds {value!r}; {wanted} is needed"
            raise InputError(message, path=path)


def _unreadable(name: str, error: Exception) -> InputError:
    reason = next(iter(str(error).splitlines()), type(error).__name__)
    return InputError(f"cannot be read as Parquet: {reason}", path=name)


def _alike(actual: pa.DataType, wanted: pa.DataType) -> bool:
    if pa.types.is_dictionary(actual):
        actual = actual.value_type
    kinds = (
        (pa.types.is_string, pa.types.is_large_string),
        (pa.types.is_integer,),
        (pa.types.is_floating,),
    )
    return any(
        any(test(wanted) for test in tests) and any(test(actual) for test in tests)
        for tests in kinds
    )


def metadata_of(file: pq.ParquetFile) -> dict[str, Any]:
    """Return our metadata in a Parquet file; empty if another program wrote the file."""
    raw = (file.schema_arrow.metadata or {}).get(KEY, b"{}")
    try:
        metadata = json.loads(raw)
    except (ValueError, RecursionError):
        return {}
    return metadata if isinstance(metadata, dict) else {}
