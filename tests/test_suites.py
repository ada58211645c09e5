"""The short forms of the suites that docs/reliability.md describes; by hand they take longer."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.reliability import calls

ROOT = Path(__file__).resolve().parents[1]
SUITES = {
    "kills": ["tests.reliability", "kills", "--every", "13"],
    "full disks": ["tests.reliability", "disk", "--every", "7"],
    "two at once": ["tests.reliability", "together", "--every", "4"],
    "wrong files": ["tests.wrong_files", "--every", "23"],
    "fuzzer": ["tests.fuzz", "--seconds", os.environ.get("FUZZ_S", "60")],
}


@pytest.mark.long
@pytest.mark.parametrize("suite", SUITES)
def test_suites(suite, tmp_path):
    command = [sys.executable, "-m", *SUITES[suite]]
    if suite == "fuzzer":
        command += ["--failures", str(tmp_path)]
    threads = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **threads, "PYTHONPATH": paths},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_every_command_that_writes_is_killed():
    """A command with `-o` or `--save` is in the list, or is said to write nothing."""
    listed = {" ".join(words[:2]) for words in calls().values()} | {
        words[0] for words in calls().values()
    }
    wanted = (
        "align build compare compress controls convert gate lemmatize meta paraphrase parse pivot "
        "rank report score tag tokenize tune"
    ).split()
    groups = {
        "extract": "phrases grammar lattices", "grammar": "convert prune pivot",
        "lm": "estimate", "model": "pack encoder", "paradigm": "overlap coverage",
        "studio": "export judges",
        "train": "pem rewrite combine",
    }  # fmt: skip
    wanted += [f"{group} {one}" for group, names in groups.items() for one in names.split()]
    assert [name for name in wanted if name not in listed] == []
