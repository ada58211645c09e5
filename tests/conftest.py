"""What all tests share: the folder of real data, which unit tests do without."""

from __future__ import annotations

import gzip
import json
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from otherwords.cli import main
from tests.browser import browser_page, chromium  # noqa: F401 - fixtures
from tests.on_spark import spark_session  # noqa: F401 - fixture

# Elsewhere random tests look for new failures; CI gives the same answer for the same code.
# A busy machine is no failure: there are no deadlines.
settings.register_profile("here", deadline=None)
settings.register_profile("ci", derandomize=True, deadline=None)
# Sanitizers make every example slower (tests/sanitizers.py).
_SLOW = [HealthCheck.too_slow]
settings.register_profile(
    "sanitized", derandomize=True, deadline=None, max_examples=15, suppress_health_check=_SLOW
)
settings.load_profile("ci" if os.environ.get("CI") else "here")

# A job in the background of a shell ignores Ctrl-C; tests of it need what a terminal has.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"


def pytest_collection_modifyitems(items):
    if SHARED.is_dir():
        return
    absent = pytest.mark.skip(reason="the data folder ../shared is not here")
    for item in items:
        if "data" in item.keywords:
            item.add_marker(absent)


@pytest.fixture(scope="session")
def shared() -> Path:
    return SHARED


@pytest.fixture(scope="session")
def wmt15(shared):
    """Hypotheses, references and rows of mt/wmt15-daseg."""
    with gzip.open(shared / "mt" / "wmt15-daseg.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.fixture
def run(capsys):
    def command(*argv):
        code = main([str(arg) for arg in argv])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return command


@pytest.fixture
def ok(run):
    def command(*argv):
        code, out, err = run(*argv)
        assert (code, err) == (0, ""), err
        return out

    return command


@pytest.fixture
def refused(run):
    """Exit 2, nothing on standard output, one line of explanation."""

    def command(*argv):
        code, out, err = run(*argv)
        assert (code, out) == (2, "")
        assert "Traceback" not in err
        return err

    return command
