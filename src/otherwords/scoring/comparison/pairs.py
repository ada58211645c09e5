"""The rows of two systems, brought together by segment."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from otherwords.corpus.rows import Row
from otherwords.errors import UsageError, near
from otherwords.metrics.base import Array, Metric
from otherwords.scoring.coverage import rows_by_system
from otherwords.scoring.stream import segment_keys
from otherwords.text.sentence import Text

__all__ = ["TwoSystems", "pair_systems", "pair_with_baseline"]


@dataclass(frozen=True)
class TwoSystems:
    """Two systems on the segments that both have: `left[i]` and `right[i]` are of the same one.

    `left_out` counts the segments that only one of them has.
    """

    names: tuple[str, str]
    left: Sequence[Row]
    right: Sequence[Row]
    left_out: int = 0

    def __len__(self) -> int:
        return len(self.left)

    @property
    def rows(self) -> list[Row]:
        """The rows of the first system, then those of the second."""
        return [*self.left, *self.right]

    @property
    def docs(self) -> list[str] | None:
        """The documents of the segments, if all are known."""
        docs = [row.doc for row in self.left if row.doc is not None]
        return docs if len(docs) == len(self) else None

    def targets(self) -> list[tuple[Text, ...]]:
        """What the hypotheses of each segment are compared with: references, else the source."""
        return [targets_of(row) for row in self.left]

    def item(self, place: int) -> str:
        """The name of a segment, else its number from 1."""
        return self.left[place].item or str(place + 1)


def targets_of(row: Row) -> tuple[Text, ...]:
    """The references of a row, else its source.

    >>> targets_of(Row("a cat", source="the cat"))
    ('the cat',)
    """
    if row.references:
        return row.references
    return () if row.source is None else (row.source,)


def pair_systems(rows: Iterable[Row], names: Sequence[str] = ()) -> TwoSystems:
    """The two systems of these names, or the only two that there are, segment by segment.

    >>> rows = [Row("a", system="one", item="1"), Row("b", system="two", item="1")]
    >>> pair_systems(rows).names
    ('one', 'two')
    """
    by_system = rows_by_system(rows)
    return _paired(by_system, *_chosen(list(by_system), names))


def pair_with_baseline(
    rows: Iterable[Row], names: Sequence[str] = (), baseline: str | None = None
) -> list[TwoSystems]:
    """Each of these systems, or of all, with the baseline: the first one, unless it is named.

    Two systems without a named baseline are one pair, in their order.

    >>> rows = [Row("a", system=name, item="1") for name in ("one", "two", "three")]
    >>> [pair.names for pair in pair_with_baseline(rows)]
    [('two', 'one'), ('three', 'one')]
    """
    by_system = rows_by_system(rows)
    chosen = list(dict.fromkeys(names or by_system))
    if baseline is not None and baseline not in chosen:
        chosen.append(baseline)
    if len(chosen) < 3 and baseline is None:
        return [_paired(by_system, *_chosen(list(by_system), names))]
    for name in chosen:
        _check_name(name, by_system)
    first = chosen[0] if baseline is None else baseline
    others = [name for name in chosen if name != first]
    if not others:
        raise UsageError(f"{first} is the only system; there is nothing to compare it with")
    return [_paired(by_system, other, first) for other in others]


def _paired(by_system: Mapping[str, Sequence[Row]], first: str, second: str) -> TwoSystems:
    left, right = (_by_segment(name, by_system[name]) for name in (first, second))
    shared = [key for key in left if key in right]
    if not shared:
        raise UsageError(f"{first} and {second} share no segment to compare")
    return TwoSystems(
        (first, second),
        [left[key] for key in shared],
        [right[key] for key in shared],
        len(left) + len(right) - 2 * len(shared),
    )


def _chosen(systems: Sequence[str], names: Sequence[str]) -> tuple[str, str]:
    if not systems:
        raise UsageError("there is nothing to compare: the files have no segments")
    if names:
        for name in names:
            _check_name(name, systems)
        if len(set(names)) != 2:
            raise UsageError(f"two systems are compared, not {len(set(names))}")
        return names[0], names[1]
    if len(systems) != 2:
        found = ", ".join(systems[:20])
        raise UsageError(f"two systems are compared, and there are {len(systems)}: {found}")
    return systems[0], systems[1]


def _check_name(name: str, systems: Collection[str]) -> None:
    if name not in systems:
        raise UsageError(f"there is no system '{name}'; {near(name, systems)}")


def _by_segment(system: str, rows: Sequence[Row]) -> dict[str, Row]:
    found: dict[str, Row] = {}
    for key, row in zip(segment_keys(rows), rows, strict=True):
        if key in found:
            message = f"{system} has several rows for the segment {row.item}; one each is compared"
            raise UsageError(message)
        found[key] = row
    return found


def upward(metric: Metric, scores: Array) -> Array:
    """Scores reversed where lower is better, so that more is better."""
    return scores if metric.traits.higher_is_better else -scores
