"""Tables that every output format can show: typed columns, rows of values, a caption, notes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

LEVEL = 0.05  # a p-value below this is marked as significant


@dataclass(frozen=True)
class Number:
    """A number with its uncertainty: an interval, a test against a baseline. A missing `value` is
    `None`, with a `reason`. `size` is the number of points. `difference` is the tested difference,
    `p` its p-value, `adjusted` that p-value corrected for many tests. `confidence`, `resamples`,
    `test` and `trials` describe how they were computed. With `is_floor` there were too few trials,
    and `p` is only an upper bound. A number without `counts` is never marked as best.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    difference: float | None = None
    p: float | None = None
    reason: str = ""
    adjusted: float | None = None
    correction: str = "Holm"
    confidence: float | None = None
    resamples: int | None = None
    test: str | None = None
    trials: int | None = None
    size: int | None = None
    is_floor: bool = False
    counts: bool = True

    @property
    def corrected(self) -> float | None:
        return self.p if self.adjusted is None else self.adjusted

    @property
    def is_significant(self) -> bool:
        """Whether the corrected p-value is below `LEVEL`."""
        return self.corrected is not None and self.corrected < LEVEL


# Lists and mappings are for programs: TSV and CSV write them as JSON in a cell.
Cell = str | int | float | bool | Number | list[Any] | dict[str, Any] | None


@dataclass(frozen=True)
class Column:
    """A column: its name for programs, its head for readers, how its numbers are shown.

    `decimals` and `scale` (100 for percentages) are for readers; programs get the original value.
    `best` says whether the largest or the smallest number is the best. A `hidden` column (a
    signature) is only for programs; a `minor` one is left out where a terminal is too narrow.
    `interval` shows intervals as ± half the width or [low, high].
    """

    name: str
    head: str | None = None
    decimals: int | None = None
    scale: float = 1.0
    signed: bool = False
    best: Literal["highest", "lowest"] | None = None
    left: bool = False
    hidden: bool = False
    minor: bool = False
    interval: Literal["half", "range"] = "half"

    @property
    def title(self) -> str:
        return self.name if self.head is None else self.head


@dataclass(frozen=True)
class Table:
    """Rows under typed columns, with a caption. `notes` explain how to read the table. `rows` may
    be a generator, which the formats for programs read once, row by row. `baseline` names the
    system or metric that the others are tested against.

    >>> table = Table("scores", [Column("system", left=True), Column("bleu", decimals=1)],
    ...               [["a", 31.25], ["b", Number(29.0, 28.0, 30.0)]])
    >>> [shown(cell, column) for cell, column in zip(table.rows[1], table.columns)]
    ['b', '29.0 ± 1.0']
    """

    name: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]
    caption: str = ""
    notes: Sequence[str] = ()
    baseline: str | None = None


@dataclass(frozen=True)
class Lines:
    """Text between tables: an explanation, an example; a caption alone is a verdict. Formats for
    programs leave it out. `html` is the same, drawn for a page.
    """

    name: str
    lines: Iterable[str]
    caption: str = ""
    html: str | None = None


Block = Table | Lines


def shown(cell: Cell, column: Column) -> str:
    """A cell as readers see it.

    >>> shown(Number(0.5, 0.4, 0.6, 0.1, 0.012), Column("maxsim", decimals=2))
    '0.50 ± 0.10 (p = 0.012)*'
    >>> shown(None, Column("x")), shown(0.125, Column("x", decimals=1, scale=100, signed=True))
    ('n/a', '+12.5')
    """
    if cell is None:
        return "n/a"
    if isinstance(cell, Number):
        return _number(cell, column)
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float) or (isinstance(cell, int) and column.decimals is not None):
        return _digits(float(cell), column)
    if isinstance(cell, (list, dict)):
        return json.dumps(cell, ensure_ascii=False)
    return f"{cell:,}" if isinstance(cell, int) else cell


def _number(cell: Number, column: Column) -> str:
    if cell.value is None:
        return f"n/a ({cell.reason})" if cell.reason else "n/a"
    text = _digits(cell.value, column)
    if cell.low is not None and cell.high is not None:
        if column.interval == "half":
            text += f" ± {_digits((cell.high - cell.low) / 2, column, signed=False)}"
        else:
            text += f" [{_digits(cell.low, column)}, {_digits(cell.high, column)}]"
    if cell.corrected is not None:
        p = shown_p(cell.corrected, is_floor=cell.is_floor)
        text += f" (p {p}){'*' if cell.is_significant else ' '}"
    return text


