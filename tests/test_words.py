"""Plain English in what readers see: words that the style page replaces stay rare."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from otherwords.cli.app import COMMANDS, command

ROOT = Path(__file__).parents[1]
TOLD = re.compile(r"\b(told|tells?|telling)\b", re.IGNORECASE)
THINGS = "line|row|segment|object|file|process|number|level|entry|event|column|label|table"
PER = re.compile(
    rf"\b(?:an?|one) (?:{THINGS}) an? (?:{THINGS}|thread|core|rule|pair|system|group)\b"
)


def lines(*more: tuple[str, str]) -> list[str]:
    """Lines of the package and its documentation, but for lists of words and tables."""
    found = []
    kinds = (("src", "*.py"), ("src", "*.js"), ("docs", "*.md"), ("native", "*.?pp"))
    for folder, ending in (*kinds, *more):
        for path in sorted((ROOT / folder).rglob(ending)):
            if path.parts[-2] != "facts":
                text = path.read_text(encoding="utf-8")
                prose = [line for line in text.splitlines() if not line.startswith("|")]
                found += [f"{path.relative_to(ROOT)}: {line}" for line in prose]
    return found


def test_programs_report_instead_of_telling():
    assert len(found := [line for line in lines() if TOLD.search(line)]) <= 10, "\n".join(found)


def test_one_segment_per_line():
    all_lines = lines(("tests", "*.py"), ("bench", "*.py"), ("tools", "*.py"))
    assert len(found := [line for line in all_lines if PER.search(line)]) <= 3, "\n".join(found)


VERBS = (
    "accept add align allow annotate append ask average build check choose combine compare "
    "compute convert correct correlate count cross-validate decide decode draw drop estimate "
    "explain export extract fail find hold ignore include inspect join judge keep learn leave "
    "limit list make match maximise measure merge mix name open order pack paraphrase parse print "
    "prune rank read reduce repeat require resample run score search serve set shorten show skip "
    "split start stem stop store tag take test tie tokenize train treat tune use vary weight write"
)


def helps(run: Any, name: str, above: Any) -> Iterator[tuple[str, str]]:
    """Names and help texts of a command, of its options, and of the commands of its group."""
    context = run.make_context(name, [], parent=above, resilient_parsing=True)
    yield context.command_path, run.help
    for tree in getattr(run, "panels", {}).values():
        for below in tree:
            yield from helps(run.get_command(context, below), below, context)
    if not hasattr(run, "panels"):
        for parameter in run.get_params(context):
            if parameter.param_type_name == "option" and not parameter.hidden:
                yield f"{context.command_path} {parameter.opts[0]}", parameter.help


def test_help_is_a_verb_and_its_object():
    root = command()
    context = root.make_context("otherwords", [], resilient_parsing=True)
    texts = [
        (name, text)
        for tree in COMMANDS.values()
        for below in tree
        for name, text in helps(root.get_command(context, below), below, context)
    ]
    assert len(texts) > 500
    verbs = {*VERBS.split(), "also", "do", "try"}  # "Also export rows", "Do not check"
    assert not [found for found in texts if found[1].split()[0].strip(":,").lower() not in verbs]
