"""The fixture `otherwords_gate`, in a run of pytest of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import otherwords

NAME = "otherwords.integrations.pytest_plugin"
PACKAGE = str(Path(otherwords.__file__).resolve().parents[1])
PATH = os.pathsep.join([PACKAGE, *filter(None, [os.environ.get("PYTHONPATH")])])

TESTS = """
ORIGINALS = ["He paid 20 euros for the two tickets.", "The shop opens at nine."]
COPIES = ["He paid 20 euros for the two tickets.", "The shop opens at nine."]
WRONG = ["He paid 30 euros for the two tickets.", "The shop opens at nine."]


def test_passes(otherwords_gate):
    result = otherwords_gate("chrf", COPIES, ORIGINALS, fail_under=90)
    assert result.passed


def test_breaks_a_rule(otherwords_gate):
    otherwords_gate(None, WRONG, sources=ORIGINALS, no_contradictions=True)


def test_against_a_stored_baseline(otherwords_gate):
    otherwords_gate("chrf", TEXTS, ORIGINALS, baseline="base.json", min_delta=-0.5)


def test_wrong_call(otherwords_gate):
    otherwords_gate("chfr", COPIES, ORIGINALS, fail_under=90)
"""


@pytest.fixture
def inner(tmp_path):
    def run(texts, *options):
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        (tmp_path / "test_texts.py").write_text(TESTS.replace("TEXTS,", f"{texts},"))
        installed = any(one.value == NAME for one in entry_points(group="pytest11"))
        plugin = [] if installed else ["-p", NAME]
        return subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rA", *plugin, *options],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": PATH, "PYTEST_ADDOPTS": ""},
            capture_output=True,
            text=True,
        )

    return run


def test_fixture(inner, tmp_path):
    done = inner("COPIES", "-k", "passes or breaks or wrong")
    assert "PASSED test_texts.py::test_passes" in done.stdout
    assert "FAILED test_texts.py::test_breaks_a_rule" in done.stdout
    assert "Gate failed (1 of 2 checks): system, 2 segments" in done.stdout
    assert "30 euros" in done.stdout
    assert 'The rewrite says "' in done.stdout
    assert "did you mean 'chrf'?" in done.stdout
    assert "1 passed" in done.stdout
    assert "2 failed" in done.stdout
    assert "Traceback" not in done.stdout


def test_baselines_are_stored_by_an_option(inner, tmp_path):
    missing = inner("COPIES", "-k", "baseline")
    assert "base.json: there is no such file" in missing.stdout
    stored = inner("COPIES", "-k", "baseline", "--otherwords-save-baselines")
    assert stored.returncode == 0
    assert (tmp_path / "base.json").is_file()
    assert inner("COPIES", "-k", "baseline").returncode == 0
    worse = inner("WRONG", "-k", "baseline")
    assert worse.returncode == 1
    assert "worse by at most 0.5" in worse.stdout


def test_loading_the_plugin_is_cheap():
    code = (
        f"import sys, {NAME}\n"
        "heavy = {'numpy', 'scipy', 'sacrebleu', 'otherwords.scoring', 'otherwords.metrics'}\n"
        "print(*sorted(heavy & set(sys.modules)))"
    )
    env = {**os.environ, "PYTHONPATH": PATH}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


def test_entry_point():
    import tomllib

    root = Path(__file__).parents[1]
    with open(root / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    assert project["entry-points"]["pytest11"] == {"otherwords": NAME}


def test_example_of_the_page(inner, tmp_path):
    page = (Path(__file__).parents[1] / "docs" / "gate.md").read_text(encoding="utf-8")
    [block] = re.findall(r"```python\n(def test.*?)```", page, re.DOTALL)
    (tmp_path / "tests").mkdir()
    given = 'ORIGINALS = ["He paid 20 euros."]\ndef my_system(texts):\n    return texts\n'
    (tmp_path / "tests" / "test_page.py").write_text(given + block)
    assert inner("COPIES", "tests", "--otherwords-save-baselines").returncode == 0
    assert inner("COPIES", "tests").returncode == 0
    (tmp_path / "tests" / "test_page.py").write_text(
        given.replace("return texts", 'return ["He paid 30 euros."]') + block
    )
    done = inner("COPIES", "tests")
    assert done.returncode == 1
    assert "Gate failed (2 of 3 checks)" in done.stdout
