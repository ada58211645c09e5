"""Embedded models and the file format that they and a user's own models share."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

from otherwords.errors import ModelError, near

__all__ = ["changed_at", "embedded", "embedded_names", "find"]


def embedded(name: str) -> Path:
    """The file of an embedded model.

    >>> embedded("lexicon").name
    'lexicon.owm'
    """
    return Path(__file__).parent / f"{name}.owm"


def embedded_names() -> list[str]:
    """The embedded models.

    >>> "lexicon" in embedded_names()
    True
    """
    return list(_names())


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in Path(__file__).parent.glob("*.owm")))


def changed_at(path: Path) -> int:
    """When a file was last changed, in nanoseconds; 0 if there is none (opening it reports the
    error).

    >>> changed_at(Path("no such file"))
    0
    """
    try:
        return os.stat(path).st_mtime_ns
    except (OSError, ValueError):
        return 0


def find(name_or_path: str | Path) -> Path:
    """The file that a user means: a path, or the name of an embedded model.

    >>> find("lexicon") == embedded("lexicon")
    True
    """
    path, names = Path(name_or_path), embedded_names()
    if str(name_or_path) in names and not path.is_file():
        return embedded(str(name_or_path))
    if path.exists():
        return path
    hint = near(path.name, names)
    raise ModelError(f"{name_or_path}: there is no such file or embedded model; {hint}")
