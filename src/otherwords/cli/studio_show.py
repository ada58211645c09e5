"""`otherwords studio show`: scored pairs in a page, with their explanations drawn."""

from __future__ import annotations

from typing import Annotated

import typer

from otherwords.cli import options as shared
from otherwords.cli.progress import counting
from otherwords.cli.studio_server import OpenBrowser, Port, check_installed, run

__all__ = ["show_command"]


def show_command(
    systems: Annotated[
        list[str] | None,
        typer.Argument(metavar="[NAME=]FILE...", help="System outputs, one segment per line."),
    ] = None,
    references: shared.ReferenceFiles = None,
    source: shared.SourceFile = None,
    jsonl: shared.Rows = None,
    columns: shared.ColumnNames = None,
    any_language: shared.AnyLanguage = False,
    metrics: shared.MetricNames = None,
    against: shared.AgainstOption = None,
    case: shared.Case = None,
    tokenizer: shared.Tokenizer = None,
    settings: shared.Settings = None,
    threads: shared.Threads = 1,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Show scored pairs in a local web page: sort, filter, and see each score explained."""
    from otherwords.corpus.inputs import first_row, read_inputs
    from otherwords.scoring.choice import default_metrics
    from otherwords.studio import scores_page

    check_installed()
    given = shared.common_options(against=against, case=case, tokenizer=tokenizer)
    chosen = shared.parse_columns(columns)
    first, rows = first_row(
        read_inputs(systems or [], references or [], source, None, jsonl or [], chosen)
    )
    names = metrics or default_metrics(first, against)
    scorers = shared.build_metrics(names, given, settings, row=first)
    with counting("segments scored") as progress:
        page = scores_page(
            list(rows), scorers, threads=threads, any_language=any_language, progress=progress
        )
    return run([page], port, open_browser)
