"""Signals, threads, and temporary files whose names say which process made them.

Ctrl-C and SIGTERM end the program within a second. Files that a killed process left behind are
removed by the next process that works in the same folder.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import signal
import stat
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, TypeVar

from otherwords.errors import InputError

if TYPE_CHECKING:
    from concurrent.futures import Future


PATIENCE = 0.5  # seconds
UNFINISHED: set[str] = set()  # temporary files and folders of this process
_received = signal.SIGINT
_heard = threading.Event()
_MARK = "otherwords"
_BOOT = Path("/proc/sys/kernel/random/boot_id")
_CLOSED_BY_EXEC = getattr(os, "O_CLOEXEC", 0)
_NAME = re.compile(rf"\.?(?:.*\.)?{_MARK}-(?P<host>[0-9a-z]*)-(?P<process>[0-9]+)-[^.]*")
Item = TypeVar("Item")
Result = TypeVar("Result")


def exit_code() -> int:
    """The exit code after the last signal: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + _received


def was_interrupted() -> bool:
    """Whether a signal came: other packages turn `KeyboardInterrupt` into their own errors."""
    return _heard.is_set()


def ignore_signals() -> None:
    """Ignore signals while Python shuts down after the work is done."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)


def answer_signals() -> None:
    """End this process soon after SIGINT or SIGTERM, for programs that own their process.

    Python raises `KeyboardInterrupt` between two of its steps, for both signals, so that all
    that is unfinished is removed on the way out. While native code runs that does not look for
    signals, a thread waits for that; in the end it removes unfinished files and ends the process
    with the code of an interrupted program.
    """
    if os.name != "posix":  # Windows ends a process at once, and has no descriptor to wait on
        return

    def handle(number: int, frame: FrameType | None) -> None:
        global _received
        _received = signal.Signals(number)
        _heard.set()
        raise KeyboardInterrupt

    def watch() -> None:
        while True:
            for number in os.read(reader, 64):
                if number not in mine or signal.getsignal(number) is not handle:
                    continue  # a server has its own handler
                if not _heard.wait(PATIENCE):
                    _remove_unfinished()
                    os._exit(128 + number)

    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    # A shell's background job keeps ignoring SIGINT.
    mine = {number for number, normal in usual.items() if signal.getsignal(number) is normal}
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    for number in mine:
        signal.signal(number, handle)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=watch, daemon=True).start()


def _remove_unfinished() -> None:
    for path in list(UNFINISHED):
        with suppress(OSError):
            if os.path.isdir(path):
                shutil.rmtree(path, ignore_errors=True)
            else:
                os.unlink(path)


def _host() -> str:
    """The scope of process ids. Machines and containers that share a folder may have the same
    name, so that on Linux it also depends on the boot and on the namespace of processes.
    """
    name = os.uname().nodename if hasattr(os, "uname") else ""
    with suppress(OSError):
        name += f" {_BOOT.read_text()} {os.stat('/proc/self/ns/pid').st_ino}"
    return hashlib.blake2b(name.encode(), digest_size=8).hexdigest()


def unique_name() -> str:
    """A unique name that tells which process made it."""
    return f"{_MARK}-{_host()}-{os.getpid()}-{os.urandom(8).hex()}"


@contextmanager
def working_folder(where: str | Path | None = None, *, prefix: str = "") -> Iterator[Path]:
    """A new folder in `where` (default: the system's temporary folder), removed at the end."""
    try:
        from tempfile import gettempdir

        parent = Path(where or gettempdir())
    except OSError as error:
        raise InputError(f"cannot make a temporary directory: {error.strerror}") from error
    remove_stale(parent)
    folder = str(parent / (prefix + unique_name()))
    UNFINISHED.add(folder)  # before it exists: a signal may come at any time
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
        except BaseException:  # a signal came during the removal
            shutil.rmtree(folder, ignore_errors=True)
            raise
        finally:
            UNFINISHED.discard(folder)


@contextmanager
def temporary_file(target: Path) -> Iterator[int]:
    """Open a new file next to the target, which it replaces at the end.

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
        os.close(descriptor)  # Windows renames no open file
        descriptor = -1
        os.replace(name, target)
        sync_folder(target.parent)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(name)
        raise
    finally:
        if descriptor >= 0:
            os.close(descriptor)
        UNFINISHED.discard(name)


def _rights_of(target: Path) -> int | None:
    """The permissions of an existing file, which its replacement keeps."""
    try:
        return stat.S_IMODE(os.stat(target).st_mode) & 0o777
    except FileNotFoundError:
        return None


def sync_folder(folder: Path) -> None:
    """Make new and renamed files of a folder survive a crash of the machine."""
    with suppress(OSError):  # not every system can open a folder
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def remove_stale(folder: Path) -> None:
    """Remove temporary files that killed processes of this machine left in the folder since it was
    started. Those of other machines, which may share the folder, are not touched.
    """
    here = _host()
    with suppress(OSError):
        for entry in os.scandir(folder):
            match = _NAME.fullmatch(entry.name)
            if match is None or match["host"] != here or _is_alive(int(match["process"])):
                continue
            with suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    os.unlink(entry.path)


def _is_alive(process: int) -> bool:
    if os.name != "posix":  # on Windows, signal 0 would end the process
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # another user's process
        return True
    return True


def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], threads: int
) -> Iterator[Result]:
    """Apply `work` to each item with this many threads (0: the caller's), keeping their order.

    The caller's thread reads the items. All results before a failure are yielded before it is
    raised, whatever the number of threads.

    >>> list(in_order(str.upper, ["a", "b"], 2))
    ['A', 'B']
    """
    if threads < 1:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor  # a slow import

    pool = ThreadPoolExecutor(threads)
    waiting: deque[Future[Result]] = deque()
    unread, failure = iter(items), None
    try:
        while True:
            try:
                item = next(unread)
            except StopIteration:
                break
            except Exception as error:  # raised after the results of all items before it
                failure = error
                break
            waiting.append(pool.submit(work, item))
            if len(waiting) > 2 * threads:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
        if failure is not None:
            raise failure
    finally:
        pool.shutdown(cancel_futures=True)
