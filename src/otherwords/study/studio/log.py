"""A log of the events of annotators and judges: JSONL that is only appended to.

An event is on the disk before its reply goes out, so a kill loses nothing that was acknowledged.
A kill may leave the last line incomplete. That event was never acknowledged, and is skipped; the
next write ends the line and appends a `cut` event. A write that the disk refuses is rolled back,
because it was reported as failed.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from otherwords.errors import InputError, UsageError
from otherwords.io.files import lock, read_bytes
from otherwords.io.processes import sync_folder
from otherwords.io.values import load_json

Event = dict[str, Any]
VERSION = 1
_HEAD = "log"
_CUT = "cut"
_BINARY = getattr(os, "O_BINARY", 0)  # Windows


class Log:
    """The log of one page, open for appending by this process alone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "work.log")
    ...     with Log(path, "alignment") as log:
    ...         _ = log.append({"kind": "done", "row": 3})
    ...     [event["kind"] for event in read_log(path)]
    ['log', 'done']
    """

    def __init__(self, path: str | Path, purpose: str) -> None:
        self.path = str(path)
        self._place = os.path.abspath(path)
        self._guard = threading.Lock()
        self._file = _open_locked(self.path)
        self._size = os.fstat(self._file).st_size
        try:
            # `read_bytes` would unpack gzip, but a packed log cannot be appended to.
            self.events: list[Event] = _parse(self._content(), self.path)
            _check(self.events, self.path, purpose)
            if not self.events:
                self.append({"kind": _HEAD, "version": VERSION, "purpose": purpose})
                sync_folder(Path(self._place).parent)
        except BaseException:
            self.close()
            raise

    def append(self, event: Mapping[str, Any]) -> Event:
        """Write one event; when this returns it is on the disk. The time is added to it."""
        return self.extend([event])[0]

    def extend(self, events: Iterable[Mapping[str, Any]]) -> list[Event]:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        timed = [{**event, "time": now} for event in events]
        lines = b"".join(map(_line, timed))
        with self._guard:
            try:
                self._write(lines)
            except OSError as error:
                message = f"cannot be written: {error.strerror or error}"
                raise InputError(message, path=self.path) from error
            self.events += timed
        return timed

    def _write(self, lines: bytes) -> None:
        self._check_file()
        lines = self._mend() + lines
        try:
            while lines:
                lines = lines[os.write(self._file, lines) :]
            os.fsync(self._file)
        except OSError:
            with suppress(OSError):
                os.ftruncate(self._file, self._size)
            raise
        finally:
            self._size = os.fstat(self._file).st_size

    def _check_file(self) -> None:
        """Refuse to write to a file that is no longer the log, or that another program changed."""
        mine = os.fstat(self._file)
        try:
            there = os.stat(self._place)
        except FileNotFoundError:
            there = None
        if there is None or not os.path.samestat(mine, there):
            raise InputError(
                "the log was removed or replaced; nothing is saved until the studio is started "
                "again",
                path=self.path,
            )
        if mine.st_size != self._size:
            raise InputError(
                "another program changed the log; nothing is saved until the studio is started "
                "again",
                path=self.path,
            )

    def _content(self) -> bytes:
        return self._read(0)

    def _read(self, begin: int) -> bytes:
        """The bytes from this place on; writing goes to the end all the same."""
        os.lseek(self._file, begin, os.SEEK_SET)
        blocks = iter(lambda: os.read(self._file, 1 << 20), b"")
        return b"".join(blocks)

    def _mend(self) -> bytes:
        """The bytes that end an incomplete last line, if there is one."""
        size = os.fstat(self._file).st_size
        if size == 0 or self._read(size - 1) == b"\n":
            return b""
        line = self._content().rpartition(b"\n")[2]
        return b"\n" if _event(line) is not None else b'\n{"kind": "cut"}\n'

    def close(self) -> None:
        os.close(self._file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _line(event: Event) -> bytes:
    try:
        return (json.dumps(event, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")
    except ValueError as error:  # half a surrogate pair, or an invalid number
        raise InputError(f"this cannot be written to a log: {error}") from error


def _open_locked(path: str) -> int:
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | _BINARY, 0o666)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be opened for writing: {reason}", path=path) from error
    try:
        lock(file)
    except OSError as error:
        os.close(file)
        message = "this log is in use by another studio; close that one, or take another log"
        raise InputError(message, path=path) from error
    return file


def read_log(path: str | Path, purpose: str | None = None) -> list[Event]:
    """Read the events of a log, which may be in use, and check its purpose if one is given."""
    events = _parse(read_bytes(path), str(path))
    if not events:
        raise InputError("there is nothing in this log", path=path, code="E105")
    _check(events, str(path), purpose)
    return events


def purpose_of(events: list[Event]) -> str:
    """The purpose of a log, such as `alignment`, from its first event."""
    return str(events[0]["purpose"])


def check_name(name: str, whose: str) -> str:
    """Check the name of an annotator or judge, for use in tables.

    >>> check_name(" Ann ", "a judge")
    'Ann'
    """
    name = name.strip()
    if not name or not name.isprintable() or len(name) > 100:
        raise UsageError(f"{whose} needs a name of 1 to 100 printable characters")
    return name


def _check(events: list[Event], path: str, purpose: str | None) -> None:
    if not events:
        return
    head = events[0]
    if head["kind"] != _HEAD or not isinstance(head.get("purpose"), str):
        raise InputError("this is not a log of the studio", path=path, line=1)
    if head.get("version") != VERSION:
        message = f"a log of version {head.get('version')!r:.20}; this program reads {VERSION}"
        raise InputError(message, path=path, line=1)
    if purpose not in (None, head["purpose"]):
        message = f"this is a log of the purpose '{head['purpose']}', not '{purpose}'"
        raise InputError(message, path=path, line=1)


def _parse(data: bytes, path: str) -> list[Event]:
    """Parse the events; an invalid line must be the last one, or be followed by a `cut`."""
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    events: list[Event] = []
    torn = 0
    for number, line in enumerate(lines, 1):
        event = _event(line)
        if torn and (event is None or event["kind"] != _CUT):
            what = "no log of the studio" if torn == 1 else "no event of a log of the studio"
            raise InputError(f"this is {what}", path=path, line=torn)
        torn = number if event is None else 0
        if event is not None and event["kind"] != _CUT:
            events.append(event)
    if torn and not events:
        raise InputError("this is not a log of the studio", path=path, line=1)
    return events


def _event(line: bytes) -> Event | None:
    try:
        value = load_json(line)
        json.dumps(value, ensure_ascii=False).encode()  # fails on half a surrogate pair
    except (ValueError, RecursionError):
        return None
    is_event = isinstance(value, dict) and isinstance(value.get("kind"), str)
    return value if is_event else None
