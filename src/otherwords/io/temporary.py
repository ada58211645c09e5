"""Temporary files and folders whose names say which process made them.

What a killed process left behind is removed by the next one that works in the same folder.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from otherwords.errors import InputError
from otherwords.io.signals import UNFINISHED

__all__ = ["remove_stale", "reserve", "temporary_file", "umask", "unique_name", "working_folder"]

_MARK = "otherwords"
_CLOSED_BY_EXEC = getattr(os, "O_CLOEXEC", 0)
_NAME = re.compile(rf"\.?(?:.*\.)?{_MARK}-(?P<host>[0-9a-z]*)-(?P<process>[0-9]+)-[^.]*")


def _host() -> str:
    """Where a process has its number: two containers may share a folder and the host's name."""
    name = os.uname().nodename.lower() if hasattr(os, "uname") else ""
    with suppress(OSError):  # Linux
        name += str(os.stat("/proc/self/ns/pid").st_ino)
    return re.sub("[^0-9a-z]", "", name)[-32:]  # names of files are short


def unique_name() -> str:
    """A name that says which process has it, and that nothing else has."""
    return f"{_MARK}-{_host()}-{os.getpid()}-{os.urandom(8).hex()}"


@contextmanager
def working_folder(where: str | Path | None = None, *, prefix: str = "") -> Iterator[Path]:
    """A new folder below `where`, or below the system's folder for such; gone in the end."""
    try:
        from tempfile import gettempdir

        parent = Path(where or gettempdir())
    except OSError as error:
        raise InputError(f"cannot make a temporary directory: {error.strerror}") from error
    remove_stale(parent)
    folder = str(parent / (prefix + unique_name()))
    UNFINISHED.add(folder)  # before it is there: a signal may come at any time
    try:
        try:
            os.mkdir(folder, 0o700)
        except OSError as error:
            message = f"no temporary directory can be made in {parent}: {error.strerror}"
            raise InputError(message) from error
        yield Path(folder)
    finally:
        try:
            shutil.rmtree(folder, ignore_errors=True)
        except BaseException:  # a signal while it is removed
            shutil.rmtree(folder, ignore_errors=True)
            raise
        finally:
            UNFINISHED.discard(folder)


@contextmanager
def temporary_file(target: Path) -> Iterator[int]:
    """A descriptor of a new file in the folder of the target, which it replaces in the end.

    The file and its folder are on the disk when this returns: a crash of the machine leaves the
    old file or the new one, never half of one.
    """
    remove_stale(target.parent)
    name = str(target.parent / f".{target.name[:40]}.{unique_name()}")
    descriptor = -1
    UNFINISHED.add(name)
    try:
        rights = _rights_of(target)
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | _CLOSED_BY_EXEC
        descriptor = os.open(name, flags, 0o666 if rights is None else 0o600)
        if rights is not None:
            os.chmod(name, rights)
        yield os.dup(descriptor)
        os.fsync(descriptor)
        os.replace(name, target)
        _sync_folder(target.parent)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise
    finally:
        if descriptor >= 0:
            os.close(descriptor)
        UNFINISHED.discard(name)


def _rights_of(target: Path) -> int | None:
    """Who may read and write a file that is there already: the new one is no more public."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode) & 0o777
    except FileNotFoundError:
        return None


def reserve(path: str | Path, size: int) -> None:
    """Make a file of `size` bytes that are there: a map of it then finds room for all it writes.

    A sparse file would kill the process when the disk is full (SIGBUS).
    """
    with open(path, "wb") as file:
        if hasattr(os, "posix_fallocate") and size:
            os.posix_fallocate(file.fileno(), 0, size)
        else:
            file.truncate(size)


def umask() -> int:
    """The permissions that new files and folders of this process are not given."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync_folder(folder: Path) -> None:
    with suppress(OSError):  # not every system lets a folder be opened
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove_stale(folder: Path) -> None:
    """Remove what processes of this machine left here when they were killed."""
    here = _host()
    with suppress(OSError):
        for entry in os.scandir(folder):
            found = _NAME.fullmatch(entry.name)
            if found is None or found["host"] != here or _is_alive(int(found["process"])):
                continue
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)


def _is_alive(process: int) -> bool:
    if os.name != "posix":  # where signal 0 would end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # somebody else's
        return True
    return True
