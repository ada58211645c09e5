"""Opening, reading, writing and locking files; every error names its place."""

from __future__ import annotations

import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, cast

from otherwords.errors import InputError
from otherwords.io.processes import temporary_file

if TYPE_CHECKING:
    from typing_extensions import Buffer


STDIN = "-"
BOM = b"\xef\xbb\xbf"
PARQUET = b"PAR1"
DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)
_SMALL = 1 << 26  # bytes that a gzip file may always unpack to
_LISTED = 10_000  # files of a folder that are searched for a similar name
_GZIP = b"\x1f\x8b"
_LOOKS_LIKE = {
    b"PK\x03\x04": "a zip archive or a spreadsheet; save a spreadsheet as CSV in UTF-8",
    b"\xfd7zXZ": "an xz file; pipe it through xzcat",
    b"BZh": "a bzip2 file; pipe it through bzcat",
    b"\x28\xb5\x2f\xfd": "a zstd file; pipe it through zstdcat",
    PARQUET: "a Parquet file",
    b"%PDF": "a PDF",
    b"\xff\xfe": "UTF-16 text; convert it with iconv -f utf-16 -t utf-8",
    b"\xfe\xff": "UTF-16 text; convert it with iconv -f utf-16 -t utf-8",
}


@dataclass
class Limits:
    """Limits on the memory that reading a file may take (`--max-line`, `--max-ratio`)."""

    line: int = 1 << 26  # bytes of a line
    ratio: int = 200  # bytes unpacked from each byte of a gzip file


LIMITS = Limits()


class _Packed:
    """A gzip file, with the number of bytes that were read from it."""

    def __init__(self, file: io.BufferedReader) -> None:
        self._file, self.count = file, 0

    def read(self, size: int) -> bytes:
        data = self._file.read(size)
        self.count += len(data)
        return data


class _Limited(io.RawIOBase):
    """The content of a file, for a buffer that splits lines faster than `GzipFile` does.

    Lines and gzip files beyond the limits are refused before they fill the memory. Intact data
    before a damaged place is read before the damage is reported.
    """

    def __init__(
        self, file: IO[bytes], name: str, packed: _Packed | None, *, by_line: bool
    ) -> None:
        self._file, self._name, self._packed = cast(io.BufferedReader, file), name, packed
        self._by_line = by_line
        self._lines = self._line = self._size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Buffer) -> int:
        data = self._file.read1(len(memoryview(buffer)))
        memoryview(buffer)[: len(data)] = data
        self._size += len(data)
        if self._packed is not None and self._size > max(_SMALL, LIMITS.ratio * self._packed.count):
            message = f"this gzip file unpacks to more than {LIMITS.ratio} times its size"
            raise InputError(f"{message}; see --max-ratio", path=self._name, code="E108")
        end = data.rfind(b"\n")
        self._line = self._line + len(data) if end < 0 else len(data) - end - 1
        self._lines += data.count(b"\n")
        if self._by_line and self._line > LIMITS.line:
            message = f"a line of more than {LIMITS.line:,} bytes; see --max-line"
            raise InputError(message, path=self._name, line=self._lines + 1, code="E107")
        return len(data)


@contextmanager
def open_bytes(
    path: str | Path, *, parquet: bool = False, by_line: bool = True
) -> Iterator[io.BufferedReader]:
    """Open a file, or stdin (`-`), as bytes; gzip is recognised by content and unpacked.

    A file that cannot be text is refused; Parquet is accepted with `parquet`. Lines are limited in
    length (`LIMITS`) unless the file is not read `by_line`.
    """
    name = str(path)
    raw = _open(name)
    buffered: io.BufferedReader = io.BufferedReader(raw, 1 << 16)
    try:
        with _report_read_error(name):
            head = buffered.peek(8)[:8]
        for magic, kind in _LOOKS_LIKE.items():
            if head.startswith(magic) and not (parquet and magic == PARQUET):
                raise InputError(f"this looks like {kind}", path=name, code="E106")
        if head.startswith(_GZIP):
            packed = _Packed(buffered)
            with gzip.GzipFile(fileobj=cast(IO[bytes], packed)) as unpacked, _report_damage(name):
                limited = _Limited(cast(IO[bytes], unpacked), name, packed, by_line=by_line)
                yield io.BufferedReader(limited, 1 << 16)
        elif by_line and not head.startswith(PARQUET) and not _is_small(buffered):
            yield io.BufferedReader(_Limited(buffered, name, None, by_line=True), 1 << 16)
        else:
            yield buffered
    finally:
        # An attached buffer would close stdin when it is garbage-collected.
        buffered.detach()
        if name != STDIN:
            raw.close()


