"""`python -m bench --quick` fails when a ratio to a peer falls by half."""

from __future__ import annotations

import pytest
from bench import quick
from bench.__main__ import write


def job(seconds: float) -> quick.Job:
    return quick.Job("a job", lambda: seconds, "its peer", lambda: 1.0, usual=4.0)


@pytest.mark.parametrize(("seconds", "code"), [(0.25, 0), (0.45, 0), (0.6, 1)])
def test_a_ratio_that_falls_by_half_fails(seconds, code, monkeypatch, capsys):
    monkeypatch.setattr(quick, "jobs", lambda folder: [job(seconds)])
    assert quick.main() == code
    assert ("missed" in capsys.readouterr().out) == bool(code)


def test_a_busy_moment_does_not_fail(monkeypatch):
    taken = iter([1.0, 9.0, 0.3, 9.0])
    slow = quick.Job("a job", lambda: next(taken), "its peer", lambda: 1.0, usual=4.0)
    monkeypatch.setattr(quick, "jobs", lambda folder: [slow])
    assert quick.main() == 0


def test_the_table_of_the_last_run_is_replaced(tmp_path, monkeypatch):
    page = tmp_path / "speed.md"
    page.write_text("before\n<!-- written by: python -m bench -->\n\nold\n\n<!-- end -->\nafter\n")
    monkeypatch.setattr("bench.__main__.PAGE", page)
    write("new")
    assert page.read_text().split() == (
        "before <!-- written by: python -m bench --> new <!-- end --> after".split()
    )
