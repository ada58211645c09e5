"""Which segments the systems of a set have, and what some of them lack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from otherwords.corpus.rows import Row

if TYPE_CHECKING:
    from otherwords.corpus.findings import Ledger

__all__ = ["UNNAMED", "Coverage", "SeenRows", "covered"]

UNNAMED = "system"  # what rows without a system get
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
        """As a JSON object."""
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


def covered(keys: Mapping[str, Sequence[str]], shown: Callable[[str, int], str]) -> Coverage | None:
    """The same from the keys of segments by system; `shown` names segment n of a system.

    >>> covered({"a": ["x", "y"], "b": ["y"]}, lambda system, place: f"{place} of {system}")
    Coverage(segments={'a': 2, 'b': 1}, common=1, lacking={'b': (1, '0 of a')})
    """
    first = next(iter(keys.values()), ())
    if all(mine == first for mine in keys.values()):
        return None
    sets = {name: set(mine) for name, mine in keys.items()}
    every = set().union(*sets.values())
    common = set.intersection(*sets.values())
    if len(common) == len(every):
        return None
    lacking = {}
    for name, known in sets.items():
        if len(known) < len(every):
            missing = next(
                (system, place)
                for system, mine in keys.items()
                for place, key in enumerate(mine)
                if key not in known
            )
            lacking[name] = len(every) - len(known), shown(*missing)
    return Coverage({name: len(mine) for name, mine in sets.items()}, len(common), lacking)


@dataclass
class SeenRows:
    """The named segments of systems in files that belong together, as `validate` reads them."""

    places: dict[str, dict[str, tuple[str, str, int]]] = field(default_factory=dict)

    def add(self, row: Row, path: str, line: int, ledger: Ledger) -> None:
        """Note a second row of a system for a segment (E214).

        Rows without a system may be several texts for one segment.
        """
        if row.item is None or row.system == UNNAMED:
            return
        mine = self.places.setdefault(row.system, {})
        here = row.item, path, line
        first = mine.setdefault(f"{row.langs or ''}\t{row.item}", here)
        if first is not here:
            where = f"line {first[2]}" + ("" if first[1] == path else f" of {first[1]}")
            message = f"{row.system!r} has a second row for the segment {row.item!r}"
            ledger.note("E214", f"{message}; the first is in {where}", line)

    def report(self, ledgers: Mapping[str, Ledger]) -> None:
        """Note that systems have different segments (W519)."""
        found = covered(
            {system: list(mine) for system, mine in self.places.items()},
            lambda system, place: repr(list(self.places[system].values())[place][0]),
        )
        if found is not None:
            lacking = self.places[next(iter(found.lacking))]
            _, path, _ = next(iter(lacking.values()))
            ledgers[path].note("W519", found.warning())
