"""Which segments systems have: a comparison of scores is fair on the same ones alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords.errors import InputError, UsageError
from otherwords.metrics.base import Array
from otherwords.scoring.stream import SystemScores

__all__ = ["Aligned", "Coverage", "align", "check_once", "common_segments", "coverage"]

_UNNAMED = "system"  # what rows without a system get
_LISTED = 8  # systems that a warning names


@dataclass(frozen=True)
class Coverage:
    """How many segments each system has, and how many all have.

    `lacking` has the systems that lack some of the segments of the others: how many, and the first
    one of these.
    """

    segments: Mapping[str, int]
    common: int
    lacking: Mapping[str, tuple[int, str]]

    def warning(self, unit: str = "systems") -> str:
        """What a reader of the scores must know.

        >>> Coverage({"a": 3, "b": 2}, 2, {"b": (1, "'7'")}).warning()
        "systems have different segments (a 3, b 2; 2 in common): b lacks 1, the first is '7'"
        """
        counts = ", ".join(f"{name} {count:,}" for name, count in _some(self.segments))
        lacks = "; ".join(
            f"{name} lacks {count:,}, the first is {first}"
            for name, (count, first) in _some(self.lacking)
        )
        return f"{unit} have different segments ({counts}; {self.common:,} in common): {lacks}"

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        lacking = [
            {"system": name, "missing": count, "first": first}
            for name, (count, first) in self.lacking.items()
        ]
        return {"segments": dict(self.segments), "common": self.common, "lacking": lacking}


def _some(found: Mapping[str, Any]) -> list[tuple[str, Any]]:
    shown = list(found.items())[:_LISTED]
    more = len(found) - len(shown)
    if not more:
        return shown
    return [*shown[:-1], (f"{more} more, {shown[-1][0]}", shown[-1][1])]


def coverage(systems: Sequence[SystemScores]) -> Coverage | None:
    """What systems have; `None` if all have the same segments."""
    if all(one.keys == systems[0].keys for one in systems):
        return None
    sets = {one.system: set(one.keys) for one in systems}
    every = set().union(*sets.values())
    common = set.intersection(*sets.values())
    if len(common) == len(every):
        return None
    lacking = {
        name: (len(every) - len(mine), _first(systems, mine))
        for name, mine in sets.items()
        if len(mine) < len(every)
    }
    return Coverage({name: len(mine) for name, mine in sets.items()}, len(common), lacking)


def _first(systems: Sequence[SystemScores], known: set[str]) -> str:
    """The first segment, in the order of the rows, that is not known."""
    one, place = next(
        (one, place) for one in systems for place, key in enumerate(one.keys) if key not in known
    )
    item = one.items[place]
    is_named = one.keys[place] == item or one.keys[place].endswith(f"\t{item}")
    return repr(item) if is_named else f"segment {item} of {one.system}"


def common_segments(systems: Sequence[SystemScores]) -> list[SystemScores]:
    """The systems with the segments alone that all have."""
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
    )


def check_once(systems: Sequence[SystemScores]) -> None:
    """Refuse two rows of one named system for one segment: one of them would count twice.

    Rows without a system may be several texts for one item.
    """
    for one in systems:
        if one.system == _UNNAMED or len(set(one.keys)) == len(one.keys):
            continue
        seen: dict[str, int] = {}
        for place, key in enumerate(one.keys):
            first = seen.setdefault(key, place)
            if first == place:
                continue
            paths = one.paths or [None] * len(one.keys)
            lines = one.lines or [0] * len(one.keys)
            same = paths[first] == paths[place]
            where = f"line {lines[first]}" + ("" if same else f" of {paths[first]}")
            before = f"; the first is in {where}" if lines[first] else ""
            raise InputError(
                f"{one.system} has a second row for the segment '{one.items[place]}'{before}",
                path=paths[place],
                line=lines[place] or None,
            )


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
