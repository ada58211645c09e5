"""What all tests share: the folder of real data, which unit tests do without."""

from __future__ import annotations

import gc
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


@pytest.fixture(scope="session")
def tiny_package(tmp_path_factory):
    """A folder for `sys.path` with a package that carries a tiny neural encoder."""
    pytest.importorskip("onnxruntime", reason="the extra `neural` is not installed")
    from tests import tiny_encoder

    return tiny_encoder.write_package(tmp_path_factory.mktemp("packages"))


@pytest.fixture(scope="session")
def tiny_pair_model(tiny_package, tmp_path_factory):
    """A pair model with random numbers that starts from the encoder of `tiny_package`."""
    from tests import tiny_pair

    [config] = tiny_package.rglob("config.json")
    return tiny_pair.write_pair(tmp_path_factory.mktemp("pair") / "pair.owm", config.parent)


@pytest.fixture
def no_collection():
    """No garbage is collected: an interrupt inside a callback of the collector would be lost."""
    gc.disable()
    yield
    gc.enable()


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