def _is_small(file: io.BufferedReader) -> bool:
    """Whether a file is too small for a line beyond the limit; a pipe may have any size."""
    with suppress(OSError):
        status = os.fstat(file.fileno())
        return stat.S_ISREG(status.st_mode) and status.st_size <= LIMITS.line
    return False


def is_stream(name: str) -> bool:
    """Whether a file can be read only once, as standard input and pipes."""
    return name == STDIN or Path(name).is_fifo()


def no_such_file(name: str) -> InputError:
    """The error for a path without a file; it suggests the file with the most similar name.

    >>> print(no_such_file("none/a.txt"))
    none/a.txt: there is no such file: there is no folder none
    """
    path = Path(name)
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry in islice(entries, _LISTED) if entry.is_file()]
    except (OSError, ValueError):
        if not path.parent.exists():
            message = f"there is no such file: there is no folder {path.parent}"
            return InputError(message, path=name)
        names = []
    packed = f"{path.name}.gz"
    if packed in names:
        close = [packed]
    else:
        from difflib import get_close_matches

        close = get_close_matches(path.name, sorted(names), n=1, cutoff=0.75)
    hint = f"; did you mean '{path.with_name(close[0])}'?" if close else ""
    return InputError(f"there is no such file{hint}", path=name)


def _open(name: str) -> io.BufferedReader:
    try:
        if name == STDIN:
            if sys.stdin is None:
                raise InputError("standard input is closed", path=name)
            return cast(io.BufferedReader, sys.stdin.buffer)
        return open(name, "rb")
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file is needed", path=name) from error
    except FileNotFoundError as error:
        raise no_such_file(name) from error
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror or error}", path=name) from error
    except ValueError as error:
        raise InputError(f"cannot be opened: {error}", path=repr(name)) from error


@contextmanager
def _report_damage(name: str) -> Iterator[None]:
    try:
        yield
    except DAMAGED as error:
        raise damaged(name) from error


@contextmanager
def _report_read_error(name: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=name) from error


def damaged(name: str, line: int | None = None) -> InputError:
    """The error for a gzip file that is truncated or fails its checksum after `line`."""
    where = "" if line is None else " after this line"
    return InputError(
        f"the gzip file is truncated or damaged{where}", path=name, line=line, code="E102"
    )


def starts_with(path: str | Path, magic: bytes) -> bool:
    """Whether a file begins with these bytes. False for a pipe, which can be read only once, and
    for a file that cannot be opened, which is reported when it is read.
    """
    with suppress(OSError, ValueError):
        if os.path.isfile(path):
            with open(path, "rb") as file:
                return file.read(len(magic)) == magic
    return False


def read_bytes(path: str | Path, size: int = -1) -> bytes:
    """All bytes of a file, unpacked, or the first `size` of them."""
    name = str(path)
    with (
        open_bytes(path, by_line=False) as file,
        _report_read_error(name),
        _report_damage(name),
    ):
        return file.read(size)


def read_lines(path: str | Path) -> Iterator[str]:
    """The lines of a UTF-8 file, one at a time, without their ends and without a BOM.

    Only LF and CRLF end a line: a U+2028 or a form feed inside a segment stays where it is.
    """
    with open_bytes(path) as file:
        yield from lines_in(file, str(path))


