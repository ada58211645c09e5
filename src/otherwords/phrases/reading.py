"""An aligned bitext from files: a text of two columns and its links, line by line."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator

import numpy as np

from otherwords.corpus.files import read_lines
from otherwords.errors import InputError
from otherwords.phrases.aligned import Links, Side
from otherwords.text.tokenizer import check_tokenizer, tokenize

__all__ = ["read_links", "read_sides"]

_BARS = re.compile(r"(?:^|\s+)\|\|\|(?:\s+|$)")
_LINK = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


def read_sides(path: str, tokenizer: str = "none") -> tuple[Side, Side]:
    """The two sides of a bitext, `left TAB right` or `left ||| right` on each line."""
    check_tokenizer(tokenizer)
    sides = _Words(), _Words()
    for number, line in enumerate(read_lines(path), 1):
        for side, text in zip(sides, _columns(line, path, number), strict=True):
            side.add(tokenize(text, tokenizer).tokens)
    left, right = (side.side() for side in sides)
    return left, right


def _columns(line: str, path: str, number: int) -> list[str]:
    columns = line.split("\t") if "\t" in line else _BARS.split(line)
    if len(columns) == 2:
        return columns
    if not line.strip():
        return ["", ""]
    found = (
        "no tab and no ||| between two texts" if len(columns) == 1 else f"{len(columns)} columns"
    )
    raise InputError(f"{found}; two columns are needed", path=path, line=number)


class _Words:
    """Numbers the words of a side as they come."""

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._tokens = array("I")
        self._bounds = array("q", [0])

    def add(self, words: tuple[str, ...]) -> None:
        ids = self._ids
        self._tokens.extend([ids.setdefault(word, len(ids)) for word in words])
        self._bounds.append(len(self._tokens))

    def side(self) -> Side:
        tokens, bounds = np.array(self._tokens, np.uint32), np.array(self._bounds, np.int64)
        return Side(tokens, bounds, list(self._ids))


def read_links(path: str, left: Side, right: Side, bitext: str) -> Links:
    """The links of every sentence pair, `i-j` with white space between, left position first."""
    lefts, rights = array("I"), array("I")
    bounds = array("q", [0])
    sizes = zip(np.diff(left.bounds).tolist(), np.diff(right.bounds).tolist(), strict=True)
    sentences = len(left.bounds) - 1
    lines = 0
    for lines, line in enumerate(read_lines(path), 1):
        if lines > sentences:
            message = f"there are more lines here than the {sentences} of {bitext}"
            raise InputError(message, path=path, line=lines)
        for i, j in sorted(set(_parsed(line, *next(sizes), path, lines))):
            lefts.append(i)
            rights.append(j)
        bounds.append(len(lefts))
    if lines < sentences:
        message = f"there are {lines} lines here but {sentences} in {bitext}"
        raise InputError(message, path=path, line=lines + 1)
    return Links(
        np.array(lefts, np.uint32), np.array(rights, np.uint32), np.array(bounds, np.int64)
    )


def _parsed(line: str, left: int, right: int, path: str, number: int) -> Iterator[tuple[int, int]]:
    for text in line.split():
        found = _LINK.fullmatch(text)
        if found is None:
            message = f"'{text}' is no link; i-j is needed, two positions from 0, left first"
            raise InputError(message, path=path, line=number)
        i, j = int(found[1]), int(found[2])
        if i >= left or j >= right:
            message = f"link {text} points past the end: {left} words left, {right} right"
            raise InputError(message, path=path, line=number)
        yield i, j
