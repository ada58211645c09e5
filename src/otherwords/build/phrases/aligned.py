"""A word-aligned bitext as arrays, and the phrase pairs of one sentence pair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.bitext.corpus import Side
from otherwords.build.bitext.links import Links
from otherwords.errors import InputError
from otherwords.io.arguments import check_whole
from otherwords.models.strings import Strings

__all__ = ["LONGEST", "aligned_text", "phrase_spans"]

LONGEST = 7  # words of a phrase; its links are the bits of a 64-bit number
_LONGEST_SENTENCE = 10_000_000


def aligned_text(
    left: Side, right: Side, links: Links, words: Sequence[Strings] | None = None
) -> _native.AlignedText:
    """The bitext for the native kernels, refused if an id, a bound or a link points outside.

    `words` are those of both sides if they are packed already.
    """
    try:
        packed = [Strings.of(side.words) for side in (left, right)] if words is None else words
        arrays: list[NDArray[Any]] = []
        for (tokens, bounds, _), strings in zip((left, right), packed, strict=True):
            arrays += [np.asarray(tokens, np.uint32), np.asarray(bounds, np.int64), *strings]
        arrays += [np.asarray(links[0], np.uint32), np.asarray(links[1], np.uint32)]
        arrays += [np.asarray(links[2], np.int64)]
        return _native.AlignedText(*map(np.ascontiguousarray, arrays))
    except (ValueError, OverflowError) as error:
        raise InputError(f"this is not an aligned bitext: {error}") from error


def phrase_spans(
    links: Iterable[tuple[int, int]],
    left_length: int,
    right_length: int,
    max_length: int | None = None,
    *,
    minimal: bool = False,
) -> NDArray[np.int32]:
    """The boxes (i1, i2, j1, j2), ends included, of the phrase pairs of one sentence pair.

    A box has a link inside, and no link of its words leaves it (Och & Ney 2004). The
    minimal ones hold no smaller one: the basic phrase pairs that all others are built of.

    >>> phrase_spans([(0, 0), (1, 2)], 2, 3).tolist()
    [[0, 0, 0, 0], [0, 0, 0, 1], [0, 1, 0, 2], [1, 1, 2, 2], [1, 1, 1, 2]]
    >>> phrase_spans([(0, 0), (1, 2)], 2, 3, minimal=True).tolist()
    [[0, 0, 0, 0], [1, 1, 2, 2]]
    """
    left = check_whole("left_length", left_length, 0, _LONGEST_SENTENCE)
    right = check_whole("right_length", right_length, 0, _LONGEST_SENTENCE)
    most = _LONGEST_SENTENCE
    longest = most if max_length is None else check_whole("max_length", max_length, 1, most)
    pairs = sorted({(int(i), int(j)) for i, j in links})
    for i, j in pairs:
        if not (0 <= i < left and 0 <= j < right):
            raise InputError(f"link {i}-{j} is outside of {left} and {right} words")
    ends = np.array(pairs, np.uint32).reshape(-1, 2)
    lefts, rights = (np.ascontiguousarray(ends[:, side]) for side in (0, 1))
    return _native.phrase_spans(lefts, rights, left, right, longest, minimal).reshape(-1, 4)
