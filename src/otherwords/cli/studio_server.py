"""What the commands of the studio share: where its pages are served."""

from __future__ import annotations

import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from otherwords.cli.output import emit
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.studio.page import Page

__all__ = ["OpenBrowser", "Port", "WorkLog", "run"]

Port = Annotated[
    int, typer.Option("--port", help="Of this machine; 0 is any free one.", min=0, max=65535)
]
OpenBrowser = Annotated[bool, typer.Option("--open", help="Open the page in a browser.")]
WorkLog = Annotated[
    str, typer.Option("--log", help="Where every change is kept; it goes on where it ended.")
]
NEEDED = ("starlette", "uvicorn")


def check_installed() -> None:
    """Refuse, before any work, to go on without the packages of the extra `studio`."""
    from importlib.util import find_spec

    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"the studio needs {' and '.join(missing)}: pip install 'otherwords[studio]'"
        )


def run(pages: Sequence[Page], port: int, open_browser: bool) -> int:
    """Serve the pages until Ctrl-C, and say where they are."""
    from otherwords.studio.server import serve

    def ready(address: str) -> None:
        emit(
            [f"The studio is at {address} (Ctrl-C ends it; all work is saved as it is done)"], None
        )
        if open_browser:
            webbrowser.open(address)

    with suppress(KeyboardInterrupt):
        serve(pages, port, ready)
    return 0
