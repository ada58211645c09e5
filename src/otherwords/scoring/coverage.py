"""The segments of systems: scores are comparable only on the same segments."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from otherwords.corpus.rows import UNNAMED, Coverage, Row, find_coverage
from otherwords.errors import InputError, UsageError
from otherwords.metrics.base import Array
from otherwords.scoring.stream import SystemScores

__all__ = [
    "Aligned",
    "align",
    "check_once",
    "check_rows_once",
    "checked_ahead",
    "common_segments",
    "coverage",
    "rows_by_system",
]

AHEAD = 50_000  # rows that are read before the first is scored
_Place = tuple[str | None, int | None]  # a file and a line of it


def coverage(systems: Sequence[SystemScores]) -> Coverage | None:
    """What systems have; `None` if all have the same segments."""
    by_name = {one.system: one for one in systems}

    def shown(system: str, place: int) -> str:
        one = by_name[system]
        item = one.items[place]
        is_named = one.keys[place] == item or one.keys[place].endswith(f"\t{item}")
        return repr(item) if is_named else f"segment {item} of {system}"

    return find_coverage({one.system: one.keys for one in systems}, shown)


def common_segments(systems: Sequence[SystemScores]) -> list[SystemScores]:
    """The systems restricted to the segments that all have."""
    common = set.intersection(*(set(one.keys) for one in systems))
    if not common:
        raise UsageError("the systems have no segment in common")
    return [_among(one, [n for n, key in enumerate(one.keys) if key in common]) for one in systems]


def _among(one: SystemScores, rows: Sequence[int]) -> SystemScores:
    if len(rows) == len(one.keys):
        return one
    return replace(
        one,
        statistics={label: values[rows] for label, values in one.statistics.items()},
        items=[one.items[row] for row in rows],
        keys=[one.keys[row] for row in rows],
        docs=None if one.docs is None else [one.docs[row] for row in rows],
        human={name: values[rows] for name, values in one.human.items()},
        seen={label: marks[rows] for label, marks in one.seen.items()},
        rows=[one.rows[row] for row in rows] if one.rows else (),
    )


def check_once(systems: Sequence[SystemScores]) -> None:
    """Refuse two rows of one named system for one segment: one of them would count twice.

    Rows without a system may be several texts for one item.
    """
    for one in systems:
        if one.system == UNNAMED or len(set(one.keys)) == len(one.keys):
            continue
        paths, lines = one.paths or [None] * len(one.keys), one.lines or [0] * len(one.keys)
        seen: dict[str, int] = {}
        for place, key in enumerate(one.keys):
            first = seen.setdefault(key, place)
            if first != place:
                there = [(paths[n], lines[n] or None) for n in (first, place)]
                raise _twice(one.system, one.items[place], *there)


def check_rows_once(rows: Iterable[Row]) -> None:
    """The same for rows; those without a name for their segment are distinguished by content."""
    seen: dict[tuple[str, str | None, str], Row] = {}
    for row in rows:
        if row.item is None or row.system == UNNAMED:
            continue
        first = seen.get((row.system, row.langs, row.item))
        seen[row.system, row.langs, row.item] = row
        if first is not None:
            raise _twice(row.system, row.item, (first.path, first.line), (row.path, row.line))


def rows_by_system(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of each system; duplicate rows are refused."""
    every = list(rows)
    check_rows_once(every)
    found: dict[str, list[Row]] = {}
    for row in every:
        found.setdefault(row.system, []).append(row)
    return found


def checked_ahead(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, of which the first 50,000 are read at once: a row twice among them is refused
    before anything is scored. Later ones are found when all is read (`check_once`).
    """
    iterator = iter(rows)
    ahead = deque(islice(iterator, AHEAD))
    check_rows_once(ahead)
    while ahead:
        yield ahead.popleft()
    yield from iterator


def _twice(system: str, item: str, first: _Place, second: _Place) -> InputError:
    where = f"line {first[1]}" + ("" if first[0] == second[0] else f" of {first[0]}")
    before = f"; the first is in {where}" if first[1] else ""
    message = f"{system} has a second row for the segment '{item}'{before}"
    return InputError(message, path=second[0], line=second[1])


@dataclass(frozen=True)
class Aligned:
    """Where the segments of each system are among those of all."""

    places: Mapping[str, NDArray[np.intp]]
    size: int
    docs: Sequence[str] | None

    def rows(self, system: str, statistics: Array) -> Array:
        """Statistics of all segments, NaN where the system lacks one."""
        found = np.full((self.size, statistics.shape[1]), np.nan)
        found[self.places[system]] = statistics
        return found


def align(systems: Sequence[SystemScores]) -> Aligned:
    """The segments of all systems, those of the first one first."""
    number: dict[str, int] = {}
    docs: dict[int, str] = {}
    places = {}
    for one in systems:
        mine = [number.setdefault(key, len(number)) for key in one.keys]
        if len(set(mine)) != len(mine):
            raise UsageError(f"{one.system} has several rows for one segment; tests need one each")
        places[one.system] = np.array(mine, dtype=np.intp)
        docs |= zip(mine, one.docs or (), strict=False)
    known = [docs[place] for place in range(len(number)) if place in docs]
    return Aligned(places, len(number), known if len(known) == len(number) else None)
