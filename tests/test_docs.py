"""What README shows is what the program does."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import otherwords
from otherwords.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_python_of_the_readme():
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    parser = doctest.DocTestParser()
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", README, re.DOTALL)):
        test = parser.get_doctest(block, {}, f"README-{number}", "README.md", 0)
        assert doctest.DocTestRunner(optionflags=flags).run(test).failed == 0


def shown_after(line: str) -> list[str]:
    """The indented block of README that follows a line, without its indent."""
    rest = README.split(line, 1)[1].lstrip("\n").split("\n")
    block = []
    for text in rest:
        if text and not text.startswith("    "):
            break
        block.append(text[4:])
    return "\n".join(block).strip().split("\n")


def test_demo_of_the_readme(tmp_path):
    command = tmp_path / "otherwords"
    command.write_text(
        f"#!/bin/sh\nexec {sys.executable} -c 'from otherwords.cli import entry; entry()' \"$@\"\n"
    )
    command.chmod(0o755)
    package = str(Path(otherwords.__file__).resolve().parents[1])  # the demo changes the folder
    done = subprocess.run(
        ["sh", str(ROOT / "examples" / "demo.sh")],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": package},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    shown = shown_after("`make demo` prints\n")
    printed = done.stdout.strip().split("\n")
    assert [_without_version(line) for line in shown] == [_without_version(x) for x in printed]
    assert "sh examples/demo.sh" in (ROOT / "Makefile").read_text(encoding="utf-8")


def _without_version(line: str) -> str:
    return re.sub(r"sacrebleu:[\d.]+", "sacrebleu", line)


def test_explanation_of_the_readme(capsys, monkeypatch):
    monkeypatch.chdir(ROOT / "examples" / "translation")
    main(["score", "-m", "maxsim", "-r", "reference.txt", "free.txt", "--explain", "3"])
    printed = capsys.readouterr().out.split("\n")
    shown = shown_after("$ otherwords score -m maxsim -r reference.txt free.txt --explain 3\n")
    kept = [line for line in shown if line != "..."]
    assert len(kept) > 10
    assert all(line in printed for line in kept)


def test_no_path_of_a_machine_in_the_documentation():
    for path in [*ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"(?<![\w.])/(work|root|home)/", text), path


def test_every_file_that_the_documentation_names_is_there():
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *ROOT.glob("docs/**/*.md")]:
        text = path.read_text(encoding="utf-8")
        for name in re.findall(
            r"`((?:docs|src|tools|native|tests|bench|examples)/[\w./-]+)`", text
        ):
            assert (ROOT / name).exists() or name.endswith("/mine.py"), f"{path.name}: {name}"
    assert not re.search(r"\b(DEMO|EXPLAIN|RESULTS|SPEED|CORPUS)\b", README)


def test_commands_of_the_tables_have_the_options_that_they_show(capsys):
    text = README + (ROOT / "docs" / "which-metric.md").read_text(encoding="utf-8")
    commands = re.findall(r"`otherwords ([^`]+)`", text)
    assert len(commands) > 20
    for command in commands:
        words = command.split()
        first = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
        path = [word for word in words[:first] if re.fullmatch("[a-z]+", word)]
        path = ["meta", "agreement"] if path == ["meta"] else path  # the default of its group
        assert main([*path, "--help"]) == 0, command
        known = capsys.readouterr().out
        for option in [word for word in words if re.match(r"--?[a-z]", word)]:
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", known), (command, option)
