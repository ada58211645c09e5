"""Public names of a package, loaded when they are first used, so that importing it is cheap."""

from __future__ import annotations

import sys
from importlib import import_module

from otherwords.errors import optional_imports

TYPE_CHECKING = False  # as in typing, whose import costs more than all of this
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["attach"]


def attach(
    package: str, file: str, *callable_packages: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a package, from its `__init__.pyi`.

    Each line `from module import name as name` of that stub is a public name: type checkers and
    this function read the same list. `file` is the package's `__file__`. Packages below it that
    can be called have their own type in the stub, so they are named here.

    >>> from otherwords import io
    >>> get, names, everything = attach("otherwords.io", io.__file__)
    >>> get("read_lines").__name__, "read_lines" in everything
    ('read_lines', True)
    """
    with open(file.removesuffix(".py") + ".pyi", encoding="utf-8") as stub:
        lines = [line.split() for line in stub]
    where = dict.fromkeys(callable_packages, package)
    where |= {
        line[3]: line[1]
        for line in lines
        if len(line) == 6 and line[::2] == ["from", "import", "as"]
    }

    def load(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        with optional_imports():
            if where[name] == package:
                return import_module(f"{package}.{name}")
            value = getattr(import_module(where[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def listed() -> list[str]:
        return sorted(where)

    return load, listed, listed()
