"""`otherwords studio show`: scored pairs in a page, with their explanations drawn."""

from __future__ import annotations

from otherwords.cli import options
from otherwords.cli.progress import counting
from otherwords.cli.studio_server import OpenBrowser, Port, check_installed, run

__all__ = ["show_command"]


def show_command(
    texts: options.Texts,
    choice: options.MetricChoice,
    systems: options.SystemFiles = None,
    threads: options.Threads = 1,
    port: Port = 0,
    open_browser: OpenBrowser = False,
) -> int:
    """Show scored pairs in a local web page: sort, filter, and see each score explained.

    Default metrics: otherwords-mt, maxsim and chrf if there are references, otherwords-rewrite
    if there are only sources.
    """
    from otherwords.study.studio.desks import scores_page

    check_installed()
    first, rows = texts.rows(systems or [])
    scorers = choice.build(first)
    with counting("segments scored") as progress:
        page = scores_page(
            list(rows), scorers, threads=threads, any_language=texts.any_language, progress=progress
        )
    return run([page], port, open_browser)
