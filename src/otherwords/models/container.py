"""The one file format of our models: named arrays, their provenance, their checksums.

Layout: the magic bytes, the length and CRC-32 of a JSON header, the header, then the
arrays, each on a 64-byte boundary, zeros between them. A file is mapped, not read. The same
bytes come out for the same arrays and provenance. `docs/models.md` describes it.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import struct
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import DamagedModelError, ModelError
from otherwords.io.files import atomic_write
from otherwords.models.cache import cached_path

__all__ = ["ArrayEntry", "Model", "in_memory", "read", "verify", "write"]

MAGIC = b"otherwords-model"
VERSION = 1
CHECKED_ON_OPENING = 64 << 20  # bytes; the content of larger files is checked once per machine
_CHUNK = 1 << 20  # bytes
_PREFIX = struct.Struct("<16sIII")  # magic, version, header length, header CRC-32
_ALIGN = 64
_KINDS = "biuf"  # of the dtypes that a model may hold
_ASIDE = "seen/"  # arrays that no score depends on: hashes of what a model was trained on


@dataclass(frozen=True)
class ArrayEntry:
    """Where an array is in the file, counted from the end of the header, and its checksum."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int
    crc32: int

    @property
    def size(self) -> int:
        """Bytes of the array."""
        size = np.dtype(self.dtype).itemsize
        for extent in self.shape:
            size *= extent
        return size

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.offset + self.size


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

    def section(self, prefix: str) -> dict[str, NDArray[Any]]:
        """The arrays of one part: those named `prefix/...`, without the prefix."""
        start = prefix.rstrip("/") + "/"
        return {
            name.removeprefix(start): array
            for name, array in self.arrays.items()
            if name.startswith(start)
        }

    def sections(self, prefix: str = "") -> list[str]:
        """The names of the parts directly below `prefix`, in the order of the file."""
        inside = self.section(prefix) if prefix else self.arrays
        return list(dict.fromkeys(name.split("/")[0] for name in inside if "/" in name))


def write(
    path: Path | str,
    kind: str,
    arrays: Mapping[str, NDArray[Any]],
    provenance: Mapping[str, Any],
) -> None:
    """Write a model file, completely or not at all.

    Array by array: apart from the given arrays (which may be mapped files
    themselves) no more than one is in memory.
    """
    entries = list(_entries(arrays))
    header = json.dumps(
        {
            "kind": kind,
            "digest": _digest(kind, arrays),
            "size": entries[-1].end if entries else 0,
            "provenance": dict(provenance),
            "arrays": _table(entries),
        },
        sort_keys=True,
        allow_nan=False,
    ).encode()
    prefix = _PREFIX.pack(MAGIC, VERSION, len(header), zlib.crc32(header))
    with atomic_write(path) as out:
        out.write(prefix + header + bytes(-(len(prefix) + len(header)) % _ALIGN))
        for piece in _body(arrays, entries):
            out.write(piece)


def in_memory(
    name: str, kind: str, arrays: Mapping[str, NDArray[Any]], provenance: Mapping[str, Any]
) -> Model:
    """A model that is in no file, with the digest that its file would have."""
    return Model(Path(name), kind, _digest(kind, arrays), provenance, arrays)


def _entries(arrays: Mapping[str, NDArray[Any]]) -> Iterator[ArrayEntry]:
    end = 0
    for name, array in arrays.items():
        if array.dtype.kind not in _KINDS:
            raise TypeError(f"a model cannot hold the array '{name}' of type {array.dtype}")
        offset = end + -end % _ALIGN
        dtype = array.dtype.newbyteorder("<").str
        entry = ArrayEntry(name, dtype, array.shape, offset, zlib.crc32(_raw(array)))
        end = entry.end
        yield entry


def _raw(array: NDArray[Any]) -> memoryview:
    """The little-endian bytes of an array, copied only if it holds them otherwise."""
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
    return little.reshape(-1).view(np.uint8).data


def _body(
    arrays: Mapping[str, NDArray[Any]], entries: list[ArrayEntry]
) -> Iterator[memoryview | bytes]:
    end = 0
    for entry in entries:
        yield bytes(entry.offset - end)
        yield _raw(arrays[entry.name])
        end = entry.end


def _table(entries: list[ArrayEntry]) -> list[dict[str, Any]]:
    return [{**vars(entry), "shape": list(entry.shape)} for entry in entries]


def _digest(kind: str, arrays: Mapping[str, NDArray[Any]]) -> str:
    """The hash of what scores depend on, as signatures have it."""
    counted = {name: array for name, array in arrays.items() if not name.startswith(_ASIDE)}
    entries = list(_entries(counted))
    digest = hashlib.sha256(kind.encode() + json.dumps(_table(entries)).encode())
    for piece in _body(counted, entries):
        digest.update(piece)
    return digest.hexdigest()


def read(path: Path | str, kind: str | None = None) -> Model:
    """Open a model file (of the given kind), refusing a damaged one with the reason.

    The header, the layout and the size of the file are always checked, and so are the checksums of
    the arrays in files of up to 64 MB. Those of larger files are checked by `verify`, and when a
    file is first opened, which the user's cache remembers until the file changes.
    """
    opened = _ModelFile(Path(path))
    if kind is not None and opened.kind != kind:
        raise ModelError(f"{path}: this is {_named(opened.kind)}; {_named(kind)} is needed")
    if len(opened.data) <= CHECKED_ON_OPENING:
        opened.check_arrays()
    else:
        _check_once(opened)
    return opened.model()


