"""What the commands of the studio share: their options, and how pages are served."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Annotated

from otherwords.cli.output import emit
from otherwords.cli.parameters import Option
from otherwords.errors import UsageError

if TYPE_CHECKING:
    from otherwords.study.studio.page import Page

__all__ = ["OpenBrowser", "Port", "WorkLog", "check_installed", "run", "warn"]

served = partial(Option, panel="Page")

Port = Annotated[
    int,
    served(
        "--port", help="Serve on this port of this machine; 0: any free port.", min=0, max=65535
    ),
]
OpenBrowser = Annotated[bool, served("--open", help="Open the page in a browser.")]
WorkLog = Annotated[
    str,
    Option("--log", help="Append every change to this log, and continue from it."),
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


def warn(message: str) -> None:
    """Print a warning on standard error."""
    print(message, file=sys.stderr)


def run(pages: Sequence[Page], port: int, open_browser: bool) -> int:
    """Serve the pages until Ctrl-C, and print their address."""
    from otherwords.study.studio.server import serve

    def ready(address: str) -> None:
        emit([f"The studio runs at {address} (Ctrl-C stops it; all work is saved)"], None)
        if open_browser:
            webbrowser.open(address)

    with suppress(KeyboardInterrupt):
        serve(pages, port, ready)
    return 0
