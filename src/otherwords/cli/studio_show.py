"""`otherwords studio show`: scored pairs in a page, with their explanations drawn."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli.options import (
    Against,
    AnyLanguage,
    Case,
    Settings,
    Threads,
    Tokenizer,
    build_metrics,
)
from otherwords.cli.progress import counting
from otherwords.cli.studio_server import OpenBrowser, Port, check_installed, run
from otherwords.corpus.inputs import read_rows
from otherwords.errors import InputError
from otherwords.studio.show import ScoredRows, show_page

__all__ = ["show_command"]


def show_command(
    systems: Annotated[
        list[str] | None,
        typer.Argument(metavar="SYSTEM...", help="System outputs, a segment a line."),
    ] = None,
    metrics: Annotated[
        str, typer.Option("-m", "--metrics", help="Metrics, with commas between them.")
    ] = "maxsim,paraeval,pem",
    references: Annotated[
        list[str] | None, typer.Option("-r", "--reference", help="References; may be repeated.")
    ] = None,
    source: Annotated[str | None, typer.Option("-s", "--source", help="Source segments.")] = None,
    jsonl: Annotated[
        list[str] | None, typer.Option("--jsonl", help="Rows with all that belongs to them.")
    ] = None,
    against: Annotated[
        Against | None, typer.Option(help="Compare with references or the source.")
    ] = None,
    case: Case = None,
    tokenizer: Tokenizer = None,
    settings: Settings = None,
    threads: Threads = 1,
    any_language: AnyLanguage = False,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Look at scored pairs in a local page: sort them, filter them, see why they score so."""
    check_installed()
    common = {"against": against and against.value, "case": case, "tokenizer": tokenizer}
    given = {key: value for key, value in common.items() if value is not None}
    scorers = build_metrics(metrics, given, settings or [], None)
    rows = list(read_rows(systems or [], references or [], source, None, jsonl or []))
    if not rows:
        raise InputError("there is nothing to show: the files have no segments")
    with counting("segments scored") as progress:
        scored = ScoredRows.of(
            rows, scorers, threads=threads, any_language=any_language, progress=progress
        )
    return run([show_page(scored)], port, open_browser)
