"""Opening, reading and writing files, so that every mistake is told with its place."""

from __future__ import annotations

import gzip
import io
import os
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from otherwords.errors import InputError

__all__ = ["atomic_write", "open_bytes", "read_lines"]

STDIN = "-"
_GZIP = b"\x1f\x8b"
_LOOKS_LIKE = {
    b"PK\x03\x04": "a zip archive",
    b"\xfd7zXZ": "an xz file; pipe it through xzcat",
    b"BZh": "a bzip2 file; pipe it through bzcat",
    b"\x28\xb5\x2f\xfd": "a zstd file; pipe it through zstdcat",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF",
    b"\xff\xfe": "UTF-16 text; convert it with iconv -f utf-16 -t utf-8",
    b"\xfe\xff": "UTF-16 text; convert it with iconv -f utf-16 -t utf-8",
}


@contextmanager
def open_bytes(path: str | Path) -> Iterator[IO[bytes]]:
    """The bytes of a file, unpacked if they are gzip (by content, not by name); `-` is stdin."""
    name = str(path)
    try:
        raw: IO[bytes] = sys.stdin.buffer if name == STDIN else Path(name).open("rb")
    except IsADirectoryError as error:
        raise InputError("this is a directory; a file is needed", path=name) from error
    except FileNotFoundError as error:
        raise InputError("there is no such file", path=name) from error
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}", path=name) from error
    try:
        buffered = io.BufferedReader(raw, 1 << 16)  # type: ignore[arg-type]
        head = buffered.peek(8)[:8]
        for magic, kind in _LOOKS_LIKE.items():
            if head.startswith(magic):
                raise InputError(f"this looks like {kind}", path=name)
        if head.startswith(_GZIP):
            with gzip.open(buffered) as unpacked:
                yield unpacked
        else:
            yield buffered
    finally:
        if name != STDIN:
            raw.close()


def read_lines(path: str | Path) -> Iterator[str]:
    """The lines of a UTF-8 file, one at a time, without their ends and without a BOM.

    Only LF and CRLF end a line: a U+2028 or a form feed inside a segment stays where it is.
    """
    name = str(path)
    number = 0
    with open_bytes(path) as file:
        try:
            for number, raw in enumerate(file, 1):
                line = raw[:-1] if raw.endswith(b"\n") else raw
                line = line[:-1] if line.endswith(b"\r") else line
                yield _decode(line.removeprefix(b"\xef\xbb\xbf") if number == 1 else line,
                              name, number)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise InputError(
                "the gzip file is truncated or damaged after this line", path=name, line=number
            ) from error
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", path=name) from error


def _decode(raw: bytes, name: str, number: int) -> str:
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        column = len(raw[: error.start].decode("utf-8")) + 1
        raise InputError(
            f"byte 0x{raw[error.start]:02x} is not UTF-8; convert the file, "
            "for example with iconv -t utf-8",
            path=name,
            line=number,
            column=column,
        ) from error


@contextmanager
def atomic_write(path: str | Path) -> Iterator[IO[bytes]]:
    """A file to write that appears under its name only when all of it is written."""
    target = Path(path)
    try:
        descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror}", path=path) from error
    try:
        with os.fdopen(descriptor, "wb") as out:
            yield out
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException:
        os.unlink(temporary)
        raise
