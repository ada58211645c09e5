"""Parquet files with a SHA-256 of the whole file in the footer, so that any change is detected.

Parquet's own checksums cover the pages, but not their headers or the footer. The digest covers
every byte; its own 64 bytes count as zeros.
"""

from __future__ import annotations

import base64
import hashlib
import os
import stat
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq


KEY = b"otherwords"  # the key of our metadata
DIGEST = b"otherwords.sha256"
_EMPTY = b"0" * 64
_VALUE = DIGEST + b"\x18\x40"  # in a footer, 64 bytes of text follow
_COPY = b"ARROW:schema"
_END = 8  # bytes after the footer: its length, PAR1
_CHUNK = 1 << 20
_DAMAGED = "its footer is damaged"
_FRESH = 2_000_000_000  # nanoseconds; a younger file may change without a new time stamp
_intact: set[tuple[int, ...]] = set()  # files that this process has found intact


def sealed_schema(schema: pa.Schema, file: IO[bytes]) -> pa.Schema:
    """Add room for a digest to the schema's metadata, if the file is a regular file."""
    if not _is_regular(file):
        return schema
    return schema.with_metadata({**(schema.metadata or {}), DIGEST: _EMPTY})


def write_digest(file: IO[bytes]) -> None:
    """Write the digest into a finished file that was begun with a sealed schema."""
    if not _is_regular(file):
        return
    file.flush()
    with open(os.dup(file.fileno()), "r+b") as written:
        place = _place_of_digest(written)
        if place is not None:
            digest = _digest(written, place)
            written.seek(place)
            written.write(digest.encode())


def _is_regular(file: IO[bytes]) -> bool:
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def _is_intact(source: str | Path | IO[bytes]) -> bool:
    """Whether a file matches its digest; that of a file on disk is computed once per process."""
    if not isinstance(source, (str, Path)):
        return _matches(source)
    with open(source, "rb") as file:
        known = os.fstat(file.fileno())
        times = known.st_mtime_ns, known.st_ctime_ns
        key = (known.st_dev, known.st_ino, known.st_size, *times)
        if key in _intact:
            return True
        matches = _matches(file)
        if matches and time.time_ns() - max(times) >= _FRESH:
            _intact.add(key)
        return matches


def _matches(file: IO[bytes]) -> bool:
    place = _place_of_digest(file)
    if place is None:
        return False
    file.seek(place)
    wanted = file.read(len(_EMPTY))
    matches = _digest(file, place).encode() == wanted
    file.seek(0)
    return matches


def _has_digest(source: str | Path | IO[bytes]) -> bool:
    if isinstance(source, (str, Path)):
        with open(source, "rb") as file:
            return _place_of_digest(file) is not None
    place = _place_of_digest(source)
    source.seek(0)
    return place is not None


def _place_of_digest(file: IO[bytes]) -> int | None:
    """The offset of the digest; `None` if the file has none."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END))
    length = int.from_bytes(file.read(4), "little")
    start = max(0, size - _END - length)
    file.seek(start)
    place = file.read(length).rfind(_VALUE)
    return None if place < 0 else start + place + len(_VALUE)


def _digest(file: IO[bytes], place: int) -> str:
    """The SHA-256 of a file; the digest at `place` counts as zeros."""
    sha = hashlib.sha256()
    file.seek(0)
    left = place
    while left and (data := file.read(min(_CHUNK, left))):
        sha.update(data)
        left -= len(data)
    sha.update(_EMPTY)
    file.seek(len(_EMPTY), os.SEEK_CUR)
    while data := file.read(_CHUNK):
        sha.update(data)
    return sha.hexdigest()


def check_footer(file: pq.ParquetFile, source: str | Path | IO[bytes]) -> None:
    """Raise ValueError if a file does not match its digest.

    Without a digest, the columns and our metadata must match Arrow's copy of the schema.
    """
    known = file.metadata.metadata or {}
    digest = known.get(DIGEST)
    if _has_digest(source) != (
        digest is not None
    ):  # in the metadata but not in the footer, or the reverse
        raise ValueError(_DAMAGED)
    if _COPY not in known and digest is None:
        return
    copy = _read_schema(known.get(_COPY, b""))
    again = copy.metadata or {}
    if digest != again.get(DIGEST):  # equal: there is none, or Arrow copied it from another file
        if digest is None or again.get(DIGEST) != _EMPTY:
            raise ValueError(_DAMAGED)
        if not _is_intact(source):
            raise ValueError("it was changed after it was written")
        return
    schema = file.schema_arrow
    if again.get(KEY) != known.get(KEY) or copy.names != schema.names:
        raise ValueError(_DAMAGED)
    for left, right in zip(copy.types, schema.types, strict=True):
        if None not in (_kind(left), _kind(right)) and _kind(left) != _kind(right):
            raise ValueError(_DAMAGED)


def _read_schema(data: bytes) -> pa.Schema:
    import pyarrow as pa
    import pyarrow.ipc

    try:
        return pyarrow.ipc.read_schema(pa.py_buffer(base64.b64decode(data, validate=True)))
    except (ValueError, OSError, pa.ArrowException) as error:
        raise ValueError(_DAMAGED) from error


def _kind(dtype: pa.DataType) -> str | None:
    """The kind of values of a type; `None` for types that we do not read."""
    import pyarrow.types as types

    tests = {
        "number": types.is_integer,
        "fraction": types.is_floating,
        "truth": types.is_boolean,
        "text": lambda kind: types.is_string(kind) or types.is_large_string(kind),
        "list": lambda kind: types.is_list(kind) or types.is_large_list(kind),
    }
    return next((name for name, test in tests.items() if test(dtype)), None)