def lines_in(file: IO[bytes], name: str) -> Iterator[str]:
    """The lines of an open file, as in `read_lines`."""
    number = 0
    try:
        for number, raw in enumerate(file, 1):
            line = raw.removesuffix(b"\n").removesuffix(b"\r")
            yield decode(line.removeprefix(BOM) if number == 1 else line, name, number)
    except DAMAGED as error:
        raise damaged(name, number) from error
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=name) from error


def lines_of(paths: Iterable[str | Path]) -> Iterator[str]:
    """The lines of all files, in order."""
    return (line for path in paths for line in read_lines(path))


def counted(lines: Iterable[str], tick: Callable[[int], None]) -> Iterator[str]:
    """Yield the lines, and call `tick(1)` after each."""
    for line in lines:
        yield line
        tick(1)


def decode(raw: bytes, name: str, number: int, encoding: str = "utf-8") -> str:
    """The text of line `number`, or an error that names the first bad byte and its column."""
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode(encoding, "replace")) + 1
        advice = f"convert the file: iconv -f latin1 -t utf-8 {name} > new.txt"
        raise InputError(
            f"byte 0x{raw[error.start]:02x} is not {encoding.upper()}; {advice}",
            path=name,
            line=number,
            column=column,
            code="E101",
        ) from error
    if "\0" in text:
        column = text.index("\0") + 1
        message = "NUL byte; is this a text file?"
        raise InputError(message, path=name, line=number, column=column, code="E103")
    return text


@contextmanager
def atomic_write(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that appears under its name only when it is complete.

    Links are followed; pipes and devices are written directly. A name that ends in a slash is
    refused as a directory.
    """
    if str(path).endswith("/"):
        raise InputError("this names a directory; the output must be a file", path=path)
    try:
        target = follow_links(path)
        if target.exists() and not target.is_file():
            with target.open("wb") as out:
                yield out
            return
        with temporary_file(target) as descriptor, os.fdopen(descriptor, "wb") as out:
            yield out
    except BrokenPipeError:
        raise
    except OSError as error:
        raise InputError(
            f"cannot be written: {error.strerror or error}", path=str(path) or "''"
        ) from error


def follow_links(path: str | Path) -> Path:
    """Return the absolute path behind links; refuse links that form a loop."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise InputError("its links form a loop", path=path)
    return target


def make_folder(path: str | Path) -> None:
    """Make a folder unless it exists."""
    try:
        Path(path).mkdir(exist_ok=True)
    except FileExistsError as error:
        raise InputError("this is a file; a directory is needed", path=path) from error
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from error


@contextmanager
def packed_write(path: str | Path) -> Iterator[IO[bytes]]:
    """As `atomic_write`, with reproducible gzip if the name ends in .gz."""
    with atomic_write(path) as file:
        if not str(path).endswith(".gz"):
            yield file
            return
        with gzip.GzipFile("", "wb", 6, file, 0) as packed:  # no name, no time in the header
            yield cast(IO[bytes], packed)


def paths_of(paths: str | Path | Iterable[str | Path]) -> list[str]:
    """A path or several paths as a list of strings.

    >>> paths_of("a.txt"), paths_of([Path("a.txt"), "b.txt"])
    (['a.txt'], ['a.txt', 'b.txt'])
    """
    return [str(path) for path in ([paths] if isinstance(paths, (str, Path)) else paths)]


Target = str | Path | IO[bytes]


@contextmanager
def write_to(target: Target) -> Iterator[IO[bytes]]:
    """Open a path with `packed_write`, or pass on a binary file that the caller has opened."""
    if isinstance(target, (str, Path)):
        with packed_write(target) as file:
            yield file
    else:
        yield target
        target.flush()


def lock(descriptor: int) -> None:
    """Lock an open file until this process ends; `OSError` if another process holds it."""
    import portalocker

    flags = portalocker.LockFlags.EXCLUSIVE | portalocker.LockFlags.NON_BLOCKING
    try:
        with open(descriptor, "rb", buffering=0, closefd=False) as file:
            portalocker.lock(file, flags)
    except portalocker.exceptions.BaseLockException as error:
        raise OSError("another process holds the lock") from error
