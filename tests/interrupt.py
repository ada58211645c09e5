"""Presses Ctrl-C while a long call runs, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import otherwords

PACKAGE = str(Path(otherwords.__file__).resolve().parents[1])
# A job in the background of a shell ignores Ctrl-C; this process must not.
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
{ready}
print("ready", flush=True)
{call}
"""


def interrupted(ready: str, call: str) -> float:
    """Seconds from Ctrl-C, one second after `call` began, to the end of the process."""
    path = os.pathsep.join([PACKAGE, *filter(None, [os.environ.get("PYTHONPATH")])])
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM.format(ready=ready, call=call)],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(1)
    assert process.poll() is None, "the call has ended already"
    begun = time.perf_counter()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert errors.rstrip().endswith("KeyboardInterrupt"), errors
    return time.perf_counter() - begun
