"""All tables and figures of the five papers that can be printed with the data folder.

    python -m bench.papers [PAPER ...] [--folder FOLDER]

FOLDER keeps tables, grammars and finished work, so that a second run takes seconds. Each paper's
page in docs/papers says which tables these are, and why the others cannot be printed. A paper that
fails, as PEM's last example does without jieba, does not stop the others; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path


def paradigm(folder: Path) -> None:
    """Tables 1 to 6, Figure 4, and the rules of the same pairs by three alignments."""
    from bench.paradigm import print_tables

    print_tables(folder)


def parametric(folder: Path) -> None:
    """Tables 2 and 3, the questions of §8, and tables that have seen the test sentences (§5)."""
    from bench.parametric import print_tables
    from bench.parametric_future import held_out, human, translations

    print_tables(folder)
    for part in (translations, human, held_out):
        part(folder)


def pem(folder: Path) -> None:
    """Tables 1 to 3, and put forth / put forward with a Chinese table that is not pruned."""
    from bench.published import pem as print_tables

    print_tables(folder)


def maxsim(folder: Path) -> None:
    """Table 2, the sweep of alpha, and agreement over segments."""
    from bench.published import maxsim as print_tables

    print_tables(folder)


def paraeval(folder: Path) -> None:
    """Tables 1 to 6, Figure 5 as numbers, §4.2 and §4.3."""
    from bench.published import paraeval as print_tables

    print_tables(folder)


# Each function prints one paper's tables and keeps its files in the folder that it gets.
PAPERS: dict[str, Callable[[Path], None]] = {
    "paradigm": paradigm,
    "parametric": parametric,
    "pem": pem,
    "maxsim": maxsim,
    "paraeval": paraeval,
}


def main(argv: Sequence[str] | None = None) -> None:
    """Print the tables of the papers that are named, or of all."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("papers", nargs="*", metavar="PAPER", help=", ".join(PAPERS))
    arguments.add_argument("--folder", type=Path, help="where files are kept (default: nowhere)")
    given = arguments.parse_args(argv)
    if unknown := [name for name in given.papers if name not in PAPERS]:
        arguments.error(f"no paper is named {', '.join(unknown)}; there are {', '.join(PAPERS)}")
    failed = False
    with tempfile.TemporaryDirectory() as name:
        for paper in given.papers or PAPERS:
            if len(given.papers) != 1:
                print(f"== {paper}", flush=True)
            folder = (given.folder or Path(name)) / paper
            folder.mkdir(parents=True, exist_ok=True)
            try:
                PAPERS[paper](folder)
            except SystemExit as error:
                print(f"{paper}: {error}", file=sys.stderr, flush=True)
                failed = True
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
