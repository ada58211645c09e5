"""Public names of a package, loaded when they are first used, so that importing it is cheap."""

from __future__ import annotations

import sys
from importlib import import_module

TYPE_CHECKING = False  # as in typing, whose import costs more than all of this
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

__all__ = ["attach"]


def attach(
    package: str, modules: Mapping[str, str], packages: str = ""
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package whose names live in these modules.

    `modules` has the names of each module with spaces between them, `packages` the names of those
    below this one that are public themselves.

    >>> get, names, everything = attach("otherwords.io", {"otherwords.io.files": "read_lines"})
    >>> get("read_lines").__name__, everything
    ('read_lines', ['read_lines'])
    """
    where = {name: module for module, names in modules.items() for name in names.split()}
    below = packages.split()

    def load(name: str) -> Any:
        if name in below:
            return import_module(f"{package}.{name}")
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(where[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted({*where, *below})

    return load, listed, listed()
