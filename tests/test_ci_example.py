"""`examples/ci/otherwords.yml`: its commands, run in a scratch repository."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import otherwords

ROOT = Path(__file__).parents[1]
WORKFLOW = ROOT / "examples" / "ci" / "otherwords.yml"
PACKAGE = str(Path(otherwords.__file__).resolve().parents[1])
FIRST = (  # how docs/gate.md makes the first baseline
    "otherwords gate out/translations.txt -r eval/reference.txt -m chrf,maxsim "
    "--save-baseline eval/baseline.json"
)

ORIGINALS = [
    "The shop opens at nine on Mondays.",
    "He paid 20 euros for the two tickets.",
    "The company will hire two hundred workers.",
]
REWRITES = [
    "On Mondays the store opens at nine.",
    "The two tickets cost him 20 euros.",
    "The firm will take on 200 workers.",
]
WRONG = [
    "On Mondays the store opens at ten.",
    "The two tickets cost him 20 euros.",
    "The firm will not hire 200 workers.",
]


def steps() -> list[dict[str, str]]:
    """Name, condition and commands of each step; what the file uses of YAML, and no more."""
    found: list[dict[str, str]] = []
    lines = iter(WORKFLOW.read_text(encoding="utf-8").split("    steps:\n")[1].splitlines())
    for line in lines:
        if line.startswith("      - "):
            found.append({})
        match = re.match(r"      [- ] (name|uses|if|run): (.*)", line)
        if match is None:
            if line.startswith("          ") and found and found[-1].get("run", "").startswith("|"):
                found[-1]["run"] += "\n" + line[10:]
            continue
        found[-1][match[1]] = match[2]
    return [{**one, "run": one["run"].removeprefix("|\n")} for one in found if "run" in one]


class Scratch:
    """A repository with the workflow, and a system whose outputs are files of the repository."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.summary = path / "summary.md"
        (path / "eval").mkdir()
        (path / ".github" / "workflows").mkdir(parents=True)
        shutil.copy(WORKFLOW, path / ".github" / "workflows")
        shutil.copy(ROOT / "examples" / "translation" / "reference.txt", path / "eval")
        (path / "eval" / "originals.txt").write_text("\n".join(ORIGINALS) + "\n")
        (path / "eval" / "run.sh").write_text("mkdir -p out\ncp system/* out/\n")
        (path / "system").mkdir()
        (path / "bin").mkdir()
        command = path / "bin" / "otherwords"
        command.write_text(f'#!/bin/sh\nexec {sys.executable} -m otherwords "$@"\n')
        command.chmod(0o755)
        self.sh("git init -q . && git config user.email a@b.c && git config user.name a")

    def sh(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run as a step runs: in bash, at the root, stopping at the first failure."""
        env = {
            **os.environ,
            "PATH": f"{self.path / 'bin'}:{os.environ['PATH']}",
            "PYTHONPATH": PACKAGE,
            "GITHUB_STEP_SUMMARY": str(self.summary),
        }
        return subprocess.run(
            ["bash", "-eo", "pipefail", "-c", command],
            cwd=self.path,
            env=env,
            capture_output=True,
            text=True,
        )

    def commit(self, translations: str, rewrites: list[str]) -> None:
        shutil.copy(
            ROOT / "examples" / "translation" / f"{translations}.txt",
            self.path / "system" / "translations.txt",
        )
        rows = [json.dumps({"item": f"r{i}", "hypothesis": r}) for i, r in enumerate(rewrites, 1)]
        (self.path / "system" / "rewrites.jsonl").write_text("\n".join(rows) + "\n")
        assert self.sh(f"git add -A && git commit -qm '{translations}'").returncode == 0

    def workflow(self, ref: str) -> dict[str, int | None]:
        """Exit code of each step, `None` where it is skipped."""
        codes: dict[str, int | None] = {}
        for step in steps():
            if step["run"] == "pip install otherwords":
                continue
            failed = any(codes.values())
            condition = step.get("if", "").removeprefix("${{ ").removesuffix(" }}")
            wanted = {
                "": not failed,
                "!cancelled()": True,
                "github.ref == 'refs/heads/main'": not failed and ref == "refs/heads/main",
            }[condition]
            codes[step["name"]] = self.sh(step["run"]).returncode if wanted else None
        return codes


@pytest.fixture
def scratch(tmp_path):
    return Scratch(tmp_path)


def test_the_file_has_the_steps_that_are_run():
    assert [step["name"] for step in steps()] == [
        "Install",
        "Run the systems",
        "Translations are no worse than the stored baseline",
        "Rewrites keep the facts and are no copies",
        "Score the new baseline",
    ]


def test_the_page_makes_the_baseline_in_the_same_way():
    page = (ROOT / "docs" / "gate.md").read_text(encoding="utf-8")
    assert FIRST in re.sub(r"\s*\\\n\s*", " ", page)


def test_the_workflow_in_a_scratch_repository(scratch):
    scratch.commit("literal", REWRITES)
    made = scratch.sh(f"sh eval/run.sh && {FIRST}")
    assert made.returncode == 0, made.stderr
    scratch.summary.unlink()
    same = scratch.workflow("refs/pull/1/merge")
    run, translations, rewrites, store = same
    assert same == {run: 0, translations: 0, rewrites: 0, store: None}
    scratch.commit("careful", REWRITES)  # better
    assert scratch.workflow("refs/heads/main") == {
        run: 0,
        translations: 0,
        rewrites: 0,
        store: 0,
    }
    assert (scratch.path / "out" / "baseline.json").is_file()
    summary = scratch.summary.read_text()
    assert summary.count("Gate passed: ") == 4
    assert "failed" not in summary

    scratch.summary.unlink()
    scratch.commit("careless", WRONG)
    assert scratch.workflow("refs/heads/main") == {
        run: 0,
        translations: 1,
        rewrites: 1,
        store: None,
    }
    summary = scratch.summary.read_text()
    assert "**Gate failed (3 of 3 checks): translations against eval/baseline.json" in summary
    assert (
        '| r1 | out/rewrites.jsonl:1 | The rewrite says "ten"; the original says "nine". |'
        in summary
    )
    assert "| r3 | out/rewrites.jsonl:3 | The rewrite " in summary
    assert "r2" not in summary


def test_changed_references_stop_the_workflow(scratch):
    scratch.commit("literal", REWRITES)
    scratch.sh(f"sh eval/run.sh && {FIRST}")
    path = scratch.path / "eval" / "reference.txt"
    path.write_text(path.read_text().replace("the", "a", 1))
    step = next(step for step in steps() if step["name"].startswith("Translations"))
    done = scratch.sh(step["run"])
    assert done.returncode == 2
    assert "the segments differ" in done.stderr
