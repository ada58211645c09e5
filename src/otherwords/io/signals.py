"""Ctrl-C is answered within a second, whatever runs."""

from __future__ import annotations

import os
import signal
import threading
from contextlib import suppress
from types import FrameType

__all__ = ["INTERRUPTED", "UNFINISHED", "answer_interrupts"]

INTERRUPTED = 130  # the exit code of a program that was interrupted
PATIENCE = 0.5  # seconds
UNFINISHED: set[str] = set()  # temporary files that are being written


def answer_interrupts() -> None:
    """End this process soon after SIGINT, for programs that own their process.

    Python raises `KeyboardInterrupt` between two of its own steps. While native code runs that
    does not look for signals, a thread waits for that; in the end it removes unfinished files
    and ends the process with the code of an interrupted program.
    """
    heard = threading.Event()

    def handle(number: int, frame: FrameType | None) -> None:
        heard.set()
        signal.default_int_handler(number, frame)

    def watch() -> None:
        while True:
            if signal.SIGINT not in os.read(reader, 64):
                continue
            if signal.getsignal(signal.SIGINT) is not handle or heard.wait(PATIENCE):
                continue  # a server has a handler of its own
            for path in list(UNFINISHED):
                with suppress(OSError):
                    os.unlink(path)
            os._exit(INTERRUPTED)

    # A shell's background job ignores SIGINT, and goes on doing so.
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.signal(signal.SIGINT, handle)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    threading.Thread(target=watch, daemon=True).start()
