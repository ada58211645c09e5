"""A table as every output has it: a name, a caption, a head and rows of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Table", "decimals", "p_shown"]


@dataclass(frozen=True)
class Table:
    """A table with a caption that says what it is and a note that says how to read it.

    `name` is that of its file, if it gets one. The first `left` columns are words, the others
    numbers; the first one names its row.
    """

    name: str
    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    note: str = ""
    left: int = 1


def decimals(value: float, high: float) -> str:
    """A score with two decimals on a scale of 100, four on a scale of 1 or 5.

    >>> decimals(0.5, 1), decimals(31.256, 100)
    ('0.5000', '31.26')
    """
    return f"{value:z.4f}" if high <= 5 else f"{value:z.2f}"


def p_shown(p: float | None) -> str:
    """A p-value with three decimals, and a star below 0.05.

    >>> p_shown(0.0312), p_shown(0.0001), p_shown(None)
    ('0.031*', '<0.001*', 'n/a')
    """
    if p is None:
        return "n/a"
    return ("<0.001" if p < 0.0005 else f"{p:.3f}") + ("*" if p < 0.05 else "")
