"""Parquet files that prove to be as they were written: a SHA-256 of the whole file in its footer.

Checksums of Parquet cover pages, neither their headers nor the footer. The digest covers every
byte but its own 64, which are zeros while it is computed.
"""

from __future__ import annotations

import base64
import hashlib
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq


KEY = b"otherwords"  # the key of our metadata
DIGEST = b"otherwords.sha256"
_EMPTY = b"0" * 64
_VALUE = DIGEST + b"\x18\x40"  # as a footer has it: what follows is text of 64 bytes
_COPY = b"ARROW:schema"
_END = 8  # bytes after the footer: its length, PAR1
_CHUNK = 1 << 20
_DAMAGED = "its footer is damaged"
_FRESH = 2_000_000_000  # nanoseconds
_known: dict[tuple[object, ...], str] = {}  # digests that this process has computed


def sealed_schema(schema: pa.Schema, file: IO[bytes]) -> pa.Schema:
    """The schema with room for a digest in its metadata, if the file lets it be written."""
    if not _is_regular(file):
        return schema
    return schema.with_metadata({**(schema.metadata or {}), DIGEST: _EMPTY})


def write_digest(file: IO[bytes]) -> None:
    """Put the digest into a finished file that was begun with a sealed schema."""
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
    """Whether it is no pipe or device, which cannot be read again."""
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def _is_whole(file: IO[bytes]) -> bool:
    place = _place_of_digest(file)
    if place is None:
        return False
    file.seek(place)
    wanted = file.read(len(_EMPTY))
    return _digest(file, place).encode() == wanted


def digest_of(path: str | Path) -> str:
    """The SHA-256 of a file's bytes."""
    return _once(path, "digest", lambda file: _digest(file, None))


def _once(source: str | Path | IO[bytes], what: str, compute: Callable[[IO[bytes]], str]) -> str:
    """What is computed of a file, remembered until the file changes."""
    if not isinstance(source, (str, Path)):
        found = compute(source)
        source.seek(0)
        return found
    with open(source, "rb") as file:
        known = os.fstat(file.fileno())
        times = known.st_mtime_ns, known.st_ctime_ns
        key = (what, known.st_dev, known.st_ino, known.st_size, *times)
        if key not in _known:
            found = compute(file)
            if time.time_ns() - max(times) < _FRESH:  # another change may get the same time
                return found
            _known[key] = found
    return _known[key]


def _place_of_digest(file: IO[bytes]) -> int | None:
    """Where the digest begins; none if the file has none."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _END))
    length = int.from_bytes(file.read(4), "little")
    start = max(0, size - _END - length)
    file.seek(start)
    place = file.read(length).rfind(_VALUE)
    return None if place < 0 else start + place + len(_VALUE)


def _digest(file: IO[bytes], place: int | None) -> str:
    """The SHA-256 of a file; what is at the place of its digest counts as zeros."""
    found = hashlib.sha256()
    for piece in _pieces(file, place):
        found.update(piece)
    return found.hexdigest()


def _pieces(file: IO[bytes], place: int | None) -> Iterator[bytes]:
    file.seek(0)
    left = place
    while data := file.read(_CHUNK if left is None else min(_CHUNK, left)):
        yield data
        if left is not None:
            left -= len(data)
            if left == 0:
                file.seek(len(_EMPTY), os.SEEK_CUR)
                yield _EMPTY
                left = None


def check_footer(file: pq.ParquetFile, source: str | Path | IO[bytes]) -> None:
    """Raise ValueError if a file is not what its digest says.

    Without a digest, columns and our metadata must be what Arrow's copy of them says.
    """
    known = file.metadata.metadata or {}
    digest = known.get(DIGEST)
    place = _once(source, "place", lambda one: str(_place_of_digest(one) or ""))
    if bool(place) != (digest is not None):  # the digest is not where readers look for it
        raise ValueError(_DAMAGED)
    if _COPY not in known and digest is None:
        return
    copy = _described_again(known.get(_COPY, b""))
    again = copy.metadata or {}
    if digest != again.get(DIGEST):  # else there is none, or Arrow copied it into another file
        if digest is None or again.get(DIGEST) != _EMPTY:
            raise ValueError(_DAMAGED)
        if not _once(source, "whole", lambda one: "yes" * _is_whole(one)):
            raise ValueError("it was changed after it was written")
        return
    found = file.schema_arrow
    if again.get(KEY) != known.get(KEY) or copy.names != found.names:
        raise ValueError(_DAMAGED)
    for one, other in zip(copy.types, found.types, strict=True):
        if None not in (_kind(one), _kind(other)) and _kind(one) != _kind(other):
            raise ValueError(_DAMAGED)


def _described_again(data: bytes) -> pa.Schema:
    import pyarrow as pa
    import pyarrow.ipc

    try:
        return pyarrow.ipc.read_schema(pa.py_buffer(base64.b64decode(data, validate=True)))
    except (ValueError, OSError, pa.ArrowException) as error:
        raise ValueError(_DAMAGED) from error


def _kind(found: pa.DataType) -> str | None:
    """What a value of the type is; none for types that we do not read."""
    import pyarrow.types as types

    tests = {
        "number": types.is_integer,
        "fraction": types.is_floating,
        "truth": types.is_boolean,
        "text": lambda one: types.is_string(one) or types.is_large_string(one),
        "list": lambda one: types.is_list(one) or types.is_large_list(one),
    }
    return next((name for name, test in tests.items() if test(found)), None)
