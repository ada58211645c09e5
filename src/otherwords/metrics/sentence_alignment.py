"""Many-to-many alignment of the sentences of two texts.

Sentences are compared by their vectors, and by values such as numbers and names that both have.
Dynamic programming finds the pairs that follow the order of both texts; like in Vecalign (Thompson
& Koehn 2019), texts with many sentences are first aligned at half the resolution. Sentences that
are left over on both sides, such as moved ones, are then paired out of order. What is still left
over joins a neighbour's group if that makes the group more similar: so sentences that were split or
merged come together.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import pairwise
from typing import NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from otherwords.stats.arrays import Array
from otherwords.text.values import read_values

# Chosen for F1 on texts of the kind that `python -m bench.texts alignment` makes.
LEAST = 0.4  # similarity of sentences that are paired in order
MOVED = 0.55  # out of order
ANCHOR = 0.2  # what equal values add to a similarity
BALANCE = 0.2  # what a length that differs by the factor e takes off a group's fit
LARGEST = 3  # sentences of a text in one group
_COLUMNS = 64  # values are hashed into so many
_CELLS = 1 << 16  # below this, every pair of sentences is searched
_REACH = 16  # sentences searched around a path found at half the resolution
_AT_ONCE = 1024  # left-over sentences that are compared with as many others

Range = tuple[int, int]


class Group(NamedTuple):
    """Ranges of the sentences of two texts that belong together; one may be empty."""

    left: Range
    right: Range


class Points(NamedTuple):
    """Sentences as the aligner compares them: vectors by length, and hashed values."""

    vectors: Array
    values: Array
    sizes: Array  # in characters

    @classmethod
    def of(cls, sentences: Sequence[str], vectors: Array) -> Points:
        """The points of sentences with these vectors."""
        hashed = np.zeros((len(sentences), _COLUMNS))
        for row, sentence in zip(hashed, sentences, strict=True):
            for value in read_values(sentence):
                row[crc32(f"{value.kind} {value.normal}".encode()) % _COLUMNS] = 1
        sizes = np.array([len(sentence) for sentence in sentences], np.float64)
        return cls(vectors * sizes[:, None], hashed, sizes)

    def halve(self) -> Points:
        """Two sentences in one."""
        return Points(*(np.add.reduceat(part, range(0, len(part), 2)) for part in self))

    @property
    def rows(self) -> Array:
        """Rows whose products are similarities."""
        parts = []
        for part, weight in ((self.vectors, 1.0), (self.values, ANCHOR)):
            norms = np.sqrt((part * part).sum(axis=1, keepdims=True))
            parts.append(part * (weight**0.5 / np.maximum(norms, 1e-12)))
        return np.concatenate(parts, axis=1)

    def merge(self, places: Range) -> Points:
        """Several sentences in one."""
        return Points(*(part[slice(*places)].sum(axis=0, keepdims=True) for part in self))


def align_sentences(left: Points, right: Points) -> list[Group]:
    """The groups of sentences that belong together, in the order of the left text.

    Every sentence is in one group.
    """
    sizes = len(left.vectors), len(right.vectors)
    rows = left.rows, right.rows
    pairs = dict(find_path(left, right))
    rest = _rest(sizes, [pairs, set(pairs.values())])
    pairs |= _pair_moved(rows[0][rest[0]], rows[1][rest[1]], rest)
    groups = [Group((i, i + 1), (j, j + 1)) for i, j in sorted(pairs.items())]
    groups = _join_rest((left, right), groups, _rest(sizes, [pairs, set(pairs.values())]))
    groups += _fill_gaps(groups, sizes)
    rest = _rest(sizes, [{i for group in groups for i in range(*group[side])} for side in (0, 1)])
    groups += [Group((i, i + 1), (0, 0)) for i in rest[0]]
    groups.sort()
    return groups + [Group((sizes[0], sizes[0]), (j, j + 1)) for j in rest[1]]


def _rest(sizes: Sequence[int], taken: Sequence[Container[int]]) -> list[list[int]]:
    """The sentences of both texts that are in no group."""
    return [
        [place for place in range(size) if place not in known]
        for size, known in zip(sizes, taken, strict=True)
    ]


def find_path(left: Points, right: Points) -> list[tuple[int, int]]:
    """The pairs in the order of both texts whose similarities above `LEAST` sum to most."""
    sizes = len(left.vectors), len(right.vectors)
    if sizes[0] * sizes[1] <= _CELLS or min(sizes) < 4 * _REACH:
        return _search(left.rows, right.rows, [(0, sizes[1])] * sizes[0])
    band = [(sizes[1], 0)] * sizes[0]
    inner = ((2 * i, 2 * j) for i, j in find_path(left.halve(), right.halve()))
    for (begin, low), (end, high) in pairwise([(0, 0), *inner, sizes]):
        near = max(low - _REACH, 0), min(high + _REACH, sizes[1])
        for row in range(max(begin - _REACH, 0), min(end + _REACH, sizes[0])):
            band[row] = min(band[row][0], near[0]), max(band[row][1], near[1])
    return _search(left.rows, right.rows, band)


def _search(left: Array, right: Array, band: Sequence[Range]) -> list[tuple[int, int]]:
    """The best path through a band: columns low to high of each row, neither of which falls."""
    best = np.zeros(len(right) + 1)  # the sum of the best path to each column, up to this row
    steps: list[NDArray[np.int8]] = []  # 1 for a pair, -1 to the column before, 0 to the row before
    for row, (low, high) in zip(left, band, strict=True):
        above = np.maximum.accumulate(best[low : high + 1])
        paired = above[:-1] + (right[low:high] @ row - LEAST)
        most = np.maximum(paired, above[1:])
        best[low] = above[0]
        best[low + 1 : high + 1] = np.maximum.accumulate(np.maximum(most, above[0]))
        is_left = best[low + 1 : high + 1] > most
        steps.append(np.where(is_left, -1, paired > above[1:]).astype(np.int8))
    pairs = []
    place, column = len(band) - 1, len(right)
    while place >= 0 and column > 0:
        low, high = band[place]
        column = min(column, high)
        step = steps[place][column - low - 1] if column > low else 0
        if step > 0:
            pairs.append((place, column - 1))
        place -= step >= 0
        column -= step != 0
    return pairs[::-1]


def _pair_moved(left: Array, right: Array, places: Sequence[Sequence[int]]) -> dict[int, int]:
    """Pairs of left-over sentences of which each is the other's best partner."""
    mine, theirs = _partners(left, right), _partners(right, left)
    return {
        places[0][row]: places[1][partner]
        for row, partner in enumerate(mine)
        if partner >= 0 and theirs[partner] == row
    }


