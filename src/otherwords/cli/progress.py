"""Progress on a terminal; nothing for pipes and logs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from otherwords.engine.stages import Event

__all__ = ["counting", "stages"]


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


@contextmanager
def stages() -> Iterator[Callable[[Event], None]]:
    """A callable for the events of a build: a bar per stage on a terminal, else lines."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _line
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:12}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        tasks: dict[str, int] = {}

        def tell(event: Event) -> None:
            if event.stage not in tasks:
                tasks[event.stage] = progress.add_task(event.stage, total=None)
            task = progress.tasks[tasks[event.stage]].id
            if event.what in ("finished", "reused"):
                progress.update(task, total=1, completed=1)
            elif event.what == "progress":
                progress.update(task, total=event.total, completed=event.done)

        yield tell


def _line(event: Event) -> None:
    if event.what in ("finished", "reused"):
        print(f"{event.stage}: {event.what}", file=sys.stderr, flush=True)
