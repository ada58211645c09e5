"""The one file format of our models: named arrays, their provenance, their checksums.

Layout: the magic bytes, the length and CRC-32 of a JSON header, the header, then the
arrays, each on a 64-byte boundary. A file is mapped, not read: opening costs no more than
checking the sums. The same bytes come out for the same arrays and provenance.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.files import atomic_write
from otherwords.errors import ModelError

__all__ = ["Model", "read", "write"]

MAGIC = b"otherwords-model"
VERSION = 1
_PREFIX = struct.Struct("<16sIII")  # magic, version, header length, header CRC-32
_ALIGN = 64


@dataclass(frozen=True)
class Model:
    """An opened model file: its arrays, its provenance and the hash of its content."""

    path: Path
    kind: str
    digest: str
    provenance: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    @property
    def short_digest(self) -> str:
        """The first eight hexadecimal digits, as signatures print them."""
        return self.digest[:8]


def write(
    path: Path | str,
    kind: str,
    arrays: Mapping[str, NDArray[Any]],
    provenance: Mapping[str, Any],
) -> None:
    """Write a model file, whole or not at all."""
    body = bytearray()
    table = []
    for name, array in arrays.items():
        body += bytes(-len(body) % _ALIGN)
        little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
        raw = little.tobytes()
        table.append(
            {
                "name": name,
                "dtype": little.dtype.str,
                "shape": list(little.shape),
                "offset": len(body),
                "crc32": zlib.crc32(raw),
            }
        )
        body += raw
    digest = hashlib.sha256(kind.encode() + json.dumps(table).encode() + bytes(body)).hexdigest()
    header = json.dumps(
        {
            "kind": kind,
            "digest": digest,
            "size": len(body),
            "provenance": dict(provenance),
            "arrays": table,
        },
        sort_keys=True,
    ).encode()
    prefix = _PREFIX.pack(MAGIC, VERSION, len(header), zlib.crc32(header))
    padding = bytes(-(len(prefix) + len(header)) % _ALIGN)
    with atomic_write(path) as out:
        out.write(prefix + header + padding)
        out.write(body)


def read(path: Path | str, kind: str) -> Model:
    """Open a model file of the given kind, refusing a damaged one with the reason."""
    path = Path(path)
    try:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the file is empty"
        raise ModelError(f"{path}: cannot open the model: {reason}") from error
    header, start = _header(path, data)
    if header["kind"] != kind:
        raise ModelError(f"{path}: this is a {header['kind']} model; a {kind} model is needed")
    if len(data) != start + header["size"]:
        raise ModelError(
            f"{path}: the model is truncated or has bytes too many: "
            f"{len(data)} bytes found, {start + header['size']} expected"
        )
    arrays = {entry["name"]: _array(path, data, start, entry) for entry in header["arrays"]}
    return Model(path, kind, header["digest"], header["provenance"], arrays)


def _header(path: Path, data: memoryview) -> tuple[dict[str, Any], int]:
    if len(data) < _PREFIX.size or bytes(data[: len(MAGIC)]) != MAGIC:
        looks = "a gzip file" if bytes(data[:2]) == b"\x1f\x8b" else "something else"
        raise ModelError(f"{path}: not an otherwords model; it looks like {looks}")
    _, version, length, crc = _PREFIX.unpack(data[: _PREFIX.size])
    if version != VERSION:
        raise ModelError(f"{path}: model format {version}; this release reads format {VERSION}")
    raw = bytes(data[_PREFIX.size : _PREFIX.size + length])
    if len(raw) != length or zlib.crc32(raw) != crc:
        raise ModelError(f"{path}: the model's header is damaged")
    start = _PREFIX.size + length
    header: dict[str, Any] = json.loads(raw)
    return header, start + -start % _ALIGN


def _array(path: Path, data: memoryview, start: int, entry: Mapping[str, Any]) -> NDArray[Any]:
    dtype = np.dtype(entry["dtype"])
    size = dtype.itemsize * int(np.prod(entry["shape"], dtype=np.int64))
    raw = data[start + entry["offset"] : start + entry["offset"] + size]
    if zlib.crc32(raw) != entry["crc32"]:
        raise ModelError(f"{path}: the model's array '{entry['name']}' is damaged")
    return np.frombuffer(raw, dtype).reshape(entry["shape"])
