"""What README shows is what the program does."""

from __future__ import annotations

import doctest
import itertools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import otherwords
from otherwords.cli import main
from otherwords.cli.app import command

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


def test_demo(tmp_path):
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
    assert "careful leads by otherwords-mt, maxsim and chrf." in done.stdout
    assert "rewritten leads by otherwords-rewrite" in done.stdout
    assert "sh examples/demo.sh" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_first_output_of_the_readme(capsys):
    call, *_ = README.split("$ otherwords ", 1)[1].partition('up."\n')
    assert main(shlex.split(call.replace("\\\n", "") + 'up."')) == 0
    assert "\n".join(shown_after('sign up."\n')) == capsys.readouterr().out.strip()


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


def test_no_page_has_code_without_a_fence():
    for path in ROOT.glob("docs/**/*.md"):
        if path.stem == "results":  # the output of commands
            continue
        text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.S | re.M)
        assert not re.search(r"^    (\$ )?(otherwords|from|import|pip) .*$", text, re.M), path


def test_commands_of_blocks_that_are_not_run_have_their_options(capsys):
    known: dict[str, str] = {}
    for path in [*ROOT.glob("docs/**/*.md"), ROOT / "README.md"]:
        blocks = re.findall(r"^```(?:sh|text)\n(.*?)^```$", path.read_text("utf-8"), re.S | re.M)
        for block in blocks:
            for line in re.findall(r"^otherwords .*(?:\n +.*)*", block, re.M):
                name, options = called(line.split("#")[0])
                if name not in known:
                    assert main([*name.split(), "--help"]) == 0, f"{path}: {line}"
                    known[name] = capsys.readouterr().out
                for option in options:
                    wanted = rf"(?<![\w-]){option}(?![\w-])"
                    assert re.search(wanted, known[name]), f"{path}: {line}: {option}"
    assert len(known) > 20


def called(line: str) -> tuple[str, list[str]]:
    """The command of a line, and the options that it is given."""
    words = re.split(r"[\s\[\]|]+", line)[1:]
    named = itertools.takewhile(lambda word: re.fullmatch("[a-z]+", word), words)
    names = list(named)
    node: Any = command()
    context = node.make_context("otherwords", [], resilient_parsing=True)
    path = []
    for name in names:
        if not hasattr(node, "list_commands") or name not in node.list_commands(context):
            break
        path.append(name)
        node = node.get_command(context, name)
    path = ["meta", "agreement"] if path == ["meta"] else path  # the default of its group
    return " ".join(path), [word for word in words if re.fullmatch(r"--?[a-z][\w-]*", word)]


def test_commands_of_the_tables_have_the_options_that_they_show(capsys):
    text = README + (ROOT / "docs" / "which-metric.md").read_text(encoding="utf-8")
    commands = re.findall(r"`otherwords ([^`]+)`", text)
    assert len(commands) > 20
    for line in commands:
        words = line.split()
        first = next((i for i, word in enumerate(words) if word.startswith("-")), len(words))
        path = [word for word in words[:first] if re.fullmatch("[a-z]+", word)]
        path = ["meta", "agreement"] if path == ["meta"] else path  # the default of its group
        assert main([*path, "--help"]) == 0, line
        known = capsys.readouterr().out
        for option in [word for word in words if re.match(r"--?[a-z]", word)]:
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", known), (line, option)


def test_links_of_pages_lead_to_files_of_the_repository():
    """Pages are read in a checkout too; those with links to generated pages name `make docs`."""
    generated = re.compile(r"^docs/reference/(api|commands|gallery)/")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        if generated.match(path.relative_to(ROOT).as_posix()):
            continue
        text = path.read_text(encoding="utf-8")
        for link in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", text):
            target = Path(os.path.normpath(path.parent / link))
            if generated.match(target.relative_to(ROOT).as_posix()):
                assert "`make docs`" in text, f"{path.name}: {link} is generated"
            else:
                assert target.exists(), f"{path.name}: {link}"
