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
from otherwords.io.parquet import KEY, check_footer, digest_of, sealed_schema, write_digest

PARQUET = "parquet"

Columns = Mapping[str, pa.DataType]
Limits = Mapping[str, tuple[float, float]]  # the smallest and the largest value allowed in a column
ROW_GROUP = 1 << 17
_COMMON = "_common_metadata"  # describes the files of a folder; Spark and Arrow use this name
_PARTS = b"otherwords.parts"  # digests of the files of a folder by their names


def form_of(form: str | None, target: Target, forms: Sequence[str]) -> str:
    """Choose an output format: the one requested, else Parquet by file name, else the first.

    A name that ends in a slash stands for a folder of Parquet files.

    >>> form_of(None, "table.parquet", ["moses", "parquet"])
    'parquet'
    """
    named = isinstance(target, (str, Path)) and str(target).endswith((f".{PARQUET}", "/"))
    chosen = form or (PARQUET if named else forms[0])
    if chosen not in forms:
        raise UsageError(f"unknown format '{chosen}'; {near(chosen, forms)}")
    check_form(chosen, target)
    return chosen


def check_form(form: str, target: Target) -> None:
    """Refuse Parquet without a file name, and a folder in any other format."""
    if form == PARQUET:
        path_of(target)
    elif isinstance(target, (str, Path)) and str(target).endswith("/"):
        raise UsageError(f"{target}: a folder of files holds Parquet, not {form}")


def path_of(target: Target, what: str = "Parquet") -> str:
    """Return the name of an output file, which formats that cannot be piped need."""
    if not isinstance(target, (str, Path)):
        raise UsageError(f"{what} goes to a file: give its name with -o")
    return str(target)


def parts_of(path: str | Path) -> list[Path]:
    """Return the files of a table: the file itself, or those of its folder sorted by name."""
    whole = Path(path)
    return sorted(whole.glob("*.parquet")) if _is_described_folder(whole) else [whole]


def _is_described_folder(path: Path) -> bool:
    return os.path.exists(path / _COMMON)  # Path.exists raises for a name that is too long


def is_parquet(path: str | Path) -> bool:
    """Whether the content of a file or folder is Parquet; pipes are not read."""
    whole = Path(path)
    if os.path.isdir(whole):
        return _is_described_folder(whole) or any(whole.glob("*.parquet"))
    return starts_with(path, b"PAR1")


def describe_parts(folder: str | Path, schema: pa.Schema, metadata: Mapping[str, Any]) -> None:
    """Turn a folder of Parquet files into a table by writing common metadata and digests."""
    digests = {part.name: digest_of(part) for part in sorted(Path(folder).glob("*.parquet"))}
    described = _describe(schema, metadata)
    known = {**(described.metadata or {}), _PARTS: json.dumps(digests).encode()}
    with atomic_write(Path(folder) / _COMMON) as file:
        pq.write_metadata(sealed_schema(described.with_metadata(known), file), file)
        write_digest(file)


def _check_parts(folder: Path, common: pq.ParquetFile) -> None:
    """Raise ValueError if a file of a folder that we wrote is missing, added or changed."""
    known = (common.metadata.metadata or {}).get(_PARTS)
    names = {part.name for part in parts_of(folder)}
    if not names:
        raise ValueError("there are no .parquet files in it")
    if known is None:  # written by another program
        return
    wanted = json.loads(known)
    for name in sorted(names ^ wanted.keys()):
        raise ValueError(f"{name} is {'missing' if name in wanted else 'no part of it'}")
    for name, digest in wanted.items():
        if digest_of(folder / name) != digest:
            raise ValueError(f"{name} was changed after it was written")


def row_count(path: str | Path) -> int:
    """Count the rows of a table; the error for a damaged file names it."""
    rows = 0
    for part in parts_of(path):
        try:
            rows += pq.read_metadata(part).num_rows
        except (OSError, pa.ArrowException) as error:
            raise _unreadable(str(part), error) from error
    return rows


def table_digest(path: str | Path) -> str:
    """Return eight hexadecimal digits of the SHA-256 of a table, as signatures print them."""
    whole = hashlib.sha256()
    for part in parts_of(path):
        with part.open("rb") as file:
            while block := file.read(1 << 20):
                whole.update(block)
    return whole.hexdigest()[:8]


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

    Parameters
    ----------
    path, schema, batches
        The file, its columns and its rows.
    metadata
        Metadata to store in the file.
    fast
        Write a temporary file fast; lists the columns with repeated values.
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
    """Open a Parquet file; refuse it if it lacks a column of a `what`.

    A folder of files is opened as their common metadata, without rows.
    """
    name = str(path)
    common = Path(path) / _COMMON
    table = common if _is_described_folder(Path(path)) else Path(path)
    if os.path.isdir(table):
        raise InputError(_no_table(table), path=name)
    try:
        file = pq.ParquetFile(table, page_checksum_verification=True)
        check_footer(file, table)
        if table == common:
            _check_parts(Path(path), file)
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


def _no_table(folder: Path) -> str:
    if any(folder.glob("*.parquet")):
        return f"this folder of Parquet files has no {_COMMON}, so it may not be whole"
    return "this is a directory; a file is needed"


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

    The error for a damaged file names it.

    Parameters
    ----------
    path, schema
        The file or folder, and the columns.
    what
        What the file should hold, for errors.
    size
        The most rows per batch.
    limits, nullable
        Refuse numbers outside these limits, and nulls in other columns (default: no check).
    """
    first = 1
    for part in parts_of(path):
        for batch in _read_part(part, schema, what, size):
            if limits is not None:
                check_values(batch, limits, path, first, nullable=nullable)
            first += len(batch)
            yield batch


def _read_part(path: Path, schema: pa.Schema, what: str, size: int) -> Iterator[pa.RecordBatch]:
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

    Parameters
    ----------
    batch
        The rows.
    limits
        The smallest and the largest value of columns.
    path, first
        The file and the row number of the batch's first row, for errors.
    nullable
        Columns that may be null.
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
