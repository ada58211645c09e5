"""The pages of the papers name tests that are there and commands that exist."""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

import pytest
from bench import papers
from bench.papers import PAPERS
from bench.published import pem_tables

from otherwords.cli import main

ROOT = Path(__file__).parents[1]
PAGES = {
    path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/papers").glob("*.md")
}
PARTS = {
    "pem": ["Table 1", "Table 2", "Table 3", "Figure 3", "Figures 4, 5", "eq. 1, 2"]
    + [
        f"§7, {part}" for part in ("paraphrases of real", "syntactic", "other", "several", "argmax")
    ],
    "maxsim": ["Table 2", "eq. 1", "eq. 2", "Table 1"],
    "paraeval": ["Table 1", "Table 2", "Table 3", "Table 4", "Tables 5, 6"]
    + [f"Figure {number}" for number in range(1, 6)]
    + ["§7, weights", "§7, longer paraphrases", "§7, context"],
    "paradigm": [
        "Tables 2, 3, 4",
        "§2.1",
        "§4.3",
        "§5.6",
        "Table 1",
        "Table 5",
        "Table 6",
        "Table 7",
    ]
    + [f"Figure {number}" for number in range(1, 5)],
    "parametric": ["Table 1", "Table 2", "Table 3", "§7.1", "LB-Precision =", "Align-Precision ="]
    + [f"Figure {number}" for number in range(1, 4)],
}


@pytest.mark.parametrize("name", sorted(PARTS))
def test_every_table_and_figure_is_placed(name):
    for part in PARTS[name]:
        assert part in PAGES[name], part
    for title in ("What differs", "The paper's figures and ours"):
        assert title in PAGES[name]


@pytest.mark.parametrize("name", sorted(PARTS))
def test_named_tests_are_there(name):
    last = ""
    for file, test in re.findall(r"`(test_\w+\.py)?(?:::(test_\w+))?`", PAGES[name]):
        last = file or last
        if not last:
            continue
        path = ROOT / "tests" / last
        assert path.is_file(), last
        if test:
            assert f"def {test}(" in path.read_text(encoding="utf-8"), (last, test)


@pytest.mark.data
@pytest.mark.long
@pytest.mark.parametrize("name", sorted(PARTS))
def test_figures_are_what_the_command_prints(name, tmp_path, capsys):
    """Every figure of ours on the page is in the block that `bench.papers` prints."""
    first = f"<!-- printed by: python -m bench.papers {name} -->"
    [block] = re.findall(re.escape(first) + r"\n(.*?)<!-- end -->", PAGES[name], re.DOTALL)
    if name == "pem" and find_spec("jieba") is None:  # the extra `bench`
        pem_tables(tmp_path)
        block, *_ = block.partition("```sh\notherwords build")
    else:
        PAPERS[name](tmp_path)
    assert capsys.readouterr().out.strip() == block.strip()
    if name == "paradigm":
        figure = (ROOT / "docs/paradigm-figure4.svg").read_bytes()
        assert (tmp_path / "figure4.svg").read_bytes() == figure


def test_one_command_prints_every_paper_that_can_be_printed(monkeypatch, capsys):
    """A paper whose program is missing is named; the papers after it are printed."""

    def fail(folder):
        print("Table 1")
        raise SystemExit("build ...: exit code 2")

    monkeypatch.setattr(papers, "PAPERS", {"pem": fail, "maxsim": lambda folder: print("Table 2")})
    with pytest.raises(SystemExit) as ended:
        papers.main([])
    assert ended.value.code == 1
    printed = capsys.readouterr()
    assert printed.out.splitlines() == ["== pem", "Table 1", "== maxsim", "Table 2"]
    assert printed.err == "pem: build ...: exit code 2\n"


@pytest.mark.parametrize("name", sorted(PARTS))
def test_there_is_a_block_for_the_figures(name):
    first = f"<!-- printed by: python -m bench.papers {name} -->"
    [block] = re.findall(re.escape(first) + r"\n(.*?)<!-- end -->", PAGES[name], re.DOTALL)
    assert block.count("|--:|") >= 2  # tables


@pytest.mark.parametrize("name", sorted(PARTS))
def test_text_about_the_figures_has_none_of_its_own(name):
    """What is said below the block would not be compared with any command."""
    said = PAGES[name].partition("<!-- end -->")[2]
    assert re.findall(r"(?<![\w§.])\d*\.\d+", said) == []


@pytest.mark.parametrize("name", sorted(PARTS))
def test_commands_and_options_exist(name, capsys):
    """Every command of a page, in blocks and in the text, has options that its command has."""
    text = re.sub(r"\\\n\s*", "", PAGES[name])
    commands = re.findall(r"^otherwords ([^\n]*)$", text, re.MULTILINE)
    commands += re.findall(r"`(?:otherwords )?([a-z][a-z ]*--[a-z][^`]*)`", text)
    assert commands
    for command in commands:
        words = command.split()
        path = [word for word in words[: _first_option(words)] if re.fullmatch(r"[a-z]+", word)]
        assert main([*path, "--help"]) == 0, command
        known = capsys.readouterr().out
        for option in [word for word in words if re.match(r"--?[a-z]", word)]:
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", known), (command, option)
    for bench in re.findall(r"python -m bench\.(\w+)", text):
        assert (ROOT / "bench" / f"{bench}.py").exists(), bench


def _first_option(words):
    return next((place for place, word in enumerate(words) if word.startswith("-")), len(words))
