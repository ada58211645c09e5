"""Plain English in what readers see: words that the style page replaces stay rare."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
TOLD = re.compile(r"\b(told|tells?|telling)\b", re.IGNORECASE)
THINGS = "line|row|segment|object|file|process|number|level|entry|event|column|label|table"
PER = re.compile(
    rf"\b(?:an?|one) (?:{THINGS}) an? (?:{THINGS}|thread|core|rule|pair|system|group)\b"
)


def lines() -> list[str]:
    """Lines of the package and its documentation, but for lists of words and tables."""
    found = []
    for folder, ending in (("src", "*.py"), ("docs", "*.md"), ("native", "*.?pp")):
        for path in sorted((ROOT / folder).rglob(ending)):
            if path.parts[-2] != "facts":
                text = path.read_text(encoding="utf-8")
                prose = [line for line in text.splitlines() if not line.startswith("|")]
                found += [f"{path.relative_to(ROOT)}: {line}" for line in prose]
    return found


def test_programs_report_instead_of_telling():
    assert len(found := [line for line in lines() if TOLD.search(line)]) <= 10, "\n".join(found)


def test_one_segment_per_line():
    assert len(found := [line for line in lines() if PER.search(line)]) <= 3, "\n".join(found)
