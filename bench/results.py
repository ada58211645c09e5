"""Write docs/results.md, docs/results/gaming.md and docs/papers/*.md: every block between
`printed by` and `end` by the command that it names.

    python -m bench.results [WORD ...]

With words, only the blocks whose command has one of them. A file is written after every block, so
that what was measured before a failure stays. The prose between the blocks is ours to keep true.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
PAGES = [
    DOCS / "results.md",
    DOCS / "results" / "gaming.md",
    *sorted((DOCS / "papers").glob("*.md")),
]
BLOCK = re.compile(r"<!-- printed by: (?P<command>.+?) -->\n.*?<!-- end -->", re.DOTALL)


def printed_by(command: str) -> str:
    """What the command prints, with the time that it took; a failure stops everything."""
    arguments = shlex.split(command)
    if arguments[:2] != ["python", "-m"]:
        raise SystemExit(f"a block is printed by `python -m ...`, not by {command}")
    start = time.perf_counter()
    ended = subprocess.run(
        [sys.executable, *arguments[1:]], stdout=subprocess.PIPE, encoding="utf-8", check=False
    )
    if ended.returncode:
        raise SystemExit(f"{command}: exit code {ended.returncode}")
    print(f"{command}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    return ended.stdout.strip()


def renew(words: Sequence[str]) -> None:
    """Run the blocks one after the other."""
    blocks = [
        (page, found["command"])
        for page in PAGES
        for found in BLOCK.finditer(page.read_text("utf-8"))
    ]
    chosen = [one for one in blocks if not words or any(word in one[1] for word in words)]
    if not chosen:
        raise SystemExit(f"no block is printed by {' or '.join(words)}")
    for page, command in dict.fromkeys(chosen):
        block = f"<!-- printed by: {command} -->\n\n{printed_by(command)}\n\n<!-- end -->"

        def renewed(found: re.Match[str], command: str = command, block: str = block) -> str:
            return block if found["command"] == command else found[0]

        page.write_text(BLOCK.sub(renewed, page.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    renew(sys.argv[1:])
