"""The style that all pages share: colours in light and dark, one stylesheet, one script.

Colour-blind readers can distinguish the six colours of series (a test simulates this), and series
differ in shape and dash as well.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from otherwords.metrics import drawing

SERIES = 6  # series that can be distinguished
_PAGES = Path(__file__).with_name("pages")
LIGHT = {
    "ground": "#ffffff",
    "raised": "#f5f6f8",
    "text": "#1b1f24",
    "quiet": "#55606d",
    "line": "#d5dae1",
    "accent": "#0b5fb0",
    "on-accent": "#ffffff",
    "band": "#dfeaf6",
    "none": "#e3e6ea",
    "minor": "#f3c44f",
    "major": "#f0969c",
    "c0": "#0063b1",
    "c1": "#b7651a",
    "c2": "#22262b",
    "c3": "#e0518c",
    "c4": "#6a1bd1",
    "c5": "#12897f",
}
DARK = {
    "ground": "#12151a",
    "raised": "#1c2128",
    "text": "#e8ebef",
    "quiet": "#a9b4c0",
    "line": "#3a434e",
    "accent": "#7db8ff",
    "on-accent": "#10161f",
    "band": "#1d3048",
    "none": "#343b44",
    "minor": "#745208",
    "major": "#962f3a",
    "c0": "#7db8ff",
    "c1": "#c98a1b",
    "c2": "#f6ecd0",
    "c3": "#e0508f",
    "c4": "#6f78ff",
    "c5": "#3fc9b0",
}
# The parts of plots: text, grid, the colours of series, points, lines, intervals, bars.
PLOT = (
    "svg .t{fill:var(--text)}svg .g{stroke:var(--line);fill:none}.cn{color:var(--quiet)}"
    + "".join(f".c{place}{{color:var(--c{place})}}" for place in range(SERIES))
    + ".m{fill:currentColor;stroke:none}.cloud .m{fill-opacity:.45}"
    ".e,.l{fill:none;stroke:currentColor;stroke-width:1.6}"
    ".b0{fill:var(--none)}.b1{fill:var(--minor)}.b2{fill:var(--major)}"
)


@cache
def stylesheet() -> str:
    """The CSS of every page, drawn explanations included."""
    return (
        f":root {{ color-scheme: light dark; {_colours(LIGHT)} }}\n"
        f"@media screen and (prefers-color-scheme: dark) {{ :root {{ {_colours(DARK)} }} }}\n"
        f"{(_PAGES / 'page.css').read_text(encoding='utf-8')}{PLOT}\n{drawing.CSS}"
    )


@cache
def script() -> str:
    """The script that sorts tables, and shows rows to search, filter, open and export."""
    return (_PAGES / "page.js").read_text(encoding="utf-8")


def light(css: str) -> str:
    """CSS with the light colours in place of variables.

    >>> light(".t{fill:var(--text)}")
    '.t{fill:#1b1f24}'
    """
    return re.sub(r"var\(--([\w-]+)\)", lambda name: LIGHT[name[1]], css)


def _colours(palette: dict[str, str]) -> str:
    return " ".join(f"--{name}: {colour};" for name, colour in palette.items())
