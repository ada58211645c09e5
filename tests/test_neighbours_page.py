"""What docs/neighbours.md shows is what the programs print."""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import otherwords

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "neighbours.md").read_text(encoding="utf-8")
SYSTEMS = ("careful", "free", "careless")
MQM = (0, -1, -3)  # mean human score of each system; segments differ by their number


def lines(name):
    return (ROOT / "examples" / "translation" / name).read_text(encoding="utf-8").splitlines()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """The files that the page speaks of; scores by the metric of examples/plugin."""
    monkeypatch.syspath_prepend(ROOT / "examples" / "plugin" / "src")
    from otherwords_example import LengthRatio

    shutil.copytree(ROOT / "examples" / "translation", tmp_path, dirs_exist_ok=True)
    scores = []
    for name in SYSTEMS:
        found = LengthRatio().statistics(lines(f"{name}.txt"), lines("reference.txt"))
        scores += [f"{name}\t{score:.4f}\n" for score in found[:, 0]]
    (tmp_path / "lengths.seg.score").write_text("".join(scores))
    for path, text in {
        "sources/de-en.txt": ["Satz"] * 4,
        "documents/de-en.docs": ["news\tone"] * 4,
        "references/de-en.refA.txt": lines("reference.txt")[:4],
        "references/de-en.refB.txt": lines("literal.txt")[:4],
        "human-scores/de-en.mqm.seg.score": [
            f"{name}\t{mean - place % 2}"
            for name, mean in zip(SYSTEMS, MQM, strict=True)
            for place in range(4)
        ],
        **{f"system-outputs/de-en/{name}.txt": lines(f"{name}.txt")[:4] for name in SYSTEMS},
    }.items():
        file = tmp_path / "small" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("".join(f"{line}\n" for line in text), encoding="utf-8")
    command = tmp_path / "bin" / "otherwords"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m otherwords "$@"\n')
    command.chmod(0o755)
    return tmp_path


def examples():
    """Commands of the page, each with what it prints."""
    for block in re.findall(r"```console\n(.*?)```", PAGE, re.DOTALL):
        for part in block.replace("\\\n", "").split("$ ")[1:]:
            command, _, printed = part.rstrip("\n").partition("\n")
            yield command, printed.split("\n")


def test_commands(folder):
    environment = {
        **os.environ,
        "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
        "PYTHONPATH": str(Path(otherwords.__file__).resolve().parents[1]),
    }
    assert len(list(examples())) == 7
    for command, shown in examples():
        done = subprocess.run(
            command, shell=True, cwd=folder, env=environment, capture_output=True, text=True
        )
        assert (done.returncode, done.stderr) == (0, ""), command
        printed = done.stdout.rstrip("\n").split("\n")
        rest = iter(printed)
        assert all(line in rest for line in shown if line != "..."), done.stdout
        assert "..." in shown or printed == shown, done.stdout


@pytest.mark.adapters
@pytest.mark.parametrize(
    ("number", "package"), [(0, "evaluate"), (1, "torchmetrics")], ids=["evaluate", "torchmetrics"]
)
@pytest.mark.filterwarnings("ignore")
def test_python(number, package, tmp_path, monkeypatch):
    if find_spec(package) is None:
        pytest.skip(f"not installed: {package}")
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    block = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[number]
    test = doctest.DocTestParser().get_doctest(block, {}, package, "neighbours.md", 0)
    assert doctest.DocTestRunner().run(test).failed == 0
