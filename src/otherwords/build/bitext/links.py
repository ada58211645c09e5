"""Links between the words of sentence pairs, and their Pharaoh notation `i-j`."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.bitext.corpus import Bitext
from otherwords.errors import InputError, UsageError, near
from otherwords.io.files import read_lines

__all__ = ["SYMMETRISATIONS", "Links", "parse_link", "pharaoh", "read_links", "symmetrise"]

SYMMETRISATIONS = (
    "intersection",
    "union",
    "grow-diag",
    "grow-diag-final",
    "grow-diag-final-and",
)

_LINES = 10_000  # that are written at once
_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})(?::[0-9.]+)?")


class Links(NamedTuple):
    """The links of a bitext: positions in the sentence from 0, sorted, none twice."""

    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    bounds: NDArray[np.int64]

    def sentence(self, number: int) -> list[tuple[int, int]]:
        """The links of one sentence pair."""
        part = slice(self.bounds[number], self.bounds[number + 1])
        return list(zip(self.left[part].tolist(), self.right[part].tolist(), strict=True))


def pharaoh(links: Links, posteriors: NDArray[np.float32] | None = None) -> Iterator[str]:
    """One line per sentence pair: `0-0 1-2`, or `0-0:0.993 1-2:0.547` with posteriors.

    >>> list(pharaoh(Links(np.array([0, 1], np.uint32), np.array([0, 2], np.uint32),
    ...                    np.array([0, 2, 2]))))
    ['0-0 1-2', '']
    """
    for begin in range(0, len(links.bounds) - 1, _LINES):
        end = min(begin + _LINES, len(links.bounds) - 1)
        yield from _native.pharaoh(links, posteriors, begin, end).splitlines()


def symmetrise(forward: Links, backward: Links, heuristic: str = "grow-diag-final-and") -> Links:
    """Combine the links of two directions into one alignment (Koehn, Axelrod et al. 2005).

    Both have the left position first. The final steps add `forward` links before `backward` ones.

    >>> there = Links(*(np.array(x, np.uint32) for x in ([0, 1, 1], [0, 1, 2])), np.array([0, 3]))
    >>> back = Links(*(np.array(x, np.uint32) for x in ([0, 1], [0, 1])), np.array([0, 2]))
    >>> symmetrise(there, back, "intersection").sentence(0), symmetrise(there, back).sentence(0)
    ([(0, 0), (1, 1)], [(0, 0), (1, 1), (1, 2)])
    """
    if heuristic not in SYMMETRISATIONS:
        raise UsageError(f"unknown heuristic '{heuristic}'; {near(heuristic, SYMMETRISATIONS)}")
    try:
        return Links(*_native.symmetrise(forward, backward, heuristic))
    except ValueError as error:
        raise InputError(str(error)) from error


def parse_link(text: str, path: str, line: int) -> tuple[int, int]:
    """The two positions of `i-j`, or of `i-j:p` with a posterior.

    >>> parse_link("3-12", "links.txt", 1), parse_link("0-1:0.993", "links.txt", 2)
    ((3, 12), (0, 1))
    """
    found = _LINK.fullmatch(text)
    if found is None:
        message = f"'{text}' is not a link; write i-j, two positions from 0, left first"
        raise InputError(message, path=path, line=line)
    return int(found[1]), int(found[2])


def read_links(path: str, bitext: Bitext, name: str) -> Links:
    """The links that a tool wrote for the bitext of that name, one line per sentence pair."""
    lefts, rights = array("I"), array("I")
    bounds = array("q", [0])
    left, right = (np.diff(side.bounds).tolist() for side in bitext)
    sizes = zip(left, right, strict=True)
    lines = 0
    for lines, line in enumerate(read_lines(path), 1):
        if lines > bitext.size:
            message = f"there are more lines here than the {bitext.size} of {name}"
            raise InputError(message, path=path, line=lines)
        for i, j in sorted(set(_checked(line, *next(sizes), path, lines))):
            lefts.append(i)
            rights.append(j)
        bounds.append(len(lefts))
    if lines < bitext.size:
        message = f"there are {lines} lines here but {bitext.size} in {name}"
        raise InputError(message, path=path, line=lines + 1)
    return Links(
        np.array(lefts, np.uint32), np.array(rights, np.uint32), np.array(bounds, np.int64)
    )


def _checked(line: str, left: int, right: int, path: str, number: int) -> Iterator[tuple[int, int]]:
    for text in line.split():
        i, j = parse_link(text, path, number)
        if left == right == 0:
            message = "has links, but this line of the bitext is empty or cannot be used"
            raise InputError(message, path=path, line=number)
        if i >= left or j >= right:
            message = f"link {text} points past the end: {left} words left, {right} right"
            raise InputError(message, path=path, line=number)
        yield i, j
