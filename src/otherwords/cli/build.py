"""`otherwords build`: bitexts in, one packed model out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.bitexts import Threads, source_of
from otherwords.cli.output import check_output
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.bitext.clean import Source
    from otherwords.engine.stages import Event

__all__ = ["build_command"]


def build_command(
    output: Annotated[str, typer.Option("-o", "--output", help="The model to write.")],
    pivot: Annotated[
        list[str] | None,
        typer.Option(
            "--pivot",
            metavar="LANG=FILE",
            help="A bitext, english TAB foreign, or two files with a comma; may be repeated.",
        ),
    ] = None,
    lm: Annotated[
        list[str] | None,
        typer.Option("--lm", help="Text of the language model (a bitext's left column counts)."),
    ] = None,
    cache: Annotated[
        str | None, typer.Option("--cache", help="Finished stages are kept here: OUTPUT.build.")
    ] = None,
    max_length: Annotated[
        int, typer.Option("--max-length", help="Words of a phrase.", min=1, max=7)
    ] = 4,
    longest: Annotated[
        int, typer.Option("--longest", help="Pairs with more words are dropped.", min=1, max=1000)
    ] = 150,
    keep_duplicates: Annotated[
        bool, typer.Option("--keep-duplicates", help="Count a pair as often as it is there.")
    ] = False,
    min_probability: Annotated[
        float, typer.Option("--min-probability", help="Least p(f|e) of a translation.", min=0)
    ] = 0.01,
    top: Annotated[
        int, typer.Option("--top", help="Translations kept of a phrase.", min=1, max=255)
    ] = 20,
    min_count: Annotated[
        int, typer.Option("--min-count", help="Least count of an English phrase.", min=1)
    ] = 1,
    order: Annotated[int, typer.Option("--order", help="Of the language model.")] = 4,
    lm_bytes: Annotated[
        int | None, typer.Option("--lm-bytes", help="Prune the language model to this size.")
    ] = None,
    segmentation: Annotated[
        str, typer.Option("--segmentation", help="Of Chinese and Japanese: characters or jieba.")
    ] = "characters",
    threads: Threads = 1,
    memory: Annotated[
        float, typer.Option("--memory", help="Gigabytes for tables before they spill.", min=0.05)
    ] = 2.0,
) -> int:
    """Build a paraphrase model. Killed and run again, it goes on where it was."""
    from otherwords.bitext.clean import Limits
    from otherwords.io.arguments import check_whole
    from otherwords.lm.estimation import MAX_ORDER
    from otherwords.models.pivot_packing import Packing
    from otherwords.pipeline.build import Build, build
    from otherwords.pipeline.steps import build_steps

    if segmentation not in ("characters", "jieba"):
        raise UsageError(f"segmentation is characters or jieba, not '{segmentation}'")
    pivots = _pivots(pivot or [])
    read = [path for sources in pivots.values() for source in sources for path in _paths(source)]
    check_output(output, *read, *(lm or []))
    check_whole("--order", order, 1, MAX_ORDER)
    if lm_bytes is not None:
        check_whole("--lm-bytes", lm_bytes, 1, 2**60)
    packing = Packing(min_probability=min_probability, top=top, min_count=min_count)
    limits = Limits(longest=longest, keep_duplicates=keep_duplicates)
    wanted = Build(pivots, lm or [], limits, packing)
    steps = build_steps(
        threads=threads,
        memory_gb=memory,
        max_length=max_length,
        segmentation=segmentation,
        order=order,
        lm_bytes=lm_bytes,
    )
    with _showing() as tell:
        build(output, wanted, steps, cache or f"{output}.build", tell)
    return 0


def _pivots(options: list[str]) -> dict[str, list[Source]]:
    """The files of each language.

    >>> _pivots(["fr=a.tsv", "fr=b.en,b.fr", "de=c.tsv"])
    {'fr': ['a.tsv', ('b.en', 'b.fr')], 'de': ['c.tsv']}
    """
    found: dict[str, list[Source]] = {}
    for option in options:
        language, equals, path = option.partition("=")
        if not equals or not path:
            raise UsageError(f"a pivot is LANG=FILE, for example fr=en-fr.tsv.gz, not '{option}'")
        found.setdefault(language, []).append(source_of(path))
    return found


def _paths(source: Source) -> tuple[str, ...]:
    return (source,) if isinstance(source, str) else source


@contextmanager
def _showing() -> Iterator[Callable[[Event], None]]:
    """A bar a stage on a terminal; elsewhere a line a stage on standard error."""
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