def _named(kind: str) -> str:
    return f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind} model"


def _check_once(opened: _ModelFile) -> None:
    stamp = cached_path(opened.path, "checked", ".checked")
    if stamp is None or not stamp.exists():
        opened.check_arrays()
        if stamp is not None:
            with suppress(OSError):
                stamp.touch()


def kind_of(path: Path | str) -> str:
    """The kind of a model file, by its header alone."""
    return _ModelFile(Path(path)).kind


def verify(path: Path | str) -> Model:
    """Open a model file and check every byte of it, however large it is."""
    opened = _ModelFile(Path(path))
    opened.check_arrays()
    model = opened.model()
    if _digest(model.kind, model.arrays) != model.digest:
        raise DamagedModelError(f"{path}: the model's digest is not that of its content")
    return model


class _ModelFile:
    """A mapped model file whose header is sound and has the layout that `write` gives."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.data = _mapped(path)
        header, self.start = self._header()
        try:
            self.kind = _text(header["kind"])
            self.digest = _text(header["digest"])
            self.provenance: dict[str, Any] = dict(header["provenance"])
            self.entries = [_entry(entry) for entry in header["arrays"]]
            size = self.start + _count(header["size"])
        except (KeyError, TypeError, ValueError) as error:
            raise self._damaged("header") from error
        if len(self.data) != size:
            raise DamagedModelError(
                f"{path}: the model is truncated or has bytes too many: "
                f"{len(self.data)} bytes found, {size} expected"
            )
        self._check_layout()

    def _header(self) -> tuple[dict[str, Any], int]:
        head = bytes(self.data[: _PREFIX.size])
        if not head.startswith(MAGIC[: len(head)]):
            looks = "a gzip file" if head[:2] == b"\x1f\x8b" else "something else"
            raise ModelError(f"{self.path}: not an otherwords model; it looks like {looks}")
        if len(head) < _PREFIX.size:
            raise DamagedModelError(f"{self.path}: the model is truncated: {len(head)} bytes found")
        _, version, length, crc = _PREFIX.unpack(head)
        if version != VERSION:
            message = f"model format {version}; this release reads format {VERSION}"
            raise ModelError(f"{self.path}: {message}")
        end = _PREFIX.size + length
        raw = bytes(self.data[_PREFIX.size : end])
        if len(raw) != length:
            found = f"{len(self.data)} bytes found"
            raise DamagedModelError(f"{self.path}: the model is truncated or damaged: {found}")
        start = end + -end % _ALIGN
        if zlib.crc32(raw) != crc or any(self.data[end:start]):
            raise self._damaged("header")
        try:
            header = json.loads(raw)
        except (ValueError, RecursionError) as error:
            raise self._damaged("header") from error
        if not isinstance(header, dict):
            raise self._damaged("header")
        return header, start

    def _check_layout(self) -> None:
        """Arrays follow each other as `write` puts them, to the last byte of the file."""
        end = 0
        for entry in self.entries:
            if entry.offset != end + -end % _ALIGN:
                raise self._damaged("table of arrays")
            end = entry.end
        if self.start + end != len(self.data):
            raise self._damaged("table of arrays")
        if len({entry.name for entry in self.entries}) != len(self.entries):
            raise self._damaged("table of arrays")

    def check_arrays(self) -> None:
        """All checksums, and zeros between the arrays."""
        end = 0
        for entry in self.entries:
            gap = self.data[self.start + end : self.start + entry.offset]
            if any(gap) or self._crc32(entry) != entry.crc32:
                raise self._damaged(f"array '{entry.name}'")
            end = entry.end

    def _crc32(self, entry: ArrayEntry) -> int:
        """Of a large file, read piece by piece: mapped pages would count as memory in use."""
        if len(self.data) <= CHECKED_ON_OPENING:
            return zlib.crc32(self._raw(entry))
        crc = 0
        with self.path.open("rb") as file:
            file.seek(self.start + entry.offset)
            for left in range(entry.size, 0, -_CHUNK):
                crc = zlib.crc32(file.read(min(left, _CHUNK)), crc)
        return crc

    def _raw(self, entry: ArrayEntry) -> memoryview:
        return self.data[self.start + entry.offset : self.start + entry.end]

    def _damaged(self, what: str) -> DamagedModelError:
        return DamagedModelError(f"{self.path}: the model's {what} is damaged")

    def model(self) -> Model:
        """What users of a model see."""
        try:
            arrays = {
                entry.name: np.frombuffer(self._raw(entry), entry.dtype).reshape(entry.shape)
                for entry in self.entries
            }
        except ValueError as error:  # a shape that no array can have
            raise self._damaged("table of arrays") from error
        return Model(self.path, self.kind, self.digest, self.provenance, arrays)


def _mapped(path: Path) -> memoryview:
    try:
        with path.open("rb") as file:
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the file is empty"
        raise ModelError(f"{path}: cannot open the model: {reason}") from error


def _entry(raw: Mapping[str, Any]) -> ArrayEntry:
    dtype = _text(raw["dtype"])
    if np.dtype(dtype).kind not in _KINDS or np.dtype(dtype).newbyteorder("<").str != dtype:
        raise ValueError("an unsupported array type")
    shape = tuple(_count(extent) for extent in raw["shape"])
    offset, crc32 = _count(raw["offset"]), _count(raw["crc32"])
    return ArrayEntry(_text(raw["name"]), dtype, shape, offset, crc32)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("text is needed")
    return value


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise TypeError("a count is needed")
    return value
