"""A progress bar for people; nothing for pipes and logs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["counting"]


@contextmanager
def counting(what: str) -> Iterator[Callable[[int], None]]:
    """A callable to tell how many more are done; shown on standard error if it is a terminal."""
    streams = (sys.stderr, sys.stdout)
    if not all(stream is not None and stream.isatty() for stream in streams):
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.completed:,.0f} {task.description}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done: progress.advance(task, done)
