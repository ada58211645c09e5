"""Rows, the unit of evaluation: a hypothesis with its references, source and human scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from otherwords.text.sentence import Text

UNNAMED = "system"  # for rows without a system name
_LISTED = 8  # systems that a warning names


@dataclass(frozen=True, slots=True)
class Judgement:
    """The scores of a row by one judge, by criterion, with the judge's name if it is known."""

    scores: Mapping[str, float]
    judge: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One hypothesis of one system.

    `item` names the segment (the same for all systems), `doc` the document that bootstrap
    resampling keeps together, `human` the human scores by name, `judges` the scores of each judge.
    `systems` are all systems that produced this text, if known. `id` names the row itself, `langs`
    the languages (`cs-en`). `path` and `line` are the place of the hypothesis in the input.
    `others` are further keys of the record, for readers who keep them.
    """

    hypothesis: Text
    references: tuple[Text, ...] = ()
    source: Text | None = None
    system: str = "system"
    item: str | None = None
    doc: str | None = None
    human: Mapping[str, float] = field(default_factory=dict)
    judges: tuple[Judgement, ...] = field(default=(), kw_only=True)
    systems: tuple[str, ...] = field(default=(), kw_only=True)
    id: str | None = field(default=None, kw_only=True)
    langs: str | None = field(default=None, kw_only=True)
    path: str | None = field(default=None, compare=False)
    line: int | None = field(default=None, compare=False)
    others: Mapping[str, Any] | None = field(default=None, compare=False)

    @property
    def content(self) -> int:
        """A hash of the references, in any order, and the source: two rows are of one segment only
        if it is the same. It differs between processes.

        >>> Row("a", ("x", "y")).content == Row("b", ("y", "x")).content
        True
        """
        texts = [text if isinstance(text, str) else text.text for text in self.references]
        source = self.source if isinstance(self.source, str | None) else self.source.text
        return hash((*sorted(texts), None, source))


@dataclass(frozen=True, slots=True)
class Candidates:
    """The hypotheses for one source, in the order of the input; `item` names the source."""

    source: Text
    rows: tuple[Row, ...]
    item: str | None = None


@dataclass(frozen=True, slots=True)
class Pair:
    """Two texts for the same segment, one of which a judge prefers."""

    better: Row
    worse: Row
    judge: str | None = None


@dataclass(frozen=True)
class Coverage:
    """The number of segments of each system, and the number that all have in common.

    `lacking` maps a system that lacks segments of the others to their number and the first of them.
    """

    segments: Mapping[str, int]
    common: int
    lacking: Mapping[str, tuple[int, str]]

    def warning(self, unit: str = "systems") -> str:
        """The warning for readers of the scores.

        >>> Coverage({"a": 3, "b": 2}, 2, {"b": (1, "'7'")}).warning()
        "systems have different segments (a 3, b 2; 2 in common): b lacks 1, the first is '7'"
        """
        counts = ", ".join(f"{name} {count:,}" for name, count in _first_few(self.segments))
        lacks = "; ".join(
            f"{name} lacks {count:,}, the first is {first}"
            for name, (count, first) in _first_few(self.lacking)
        )
        return f"{unit} have different segments ({counts}; {self.common:,} in common): {lacks}"

    def to_dict(self) -> dict[str, Any]:
        lacking = [
            {"system": name, "missing": count, "first": first}
            for name, (count, first) in self.lacking.items()
        ]
        return {"segments": dict(self.segments), "common": self.common, "lacking": lacking}


def _first_few(counts: Mapping[str, Any]) -> list[tuple[str, Any]]:
    shown = list(counts.items())[:_LISTED]
    more = len(counts) - len(shown)
    if not more:
        return shown
    return [*shown[:-1], (f"{more} more, {shown[-1][0]}", shown[-1][1])]


def find_coverage(
    keys: Mapping[str, Sequence[str]], shown: Callable[[str, int], str]
) -> Coverage | None:
    """Coverage from the segment keys of each system; `shown` names segment n of a system.

    >>> find_coverage({"a": ["x", "y"], "b": ["y"]}, lambda system, place: f"{place} of {system}")
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
