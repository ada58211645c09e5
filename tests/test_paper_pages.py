"""The pages of the papers name tests that are there and commands that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from otherwords.cli import main

ROOT = Path(__file__).parents[1]
PAGES = {
    path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "docs/papers").glob("*.md")
}
PARTS = {
    "pem": ["Table 1", "Table 2", "Table 3", "Figure 3", "Figures 4, 5", "eq. 1, 2"],
    "maxsim": ["Table 2", "eq. 1", "eq. 2", "Table 1"],
    "paraeval": ["Table 1", "Table 2", "Table 3", "Table 4", "Tables 5, 6"]
    + [f"Figure {number}" for number in range(1, 6)],
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


@pytest.mark.parametrize("name", sorted(PARTS))
def test_commands_and_options_exist(name, capsys):
    """Every command of a page has options that its command has."""
    blocks = re.sub(r"\\\n\s*", "", PAGES[name])
    commands = re.findall(r"^otherwords ([^\n]*)$", blocks, re.MULTILINE)
    assert commands
    for command in commands:
        words = command.split()
        path = [word for word in words[: _first_option(words)] if re.fullmatch(r"[a-z]+", word)]
        assert main([*path, "--help"]) == 0, command
        known = capsys.readouterr().out
        for option in [word for word in words if re.match(r"--?[a-z]", word)]:
            assert re.search(rf"(?<![\w-]){option}(?![\w-])", known), (command, option)


def _first_option(words):
    return next((place for place, word in enumerate(words) if word.startswith("-")), len(words))
