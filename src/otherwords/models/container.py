"""Model files: named arrays with their provenance and checksums, found by name and opened once.

Layout: the magic bytes, the length and CRC-32 of a JSON header, the header, then the arrays, each
on a 64-byte boundary, zeros between them. A file is mapped, not read. The same
arrays and provenance give the same bytes. `docs/models.md` describes it.
"""

from __future__ import annotations

import hashlib
import json
import math
import mmap
import os
import struct
import zlib
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import DamagedModelError, ModelError, UsageError, near

MAGIC = b"otherwords-model"
VERSION = 1
CHECKED_ON_OPENING = 64 << 20  # bytes; the content of larger files is checked once per machine
_PREFIX = struct.Struct("<16sIII")  # magic, version, header length, header CRC-32
_ALIGN = 64
_CHUNK = 1 << 20  # bytes that are checked at once
_KINDS = "biuf"  # dtypes that a model may hold
_ASIDE = "seen/"  # arrays that no score depends on: hashes of what a model was trained on
_MOST_OPEN = 32  # models kept open; beyond that, those used least recently are closed

Arrays = Mapping[str, NDArray[Any]]
T = TypeVar("T")


class _Entry(NamedTuple):
    """An array in the file: where it begins after the header, and its checksum."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int
    crc32: int

    @property
    def end(self) -> int:
        return self.offset + math.prod(self.shape) * np.dtype(self.dtype).itemsize


@dataclass(frozen=True)
class Model:
    """An opened model file: its arrays, its provenance and the hash of its content."""

    path: Path
    kind: str
    digest: str
    provenance: Mapping[str, Any]
    arrays: Arrays

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


# Which file, and opening it once.


def embedded(name: str) -> Path:
    """The file of an embedded model.

    >>> embedded("lexicon").name
    'lexicon.owm'
    """
    return Path(__file__).parent / f"{name}.owm"


@cache
def embedded_names() -> tuple[str, ...]:
    """The names of the embedded models.

    >>> "lexicon" in embedded_names()
    True
    """
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.owm")))


def find(name_or_path: str | Path) -> Path:
    """The file that a user means: a path, or the name of an embedded model.

    >>> find("lexicon") == embedded("lexicon")
    True
    """
    path = Path(name_or_path)
    if str(name_or_path) in embedded_names() and not os.path.isfile(path):
        return embedded(str(name_or_path))
    if os.path.exists(path):
        return path
    hint = near(path.name, embedded_names())
    raise ModelError(f"{name_or_path}: there is no such file or embedded model; {hint}")


class Loadable:
    """Base of the classes that read one kind of model file."""

    kind: ClassVar[str]
    embedded: ClassVar[str] = ""  # the embedded model (default: the one named like the kind)

    def __init__(self, model: Model) -> None:
        self.model = model
        self.digest = model.digest[:8]  # as signatures print it

    @classmethod
    def load(cls, name_or_path: str | Path | None = None) -> Self:
        """Open a model file, or the embedded model of that name (default: the one of this kind).

        A file is opened once per process, and again when it has changed.
        """
        if not isinstance(name_or_path, (str, os.PathLike, type(None))):
            raise UsageError(f"the {cls.kind} model must be a name or a path, not {name_or_path!r}")
        path = embedded(cls.embedded or cls.kind) if name_or_path is None else find(name_or_path)
        return open_once((cls, path), [path], lambda: cls(read(path, cls.kind)))


def load_once(
    kind: str, name_or_path: str | Path, make: Callable[[Model], T], title: str | None = None
) -> T:
    """What `make` builds of a model file, which is opened once per process.

    `make` raises KeyError, TypeError or ValueError if the file is damaged; the error then names the
    file and its `title` (default: the kind).
    """
    title = title or f"{kind} model"
    if not isinstance(name_or_path, (str, os.PathLike)):
        raise UsageError(f"the {title} must be a name or a path, not {name_or_path!r}")
    path = find(name_or_path)

    def load() -> T:
        model = read(path, kind)
        try:
            return make(model)
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path}: the {title} is damaged: {error}") from error

    return open_once((make, path), [path], load)


_opened: dict[Hashable, tuple[Hashable, Any]] = {}
_opening = RLock()  # opening one model may open others


def open_once(key: Hashable, files: list[Path], make: Callable[[], T]) -> T:
    """What `make` returned for this key, as long as its files and folders have not changed.

    Two threads never open the same thing twice.
    """
    with _opening:
        identity = tuple(map(_identity, files))
        known, model = _opened.pop(key, (None, None))
        opened: T = model if known == identity else make()
        _opened[key] = identity, opened  # the most recently used one comes last
        if len(_opened) > _MOST_OPEN:
            del _opened[next(iter(_opened))]
        return opened


def _identity(path: Path | str, depth: int = 2) -> Hashable:
    """What changes when a file, or a file in a folder, is replaced; None if there is none."""
    try:
        status = os.stat(path)
        names = sorted(os.listdir(path)) if depth and os.path.isdir(path) else []
    except (OSError, ValueError):
        return None
    inside = tuple((name, _identity(os.path.join(path, name), depth - 1)) for name in names)
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, inside


# Writing.


def write(path: Path | str, kind: str, arrays: Arrays, provenance: Mapping[str, Any]) -> None:
    """Write a model file, completely or not at all.

    Besides the arrays themselves (which may be mapped files), at most one is in memory. The
    provenance says what the model was made of, as JSON can hold it.
    """
    from otherwords.io.files import atomic_write  # scoring only reads

    entries = list(_entries(arrays))
    header = json.dumps(
        {
            "kind": kind,
            "digest": _digest(kind, arrays, entries),
            "size": entries[-1].end if entries else 0,
            "provenance": dict(provenance),
            "arrays": [entry._asdict() for entry in entries],
        },
        sort_keys=True,
        allow_nan=False,
    ).encode()
    prefix = _PREFIX.pack(MAGIC, VERSION, len(header), zlib.crc32(header))
    with atomic_write(path) as out:
        out.write(prefix + header + bytes(-(len(prefix) + len(header)) % _ALIGN))
        for piece in _body(arrays, entries):
            out.write(piece)


def in_memory(name: str, kind: str, arrays: Arrays, provenance: Mapping[str, Any]) -> Model:
    """A model that is in no file, with the digest that its file would have."""
    return Model(Path(name), kind, _digest(kind, arrays, _entries(arrays)), provenance, arrays)


def _entries(arrays: Arrays) -> Iterator[_Entry]:
    end = 0
    for name, array in arrays.items():
        if array.dtype.kind not in _KINDS:
            raise TypeError(f"a model cannot hold the array '{name}' of type {array.dtype}")
        dtype = array.dtype.newbyteorder("<").str
        entry = _Entry(name, dtype, array.shape, end + -end % _ALIGN, zlib.crc32(_raw(array)))
        end = entry.end
        yield entry


def _raw(array: NDArray[Any]) -> memoryview:
    """The little-endian bytes of an array, copied only if it holds them otherwise."""
    little = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False)
    return little.reshape(-1).view(np.uint8).data


def _body(arrays: Arrays, entries: Iterable[_Entry]) -> Iterator[memoryview | bytes]:
    end = 0
    for entry in entries:
        yield bytes(entry.offset - end)
        yield _raw(arrays[entry.name])
        end = entry.end


def _digest(kind: str, arrays: Arrays, entries: Iterable[_Entry]) -> str:
    """The hash of the arrays that scores depend on, placed as in a file without the others."""
    counted, digest = _begin_digest(kind, entries)
    for piece in _body(arrays, counted.values()):
        digest.update(piece)
    return digest.hexdigest()


def _begin_digest(kind: str, entries: Iterable[_Entry]) -> tuple[dict[str, _Entry], hashlib._Hash]:
    """The arrays that a digest covers, placed as in a file without the others; and a hash of these
    places, to which the arrays are added.
    """
    counted: dict[str, _Entry] = {}
    end = 0
    for entry in entries:
        if not entry.name.startswith(_ASIDE):
            counted[entry.name] = entry._replace(offset=end + -end % _ALIGN)
            end = counted[entry.name].end
    table = json.dumps([entry._asdict() for entry in counted.values()])
    return counted, hashlib.sha256(kind.encode() + table.encode())


# Reading.


def read(path: Path | str, kind: str | None = None) -> Model:
    """Open a model file (of the given kind), refusing a damaged one with the reason.

    The header, the layout and the size of the file are always checked. So are the checksums of the
    arrays and the SHA-256 that signatures print, in files of up to 64 MB. Those of larger files are
    checked by `verify`, and when a file is first opened, which the user's cache remembers until the
    file changes.
    """
    file = _open(Path(path))
    if kind is not None and file.model.kind != kind:
        found, needed = (
            f"{'an' if name[:1] in 'aeiou' else 'a'} {name} model"
            for name in (file.model.kind, kind)
        )
        raise ModelError(f"{path}: this is {found}; {needed} is needed")
    if len(file.data) <= CHECKED_ON_OPENING:
        _check_content(file)
        return file.model
    stamp = _stamp_path(file.model.path)
    if stamp is None or not stamp.exists():
        _check_content(file)
        if stamp is not None:
            with suppress(OSError):
                stamp.touch()
    return file.model


def _stamp_path(path: Path) -> Path | None:
    """The file in the user's cache that says that a model was checked; None if there can be none.

    Its name depends on the path, size, modification and status times of the model. The folder is
    `otherwords` in `$XDG_CACHE_HOME`, or in `~/.cache`.
    """
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    try:
        # The XDG Base Directory Specification says to ignore a relative path.
        base = Path(chosen) if os.path.isabs(chosen) else Path.home() / ".cache"
        folder = base / "otherwords"
        folder.mkdir(parents=True, exist_ok=True)
        status = path.resolve().stat()
    except (OSError, RuntimeError):  # no home folder, or no permission
        return None
    # A file's modification time can be set back, its status time cannot.
    known = f"{path.resolve()}\0{status.st_size}\0{status.st_mtime_ns}\0{status.st_ctime_ns}"
    return folder / f"{hashlib.sha256(os.fsencode(known)).hexdigest()[:32]}.checked"


def kind_of(path: Path | str) -> str:
    """The kind of a model file, by its header alone."""
    return _open(Path(path)).model.kind


def verify(path: Path | str) -> Model:
    """Open a model file and check every byte of it, however large it is."""
    file = _open(Path(path))
    _check_content(file)
    return file.model


class _File(NamedTuple):
    """A mapped model file whose header is sound and has the layout that `write` gives."""

    model: Model
    data: memoryview
    start: int  # where the arrays begin
    entries: list[_Entry]


def _open(path: Path) -> _File:
    try:
        with path.open("rb") as file:
            data = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the file is empty"
        raise ModelError(f"{path}: cannot open the model: {reason}") from error
    header, start = _read_header(path, data)
    try:
        kind, digest, provenance = header["kind"], header["digest"], dict(header["provenance"])
        entries = [_parse_entry(entry) for entry in header["arrays"]]
        size = header["size"]
        if type(kind) is not str or type(digest) is not str or type(size) is not int or size < 0:
            raise TypeError("a value of another type")
    except (KeyError, TypeError, ValueError) as error:
        raise _damaged(path, "header") from error
    if len(data) != start + size:
        raise DamagedModelError(
            f"{path}: the model is truncated or has bytes too many: "
            f"{len(data)} bytes found, {start + size} expected"
        )
    arrays: dict[str, NDArray[Any]] = {}
    end = 0
    try:
        for entry in entries:
            if entry.offset != end + -end % _ALIGN or entry.name in arrays:
                raise ValueError("arrays do not follow each other")
            end = entry.end
            raw = data[start + entry.offset : start + end]
            arrays[entry.name] = np.frombuffer(raw, entry.dtype).reshape(entry.shape)
        if end != size:
            raise ValueError("the last array does not end with the file")
    except (ValueError, OverflowError) as error:  # also a shape that no array can have
        raise _damaged(path, "table of arrays") from error
    return _File(Model(path, kind, digest, provenance, arrays), data, start, entries)


def _read_header(path: Path, data: memoryview) -> tuple[dict[str, Any], int]:
    """The header, and where the arrays start."""
    head = bytes(data[: _PREFIX.size])
    if not head.startswith(MAGIC[: len(head)]):
        looks = "a gzip file" if head[:2] == b"\x1f\x8b" else "something else"
        raise ModelError(f"{path}: not an otherwords model; it looks like {looks}")
    if len(head) < _PREFIX.size:
        raise DamagedModelError(f"{path}: the model is truncated: {len(head)} bytes found")
    _, version, length, crc = _PREFIX.unpack(head)
    if version != VERSION:
        raise ModelError(f"{path}: model format {version}; this release reads format {VERSION}")
    end = _PREFIX.size + length
    raw = bytes(data[_PREFIX.size : end])
    if len(raw) != length:
        message = f"the model is truncated or damaged: {len(data)} bytes found"
        raise DamagedModelError(f"{path}: {message}")
    start = end + -end % _ALIGN
    try:
        header = json.loads(raw) if zlib.crc32(raw) == crc and not any(data[end:start]) else None
    except (ValueError, RecursionError) as error:
        raise _damaged(path, "header") from error
    if not isinstance(header, dict):
        raise _damaged(path, "header")
    return header, start


def _parse_entry(raw: Mapping[str, Any]) -> _Entry:
    name, dtype, shape = raw["name"], raw["dtype"], tuple(raw["shape"])
    numbers = (*shape, raw["offset"], raw["crc32"])
    if type(name) is not str or type(dtype) is not str:
        raise TypeError("text is needed")
    if not all(type(number) is int and number >= 0 for number in numbers):
        raise TypeError("a count is needed")
    if np.dtype(dtype).kind not in _KINDS or np.dtype(dtype).newbyteorder("<").str != dtype:
        raise ValueError("an unsupported array type")
    return _Entry(name, dtype, shape, raw["offset"], raw["crc32"])


def _check_content(file: _File) -> None:
    """Compare all checksums and the digest, and require zeros between the arrays.

    The file is read in pieces: pages of a map that were touched would count as memory in use.
    """
    model, end = file.model, 0
    counted, digest = _begin_digest(model.kind, file.entries)
    hashed = 0
    with model.path.open("rb") as stored:
        stored.seek(file.start)
        for entry in file.entries:
            gap, end = stored.read(entry.offset - end), entry.end
            place = counted.get(entry.name)
            if place is not None:
                digest.update(bytes(place.offset - hashed))
                hashed = place.end
            crc = 0
            for left in range(entry.end - entry.offset, 0, -_CHUNK):
                piece = stored.read(min(left, _CHUNK))
                crc = zlib.crc32(piece, crc)
                if place is not None:
                    digest.update(piece)
            if any(gap) or crc != entry.crc32:
                raise _damaged(model.path, f"array '{entry.name}'")
    if digest.hexdigest() != model.digest:
        raise DamagedModelError(f"{model.path}: the model's digest is not that of its content")


def _damaged(path: Path, what: str) -> DamagedModelError:
    return DamagedModelError(f"{path}: the model's {what} is damaged")
