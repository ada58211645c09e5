"""The guides do what they say: every command is run and prints what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.pages import Page, commands_of, matches

ROOT = Path(__file__).parents[1]
GUIDES = sorted(
    path
    for path in [*(ROOT / "docs" / "guides").glob("*.md"), ROOT / "docs" / "start.md"]
    if "```console" in path.read_text(encoding="utf-8") and path.stem != "spark"  # test_spark.py
)
RUN = re.compile(r"^```(bash|console|python)$", re.MULTILINE)
ELSEWHERE = {"start", "gate", "neighbours", "pair"}  # other tests run them
PAGES = sorted(
    path
    for path in (ROOT / "docs").glob("*.md")
    if RUN.search(path.read_text(encoding="utf-8")) and path.stem not in ELSEWHERE
)


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.stem)
def test_a_guide_prints_what_it_shows(path, tmp_path):
    assert Page(path, tmp_path).check() > 0


def test_the_page_of_the_gate_prints_what_it_shows(tmp_path):
    page = Page(ROOT / "docs" / "gate.md", tmp_path)
    page.where = tmp_path / "examples"
    assert page.check() >= 4


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_code_on_a_page_runs(path, tmp_path):
    assert Page(path, tmp_path).check() > 0


def test_there_are_guides_and_pages():
    assert len(GUIDES) >= 8
    assert len(PAGES) >= 20


def test_blocks_are_read_as_they_are_written():
    block = "$ cat a\na\n$ x \\\n  y\n...\nlast\n"
    commands = [(one.script, one.shown) for one in commands_of(block)]
    assert commands == [("cat a", ["a"]), ("x   y", ["...", "last"])]
    assert matches(["1", "2", "last"], ["...", "last"])
    assert not matches(["1", "last", "more"], ["...", "last"])
    assert not matches(["1"], [])
