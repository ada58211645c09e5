"""Ctrl-C: answered soon, with the code of an interrupted program, and nothing left behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import duckdb
import pytest

from otherwords.cli import main
from otherwords.errors import InputError

# `pbkdf2_hmac` stands for native code that does not look for signals: here about 20 seconds of it.
BUSY = """
import hashlib, sys
from otherwords.io.files import atomic_write
from otherwords.io.processes import answer_signals
answer_signals()
with atomic_write(sys.argv[1]) as file:
    print("ready", flush=True)
    hashlib.pbkdf2_hmac("sha256", b"word", b"salt", 30_000_000)
"""
# Python sees this interrupt at once; what it then does may take its time.
ORDERLY = """
import sys, time
from otherwords.io.processes import answer_signals
answer_signals()
try:
    print("ready", flush=True)
    time.sleep(60)
except KeyboardInterrupt:
    time.sleep(1.5)
    open(sys.argv[1], "w").write("cleaned up")
    sys.exit(130)
"""


# A server handles the signal itself.
SERVER = """
import signal, sys, time
from otherwords.io.processes import answer_signals
answer_signals()
stopped = []
signal.signal(signal.SIGINT, lambda *_: stopped.append(True))
print("ready", flush=True)
while not stopped:
    time.sleep(0.1)
time.sleep(1.5)
open(sys.argv[1], "w").write("cleaned up")
sys.exit(130)
"""


def interrupted(program, target):
    """The exit code after an interrupt, and the seconds until then."""
    with subprocess.Popen(
        [sys.executable, "-c", program, str(target)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.3)
        start = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert errors == b""
        return process.returncode, time.monotonic() - start


@pytest.mark.long
def test_native_code_that_does_not_look_for_signals(tmp_path):
    code, seconds = interrupted(BUSY, tmp_path / "out.txt")
    assert code == 130
    assert seconds < 5  # below one on a machine that is not busy
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
@pytest.mark.parametrize("program", [ORDERLY, SERVER])
def test_cleaning_up_is_not_cut_short(tmp_path, program):
    code, seconds = interrupted(program, tmp_path / "out.txt")
    assert (code, seconds > 1.4) == (130, True)
    assert (tmp_path / "out.txt").read_text() == "cleaned up"


@pytest.mark.parametrize(
    ("error", "code"), [(duckdb.InterruptException("stopped"), 130), (KeyboardInterrupt(), 130)]
)
def test_exit_code(monkeypatch, error, code):
    def stop():
        raise error

    monkeypatch.setattr("otherwords.cli.app.command", stop)
    assert main([]) == code


@pytest.mark.parametrize("error", [MemoryError(), duckdb.OutOfMemoryException("full")])
def test_memory_that_is_not_there(monkeypatch, capsys, error):
    def stop():
        raise error

    monkeypatch.setattr("otherwords.cli.app.command", stop)
    assert main([]) == 2
    said = capsys.readouterr().err
    assert said.startswith("otherwords: there is not enough memory")
    assert said.count("\n") == 1


def test_an_error_that_speaks_of_interruption_is_none(monkeypatch):
    def stop():
        raise RuntimeError("the lecture was interrupted")

    monkeypatch.setattr("otherwords.cli.app.command", stop)
    with pytest.raises(RuntimeError):
        main([])


def test_an_interrupt_during_imports(monkeypatch):
    class Interrupting:
        def find_spec(self, name, path=None, target=None):
            if name == "otherwords.cli.app":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "otherwords.cli.app", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    assert main([]) == 130


def test_what_another_package_makes_of_an_interrupt(monkeypatch, capsys):
    def stop():
        raise RuntimeError("Query interrupted")

    def refuse():
        raise InputError("the database says: interrupted")

    monkeypatch.setattr("otherwords.cli.app.command", stop)
    with pytest.raises(RuntimeError):
        main([])
    monkeypatch.setattr("otherwords.cli.was_interrupted", lambda: True)
    assert main([]) == 130
    monkeypatch.setattr("otherwords.cli.app.command", refuse)
    assert main([]) == 130
    assert capsys.readouterr().err == ""


# The interpreter runs on for a while when all is done.
AFTERWARDS = """
import atexit, os, signal
from otherwords import cli
cli.main = lambda: 1
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
atexit.register(lambda: os.kill(os.getpid(), signal.SIGTERM))
cli.entry()
"""


def test_a_signal_after_the_end_changes_nothing():
    done = subprocess.run([sys.executable, "-c", AFTERWARDS], capture_output=True)
    assert (done.returncode, done.stderr) == (1, b"")


# A signal as soon as the work is done, before the process says that it ends.
LAST = """
import os, signal, sys
from otherwords import cli
from otherwords.io import processes
def press(frame, event, _):
    if event == "return" and frame.f_code is PLACE.__code__:
        sys.setprofile(None)
        os.kill(os.getpid(), signal.SIGTERM)
sys.argv = ["otherwords", "--version"]
sys.setprofile(press)
cli.entry()
"""


@pytest.mark.parametrize("place", ["cli.main", "processes.answer_signals"])
def test_a_signal_between_two_steps_is_no_defect(place):
    program = LAST.replace("PLACE", place)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (143, "")
