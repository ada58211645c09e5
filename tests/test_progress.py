"""Progress on a terminal."""

from __future__ import annotations

import io
import sys
import time
from pathlib import Path

import pytest

from otherwords.cli import main, progress

JUDGED = Path(__file__).parents[1] / "examples" / "translation" / "judged.jsonl"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def on_terminal(monkeypatch):
    # Not a fixture: pytest sets standard error again after the fixtures.
    shown = Terminal()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.setenv("TERM", "xterm")
    return shown


def test_nothing_is_shown_before_two_seconds(monkeypatch):
    terminal = on_terminal(monkeypatch)
    assert progress.DELAY == 2
    with progress.counting("segments scored") as done:
        done(3)
    assert terminal.getvalue() == ""


def test_the_count_appears_when_work_takes_longer(monkeypatch):
    terminal = on_terminal(monkeypatch)
    monkeypatch.setattr(progress, "DELAY", 0.05)
    with progress.counting("segments scored") as done:
        done(3)
        until = time.monotonic() + 30
        while "3 segments scored" not in terminal.getvalue():
            assert time.monotonic() < until
            time.sleep(0.05)
        done(2)
        while "5 segments scored" not in terminal.getvalue():
            assert time.monotonic() < until
            time.sleep(0.05)


def test_a_total_and_what_comes_then(monkeypatch):
    terminal = on_terminal(monkeypatch)
    monkeypatch.setattr(progress, "DELAY", 0.05)
    with progress.counting("texts scored", total=5, then="drawing") as done:
        done(3)
        until = time.monotonic() + 30
        while "3 of 5 texts scored" not in terminal.getvalue():
            assert time.monotonic() < until
            time.sleep(0.05)
        done(2)
        while "5 texts scored; drawing" not in terminal.getvalue():
            assert time.monotonic() < until
            time.sleep(0.05)
    assert "left" in terminal.getvalue()


@pytest.mark.parametrize("command", ["compare", "meta"])
def test_commands_that_know_their_rows_show_the_total(monkeypatch, capsys, command):
    terminal = on_terminal(monkeypatch)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    human = ["--human", "adequacy"] if command == "meta" else []
    few = ["--resamples", "20"] if command == "compare" else []
    assert main([command, "-m", "maxsim,chrf", "--rows", str(JUDGED), *human, *few]) == 0
    assert "of 2 metrics ready" in terminal.getvalue()
    assert "of 80 segments scored" in terminal.getvalue()


def test_score_counts_the_lines_of_text_files(monkeypatch, capsys, tmp_path):
    terminal = on_terminal(monkeypatch)
    monkeypatch.setattr(progress, "DELAY", 0.0)
    for name in ("r.txt", "one.txt", "two.txt"):
        (tmp_path / name).write_text("a cat sat\n" * 300)
    monkeypatch.chdir(tmp_path)
    assert main(["score", "-m", "chrf,ter", "-r", "r.txt", "one.txt", "b=two.txt"]) == 0
    assert "of 600 segments scored" in terminal.getvalue()


def fail_late(terminal):
    with progress.counting("segments scored"):
        until = time.monotonic() + 30
        while "segments scored" not in terminal.getvalue():
            assert time.monotonic() < until
            time.sleep(0.05)
        raise ValueError("wrong")


def test_an_error_takes_the_count_away(monkeypatch):
    terminal = on_terminal(monkeypatch)
    monkeypatch.setattr(progress, "DELAY", 0.05)
    with pytest.raises(ValueError, match="wrong"):
        fail_late(terminal)
    length = len(terminal.getvalue())
    time.sleep(0.3)
    assert len(terminal.getvalue()) == length


def test_pipes_see_nothing(monkeypatch):
    monkeypatch.setattr(progress, "DELAY", 0.0)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with progress.counting("segments scored") as done:
        done(1)
        time.sleep(0.2)
    assert sys.stderr.getvalue() == ""
