"""Runs the code of documentation pages, each in the order of the page.

A ```bash block is a script that prints nothing; it can be copied as it is. A ```console block has
commands after `$ ` (a `\\` at the end of a line continues it), each followed by what it prints;
`...` stands for any lines. A command that fails must be followed by `$ echo $?`. A ```python
block that starts with `>>> ` is a doctest, another one a program; all of a page share their names.

    python -m tests.pages docs/start.md docs/guides/*.md    write what the commands print now
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import otherwords

ROOT = Path(__file__).parents[1]
PACKAGE = str(Path(otherwords.__file__).resolve().parents[1])
_BLOCK = re.compile(r"^```(bash|console|python)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Command(NamedTuple):
    """A command: its lines on the page, as they are run, and the lines that the page shows."""

    written: list[str]
    shown: list[str]

    @property
    def script(self) -> str:
        return "\n".join(self.written).removeprefix("$ ").replace("\\\n", "")


class Page:
    """A page and the folder in which its commands run, with a copy of `examples`."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path = path
        self.folder = self.where = folder
        self.code = 0
        self.names: dict = {}
        shutil.copytree(ROOT / "examples", folder / "examples")
        (folder / ".bin").mkdir()
        for name, module in (("otherwords", " -m otherwords"), ("python", "")):
            script = folder / ".bin" / name
            script.write_text(f'#!/bin/sh\nexec {sys.executable}{module} "$@"\n')
            script.chmod(0o755)

    def check(self) -> int:
        """Run all blocks and compare; how many there were."""
        blocks = _BLOCK.findall(self.path.read_text(encoding="utf-8"))
        for language, block in blocks:
            if language == "python":
                self.python(block)
                continue
            if language == "bash":
                assert self.shell(block) == [], block
                continue
            for command in commands_of(block):
                printed = self.shell(command.script)
                found = [_bare(line) for line in printed]
                wanted = [_bare(line) for line in command.shown]
                assert matches(found, wanted), "\n".join([str(self.path), command.script, *printed])
        assert self.code == 0, f"{self.path}: the last command fails"
        return len(blocks)

    def write(self) -> None:
        """Run all blocks, and write what the commands print into the page."""
        text = self.path.read_text(encoding="utf-8")
        self.path.write_text(_BLOCK.sub(self._written, text), encoding="utf-8")

    def _written(self, found: re.Match[str]) -> str:
        if found[1] != "console":
            self.python(found[2]) if found[1] == "python" else self.shell(found[2])
            return found[0]
        lines = []
        for command in commands_of(found[2]):
            printed, shown = self.shell(command.script), command.shown
            if not matches([_bare(one) for one in printed], [_bare(one) for one in shown]):
                shown = _renewed(printed, shown)
            lines += [*command.written, *shown]
        return "\n".join(["```console", *lines, "```"])

    def shell(self, script: str) -> list[str]:
        """What a command prints, run after those before it."""
        assert self.code == 0 or script.startswith("echo"), f"{self.path}: fails before {script}"
        state = self.folder / ".bin" / "folder"
        lines = f"(exit {self.code})\n{script}\ncode=$?; pwd > {state}; exit $code"
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", lines],
            cwd=self.where,
            env={
                **os.environ,
                "PATH": f"{self.folder / '.bin'}:{os.environ['PATH']}",
                "PYTHONPATH": PACKAGE,
                "COLUMNS": "100",
            },
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.code = done.returncode
        self.where = Path(state.read_text().strip())
        return [line.rstrip() for line in done.stdout.splitlines()]

    def python(self, block: str) -> None:
        """Run a doctest, or a program, in the page's folder."""
        if not block.startswith(">>> "):
            with contextlib.chdir(self.where), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block, str(self.path), "exec"), self.names)
            return
        flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
        test = doctest.DocTestParser().get_doctest(block, self.names, self.path.name, None, 0)
        with contextlib.chdir(self.where):
            found = doctest.DocTestRunner(optionflags=flags).run(test, clear_globs=False)
        assert found.failed == 0, self.path
        self.names = test.globs


def commands_of(block: str) -> list[Command]:
    """The commands of a console block."""
    found: list[Command] = []
    for line in block.splitlines():
        if found and found[-1].written[-1].endswith("\\"):
            found[-1].written.append(line)
        elif line.startswith("$ "):
            found.append(Command([line], []))
        else:
            found[-1].shown.append(line)
    return found


def matches(printed: list[str], wanted: list[str]) -> bool:
    """Whether lines are as shown; a `...` stands for any number of lines."""
    if not wanted:
        return not printed
    if wanted[0] == "...":
        return any(matches(printed[start:], wanted[1:]) for start in range(len(printed) + 1))
    return bool(printed) and printed[0] == wanted[0] and matches(printed[1:], wanted[1:])


def _renewed(printed: list[str], shown: list[str]) -> list[str]:
    """As many of the first and of the last lines as were shown before."""
    if "..." not in shown:
        return printed
    first, last = shown.index("..."), len(shown) - 1 - shown[::-1].index("...")
    tail = printed[len(printed) - (len(shown) - 1 - last) :]
    return [*printed[:first], "...", *tail]


def _bare(line: str) -> str:
    """Without what a signature names: versions and hashes of models."""
    return re.sub(r"sacrebleu:[\d.]+|\b[0-9a-f]{8}\b", "", line)


def main(paths: list[str]) -> None:
    """Write each page again."""
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            Page(Path(path).resolve(), Path(folder)).write()


if __name__ == "__main__":
    main(sys.argv[1:])
