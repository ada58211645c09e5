"""Parquet files: written whole or not at all, the same bytes however the rows arrive."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import Target, atomic_write

__all__ = [
    "Columns",
    "check_values",
    "form_of",
    "metadata_of",
    "open_parquet",
    "path_of",
    "read_batches",
    "write_parquet",
]

PARQUET = "parquet"

Columns = Mapping[str, pa.DataType]
ROW_GROUP = 1 << 17
_KEY = b"otherwords"  # of our metadata in the file


def form_of(form: str | None, target: Target, forms: Sequence[str]) -> str:
    """The format of an output: the one given, or Parquet if so named, or the first.

    >>> form_of(None, "table.parquet", ["moses", "parquet"])
    'parquet'
    """
    named = isinstance(target, (str, Path)) and str(target).endswith(f".{PARQUET}")
    chosen = form or (PARQUET if named else forms[0])
    if chosen not in forms:
        raise UsageError(f"unknown format '{chosen}'; {near(chosen, forms)}")
    if chosen == PARQUET:
        path_of(target)
    return chosen


def path_of(target: Target, what: str = "Parquet") -> str:
    """The name of an output file: what cannot go to a terminal or a pipe needs one."""
    if not isinstance(target, (str, Path)):
        raise UsageError(f"{what} goes to a file: give its name with -o")
    return str(target)


def write_parquet(
    path: str | Path,
    schema: pa.Schema,
    batches: Iterable[pa.RecordBatch],
    metadata: Mapping[str, Any] | None = None,
    *,
    fast: Sequence[str] | None = None,
) -> int:
    """Write the rows in groups of a fixed size, with our metadata; returns their number.

    A file that is read once and thrown away is written `fast`, naming the columns whose values
    repeat.
    """
    if metadata is not None:
        text = json.dumps(dict(metadata), sort_keys=True, ensure_ascii=False)
        schema = schema.with_metadata({_KEY: text.encode()})
    rows = 0
    with (
        atomic_write(path) as file,
        pq.ParquetWriter(file, schema, **_packing(fast)) as writer,
    ):
        for group in _regrouped(schema, batches):
            writer.write_table(group, row_group_size=ROW_GROUP)
            rows += len(group)
    return rows


def _packing(fast: Sequence[str] | None) -> dict[str, Any]:
    if fast is None:
        return {"compression": "zstd", "compression_level": 1, "write_page_checksum": True}
    return {"compression": "lz4", "use_dictionary": list(fast), "write_statistics": False}


def _regrouped(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The same rows in tables of exactly ROW_GROUP of them, but for the last."""
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
    """A Parquet file that has the columns of a `what`, or an error that says what it lacks."""
    name = str(path)
    try:
        file = pq.ParquetFile(name, page_checksum_verification=True)
    except FileNotFoundError as error:
        raise InputError("there is no such file", path=name) from error
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file is needed", path=name) from error
    except (OSError, ValueError, pa.ArrowException) as error:  # ValueError: a name is not UTF-8
        raise _unreadable(name, error) from error
    schema = file.schema_arrow
    for column, kind in columns.items():
        index = schema.get_field_index(column)
        if index < 0:
            raise InputError(f"this is no {what}: there is no column '{column}'", path=name)
        if not _alike(schema.field(index).type, kind):
            found = schema.field(index).type
            message = f"this is no {what}: column '{column}' holds {found}, not {kind}"
            raise InputError(message, path=name)
    return file


def read_batches(
    path: str | Path, schema: pa.Schema, what: str, size: int = 1 << 16
) -> Iterator[pa.RecordBatch]:
    """The columns of a schema, up to `size` rows at a time.

    Pages that have checksums are compared with them. Damage is an error that names the file.
    """
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
    if left:  # headers of pages have no checksums: a page of an unknown kind is passed over
        raise InputError(f"cannot be read as Parquet: {left} rows are missing", path=path)


def check_values(
    batch: pa.RecordBatch,
    limits: Mapping[str, tuple[float, float]],
    path: str | Path,
    first: int,
    *,
    nullable: Sequence[str] = (),
) -> None:
    """Refuse a batch with a number outside its limits, or a null where there must be none.

    `first` is the number of the batch's first row in the file, which the error counts from.
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


def _alike(found: pa.DataType, wanted: pa.DataType) -> bool:
    if pa.types.is_dictionary(found):
        found = found.value_type
    kinds = (
        (pa.types.is_string, pa.types.is_large_string),
        (pa.types.is_integer,),
        (pa.types.is_floating,),
    )
    return any(
        any(test(wanted) for test in tests) and any(test(found) for test in tests)
        for tests in kinds
    )


def metadata_of(file: pq.ParquetFile) -> dict[str, Any]:
    """Our metadata of a Parquet file; empty if another program wrote it."""
    raw = (file.schema_arrow.metadata or {}).get(_KEY, b"{}")
    try:
        found = json.loads(raw)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
