"""Progress on a terminal; pipes and logs get none."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

    from otherwords.build.engine.stages import Event


DELAY = 2.0  # seconds; most commands are done by then


@contextmanager
def counting(
    what: str, *, streamed: bool = False, total: int | None = None, then: str = ""
) -> Iterator[Callable[[int], None]]:
    """Give a callable that takes the number of newly finished items.

    The count is shown if standard error is a terminal and the work takes longer than `DELAY`.
    Output that is `streamed` to a terminal needs no progress bar. With a `total` the time left is
    shown; `then` says what is done after the last item.
    """
    terminals = [stream is not None and stream.isatty() for stream in (sys.stderr, sys.stdout)]
    if not terminals[0] or (streamed and terminals[1]):
        yield lambda done: None
        return
    count = _LateCount(what, total, then)
    try:
        yield count.advance
    finally:
        count.stop()


class _LateCount:
    """A count that appears on the terminal after `DELAY` seconds and disappears at the end."""

    def __init__(self, what: str, total: int | None = None, then: str = "") -> None:
        self.what, self.total, self.then, self.done = what, total, then, 0
        self.shown: tuple[Progress, TaskID] | None = None
        self.lock = threading.Lock()
        self.timer = threading.Timer(DELAY, self._show)
        self.timer.daemon = True
        self.timer.start()

    def advance(self, done: int) -> None:
        with self.lock:
            self.done += done
            if self.shown is not None:
                progress, task = self.shown
                progress.update(task, completed=self.done, description=self._describe())

    def _describe(self) -> str:
        if self.then and self.total is not None and self.done >= self.total:
            return f"{self.what}; {self.then}"
        return self.what if self.total is None else f"of {self.total:,} {self.what}"

    def stop(self) -> None:
        """Remove the count, or never show it."""
        with self.lock:
            self.timer.cancel()
            if self.shown is not None:
                self.shown[0].stop()

    def _show(self) -> None:
        from rich.console import Console
        from rich.progress import (
            Progress,
            ProgressColumn,
            SpinnerColumn,
            TextColumn,
            TimeElapsedColumn,
            TimeRemainingColumn,
        )

        count = TextColumn("{task.completed:,.0f} {task.description}")
        columns: list[ProgressColumn] = [SpinnerColumn(), count, TimeElapsedColumn()]
        if self.total is not None:
            columns += [TextColumn("left"), TimeRemainingColumn()]
        with self.lock:
            if self.timer.finished.is_set():
                return
            progress = Progress(*columns, console=Console(stderr=True), transient=True)
            self.shown = (
                progress,
                progress.add_task(self._describe(), total=self.total, completed=self.done),
            )
            # Show the time since the start of the work.
            progress.tasks[0].start_time = progress.get_time() - DELAY
            progress.start()


@contextmanager
def stages() -> Iterator[Callable[[Event], None]]:
    """Give a callable that shows the events of a build: one bar per stage, or lines."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield _line
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description:12}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        tasks: dict[str, int] = {}

        def notify(event: Event) -> None:
            if event.stage not in tasks:
                tasks[event.stage] = progress.add_task(event.stage, total=None)
            task = progress.tasks[tasks[event.stage]].id
            if event.what in ("finished", "reused"):
                progress.update(task, total=1, completed=1)
            elif event.what == "progress":
                progress.update(task, total=event.total, completed=event.done)

        yield notify


def _line(event: Event) -> None:
    if event.what in ("finished", "reused"):
        print(f"{event.stage}: {event.what}", file=sys.stderr, flush=True)
