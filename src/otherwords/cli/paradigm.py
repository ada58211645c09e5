"""`otherwords paradigm`: paraphrase grammars scored as PARADIGM does."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated

import typer

from otherwords.corpus.files import STDIN
from otherwords.errors import UsageError

__all__ = ["Grammars", "Human", "Resume", "grammar_files", "paradigm_commands", "work_folder"]

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


def paradigm_commands() -> typer.Typer:
    """The group `otherwords paradigm`."""
    from otherwords.cli.paradigm_coverage import coverage_command
    from otherwords.cli.paradigm_overlap import overlap_command

    app = typer.Typer(
        rich_markup_mode=None,
        no_args_is_help=False,
        help="Score paraphrase grammars: overlap with a gold grammar, sentence pairs parsed.",
    )
    app.command("overlap")(overlap_command)
    app.command("coverage")(coverage_command)
    return app


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