def _digits(value: float, column: Column, signed: bool | None = None) -> str:
    sign = "+" if (column.signed if signed is None else signed) else ""
    if column.decimals is None:
        return format(value * column.scale, f"{sign}.6g")
    return format(value * column.scale, f"{sign}z.{column.decimals}f")


def shown_p(p: float, *, is_floor: bool = False) -> str:
    """A p-value with `=` or `<`, never shown as zero.

    With `is_floor`, too few trials were allowed, and the value is only an upper bound.

    A p-value below `LEVEL` is not rounded up to it.

    >>> shown_p(0.0312), shown_p(0.0001), shown_p(0.1708, is_floor=True), shown_p(0.0496)
    ('= 0.031', '< 0.001', '< 0.171', '= 0.0496')
    """
    if p < 0.0005:
        return "< 0.001"
    if is_floor and p >= LEVEL:
        return f"< {math.ceil(p * 1000) / 1000:.3f}"
    if p < LEVEL <= round(p, 3):
        return f"= {math.floor(p * 10_000) / 10_000:.4f}"
    return f"= {p:.3f}"


def join_words(words: Sequence[str], most: int | None = None) -> str:
    """Words with commas, and `and` before the last one; the rest of more than `most` is counted.

    >>> join_words(["bleu", "chrf", "ter"]), join_words(["a", "b", "c", "d"], most=2)
    ('bleu, chrf and ter', 'a and 3 others')
    """
    if most is not None and len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} others"]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def decimals_of(high: float) -> int:
    """Two decimals for scores on a scale of 100, four on a scale of 1 or 5.

    >>> decimals_of(1), decimals_of(100)
    (4, 2)
    """
    return 4 if high <= 5 else 2


def interval_decimals(
    estimates: Iterable[tuple[float | None, float | None, float | None]],
) -> int | None:
    """Decimals that show two digits of the median half interval; None without intervals.

    >>> interval_decimals([(0.0, -2.285, 2.285)]), interval_decimals([(5.0, None, None)])
    (1, None)
    """
    halves = (
        (high - low) / 2 for _, low, high in estimates if low is not None and high is not None
    )
    known = sorted(half for half in halves if half > 0)
    if not known:
        return None
    return min(max(0, 1 - math.floor(math.log10(known[len(known) // 2]))), 6)


def best_rows(rows: Sequence[Sequence[Cell]], column: int, how: str) -> set[int]:
    """The rows with the best number of a column, ties included."""
    values = {
        place: value
        for place, row in enumerate(rows)
        if (value := _comparable(row[column])) is not None
    }
    if len(values) < 2:
        return set()
    best = max(values.values()) if how == "highest" else min(values.values())
    return {place for place, value in values.items() if value == best}


def _comparable(cell: Cell) -> float | None:
    """The number in a cell, if it may be marked as best."""
    if isinstance(cell, Number):
        return cell.value if cell.counts else None
    return float(cell) if isinstance(cell, (int, float)) and not isinstance(cell, bool) else None


def flat(table: Table) -> tuple[list[str], list[tuple[int, str]]]:
    """Names of the columns for programs, each with its source: a column and a part of its numbers.

    An interval adds two columns, a test two or three.
    """
    names: list[str] = []
    parts: list[tuple[int, str]] = []
    rows = table.rows if isinstance(table.rows, Sequence) else ()
    for place, column in enumerate(table.columns):
        numbers = [row[place] for row in rows if isinstance(row[place], Number)]
        names.append(column.name)
        parts.append((place, "value"))
        for part in ("low", "high", "difference", "p", "adjusted"):
            if any(getattr(cell, part) is not None for cell in numbers):
                names.append(f"{column.name}_{part}" if len(table.columns) > 1 else part)
                parts.append((place, part))
    return names, parts


def exact(cell: Cell, part: str) -> Any:
    """A part of a cell for programs, in full precision."""
    if isinstance(cell, Number):
        return getattr(cell, part)
    return cell if part == "value" else None
