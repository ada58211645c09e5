"""`otherwords paradigm`: paraphrase grammars scored as PARADIGM does."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import typer

from otherwords.errors import UsageError
from otherwords.io.files import STDIN

__all__ = ["Grammars", "Human", "Resume", "grammar_files", "work_folder"]

Grammars = Annotated[
    list[str],
    typer.Argument(help="Joshua, Thrax or PPDB text, .gz, or Parquet.", metavar="[NAME=]FILE..."),
]
Human = Annotated[
    str | None,
    typer.Option("--human", help="Scores by people, system TAB score...: Spearman with them."),
]
Resume = Annotated[
    str | None,
    typer.Option("--resume", help="Folder that keeps finished work, and goes on with it."),
]


def grammar_files(files: Mapping[str, str]) -> list[str]:
    """The files, none of which may be standard input: what is kept needs their content's hash."""
    for file in files.values():
        if file == STDIN:
            raise UsageError("grammars are read more than once: give files, not '-'")
    return list(files.values())


@contextmanager
def work_folder(resume: str | None) -> Iterator[str]:
    """Where finished work is kept: in the folder given, or until the command ends."""
    if resume is not None:
        yield resume
        return
    with tempfile.TemporaryDirectory(prefix="otherwords-") as folder:
        yield folder
