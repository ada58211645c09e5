"""Ctrl-C and SIGTERM are answered within a second during any work."""

from __future__ import annotations

import os
import shutil
import signal
import threading
from contextlib import suppress
from types import FrameType

__all__ = ["UNFINISHED", "answer_signals", "exit_code", "ignore_signals", "was_interrupted"]

PATIENCE = 0.5  # seconds
UNFINISHED: set[str] = set()  # temporary files and folders of this process
_received = signal.SIGINT
_heard = threading.Event()


def exit_code() -> int:
    """What a program that the last signal ended returns: 130 for Ctrl-C, 143 for SIGTERM."""
    return 128 + _received


def was_interrupted() -> bool:
    """Whether a signal has come. Other packages make errors of their own of `KeyboardInterrupt`."""
    return _heard.is_set()


def ignore_signals() -> None:
    """What has been done stays done: at the end of a program, after which Python still runs."""
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
    # A shell's background job ignores SIGINT, and goes on doing so.
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