def _partners(rows: Array, others: Array) -> list[int]:
    """The most similar of the others for each row, -1 if none is similar enough.

    Of many others only those at about the same place are compared.
    """
    if not len(others):
        return [-1] * len(rows)
    partners: list[int] = []
    for start in range(0, len(rows), _AT_ONCE):
        middle = start * len(others) // len(rows)
        begin = max(0, min(middle - _AT_ONCE // 2, len(others) - 2 * _AT_ONCE))
        near = rows[start : start + _AT_ONCE] @ others[begin : begin + 2 * _AT_ONCE].T
        best = near.argmax(axis=1)
        partners += np.where(near.max(axis=1) >= MOVED, begin + best, -1).tolist()
    return partners


def _join_rest(
    points: tuple[Points, Points], groups: Sequence[Group], rest: Sequence[Sequence[int]]
) -> list[Group]:
    """The groups with left-over sentences beside them that fit in."""
    kept = set(groups)
    for side in (0, 1):
        ends = {place: group for group in kept for place in (group[side][0], group[side][1] - 1)}
        for place in rest[side]:
            wider: list[tuple[float, Group, Group]] = []
            for group in {ends[near] for near in (place - 1, place + 1) if near in ends}:
                begin, end = group[side]
                if end - begin < LARGEST:
                    joined = min(begin, place), max(end, place + 1)
                    new = Group(*((joined, group[1]) if side == 0 else (group[0], joined)))
                    wider.append((_fit(points, new) - _fit(points, group), new, group))
            if wider and max(wider)[0] > 0:
                _, new, group = max(wider)
                kept.remove(group)
                kept.add(new)
                ends[new[side][0]] = ends[new[side][1] - 1] = new
    return sorted(kept)


def _fit(points: tuple[Points, Points], group: Group) -> float:
    """How well both sides of a group go together: in vectors and values, and in length."""
    left, right = (side.merge(places) for side, places in zip(points, group, strict=True))
    ratio = np.log(max(left.sizes[0], 1.0) / max(right.sizes[0], 1.0))
    return float(left.rows[0] @ right.rows[0] - BALANCE * abs(ratio))


def _fill_gaps(groups: Sequence[Group], sizes: tuple[int, int]) -> list[Group]:
    """Groups of the sentences between the same two neighbours in both texts."""
    gaps: list[dict[tuple[Group, Group], Range]] = []
    edges = Group((0, 0), (0, 0)), Group((sizes[0],) * 2, (sizes[1],) * 2)
    for side in (0, 1):
        ordered = sorted([*edges, *groups], key=lambda group: group[side])
        gaps.append({(a, b): (a[side][1], b[side][0]) for a, b in pairwise(ordered)})
    between = [(gaps[0][both], gaps[1][both]) for both in gaps[0].keys() & gaps[1].keys()]
    return [Group(*both) for both in between if all(0 < b - a <= LARGEST for a, b in both)]
