"""Progress on a terminal; nothing for pipes and logs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

__all__ = ["counting"]


@contextmanager
def counting(what: str, *, streamed: bool = False) -> Iterator[Callable[[int], None]]:
    """A callable that takes how many more are done; shown if standard error is a terminal.

    What is `streamed` to a terminal shows by itself how far it is.
    """
    terminals = [stream is not None and stream.isatty() for stream in (sys.stderr, sys.stdout)]
    if not terminals[0] or (streamed and terminals[1]):
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
