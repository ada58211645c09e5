"""Options of the commands that build resources from bitexts, each declared once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated, BinaryIO

import typer

from otherwords.cli.options import INPUT, OUTPUT, Threads
from otherwords.errors import UsageError
from otherwords.io.files import STDIN

if TYPE_CHECKING:
    from otherwords.corpus.findings import Finding
    from otherwords.engine import Engine

__all__ = [
    "BitextFile",
    "BitextTokenizer",
    "Case",
    "GoldBase",
    "GrammarForm",
    "LinksFile",
    "MaxLength",
    "Memory",
    "MinProbability",
    "MinStep",
    "Preset",
    "Temporary",
    "Threads",
    "engine_of",
    "files_by_name",
    "limit",
    "names",
    "numbers_by_name",
    "read",
    "running",
    "target",
    "warn",
    "written",
]

# Options of each panel of `--help`.
read = partial(typer.Option, rich_help_panel=INPUT)
limit = partial(typer.Option, rich_help_panel="Limits")
written = partial(typer.Option, rich_help_panel=OUTPUT)
running = partial(typer.Option, rich_help_panel="Resources")


class Published(StrEnum):
    """Settings that a paper fixes."""

    paper = "paper"


Preset = Annotated[
    Published | None,
    typer.Option(
        "--preset", help="Set all options as the paper has them; others are refused beside it."
    ),
]


class GrammarFormat(StrEnum):
    """Output formats of grammars."""

    joshua = "joshua"
    parquet = "parquet"


BitextFile = Annotated[str, read("--bitext", help="Bitext: two columns separated by a tab or |||.")]
LinksFile = Annotated[
    str,
    read("--alignment", help="Links i-j, one line per sentence pair, from 0, left column first."),
]
BitextTokenizer = Annotated[
    str,
    read(
        "--tokenizer",
        help="Tokenizer of both sides, or LEFT,RIGHT: auto, penn, words, characters, jieba, none.",
    ),
]
Case = Annotated[bool, read("--case", help="Keep case (default: fold it).")]
GoldBase = Annotated[
    int | None,
    read(
        "--gold-base", help="First position of the gold links, 0 or 1 (default: 0).", min=0, max=1
    ),
]
MaxLength = Annotated[int, limit("--max-length", help="Most words of a phrase.", min=1, max=7)]
Memory = Annotated[
    float, running("--memory", help="Memory of tables in GB before they go to disk.", min=0.05)
]
Temporary = Annotated[
    str | None, running("--temporary", help="Directory of temporary files (default: the system's).")
]


MinStep = Annotated[
    float,
    limit("--min-step", help="Least probability of a step, p(f|e1) and p(e2|f).", min=0, max=1),
]
MinProbability = Annotated[
    float, limit("--min-probability", help="Least p(e2|e1) of a paraphrase.", min=0, max=1)
]
GrammarForm = Annotated[
    GrammarFormat | None,
    written("--format", "-f", help="Output format (default: by the name of -o, else joshua)."),
]


def engine_of(threads: int = 1, memory: float = 2.0, temporary: str | None = None) -> Engine:
    """Where relational work runs, with these resources; a context."""
    from otherwords.engine import Engine

    return Engine(threads=threads, memory_gb=memory, temporary=temporary)


def target(output: str | None) -> str | BinaryIO:
    """Where data goes: a file by its name, or standard output."""
    return sys.stdout.buffer if output is None or output == STDIN else output


def names(text: str | None) -> list[str] | None:
    """Names that are separated by commas.

    >>> names("constituent, slash"), names(None)
    (['constituent', 'slash'], None)
    """
    return None if text is None else [name.strip() for name in text.split(",")]


def files_by_name(options: Sequence[str], unnamed: str | None = None) -> dict[str, list[str]]:
    """The files of each name of NAME=FILE; `unnamed` names those that have none.

    >>> files_by_name(["fr=a.tsv", "fr=b.en,b.fr", "c.tsv"], "table{}")
    {'fr': ['a.tsv', 'b.en,b.fr'], 'table3': ['c.tsv']}
    """
    found: dict[str, list[str]] = {}
    for place, option in enumerate(options, 1):
        name, equals, file = option.partition("=")
        if unnamed is not None and (not equals or "/" in name):
            name, file = unnamed.format(place), option
        if not name or not file:
            raise UsageError(f"a file is named NAME=FILE, for example fr=fr.tsv.gz, not '{option}'")
        found.setdefault(name, []).append(file)
    return found


def numbers_by_name(options: Sequence[str] | None, what: str) -> dict[str, float]:
    """The numbers of options NAME=NUMBER.

    >>> numbers_by_name(["fr=2"], "a weight")
    {'fr': 2.0}
    """
    found = {}
    for option in options or []:
        name, _, value = option.rpartition("=")
        try:
            found[name] = float(value)
        except ValueError:
            name = ""
        if not name:
            raise UsageError(f"{what} is NAME=NUMBER, not '{option}'")
    return found


def warn(finding: Finding) -> None:
    """Print what is wrong with a line on standard error."""
    print(finding, file=sys.stderr)
