"""A page of the studio, as the server gets it; nothing here depends on the web framework."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from otherwords.errors import InputError

Handler = Callable[[Mapping[str, Any]], Any]


class ConflictError(InputError):
    """A write that is based on an old state: another window saved first."""


@dataclass(frozen=True)
class Page:
    """A page at `/name`, and the handlers of its requests.

    `reads` answer GET /api/name/key, with the query as strings; `writes` answer POST
    /api/name/key, with a JSON object. Each takes a mapping and returns a value for JSON. An
    OtherwordsError becomes an answer 400 with its text, a ConflictError 409. `log` is the file that
    stores what is written; it determines the port.
    """

    name: str
    html: str  # a file in studio/pages
    reads: Mapping[str, Handler] = field(default_factory=dict)
    writes: Mapping[str, Handler] = field(default_factory=dict)
    log: str = ""


def whole(name: str, value: Any, end: int) -> int:
    """Check that a value from a page is a whole number from 0 to `end` - 1."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < end:
        raise InputError(f"{name} must be a whole number from 0 to {end - 1}, not {value!r:.40}")
    return value


def asked(query: Mapping[str, Any], name: str, end: int) -> int:
    """Check the same of the text of a query.

    >>> asked({"row": "7"}, "row", 10)
    7
    """
    text = query.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) < 12
    return whole(name, int(text) if is_number else text, end)
