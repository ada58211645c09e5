"""What whole texts show without being aligned: numbers, negations, repeated words.

A rewording that leaves few words in place hides its errors from alignment. That one text says
"40" and the other "90", or that only one of them denies something, is seen all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from otherwords import _native
from otherwords.metrics.base import Array
from otherwords.metrics.reading import Pool

__all__ = ["negations", "numbers_apart", "repetition", "values_of"]

_NEGATIONS = frozenset(
    "not n't never no without neither nor nobody nothing none nowhere hardly rarely seldom"
    " cannot unless".split()
)
_MOST = 2  # negations that are counted: "not ... nor ... nor" denies as "not ... nor" does
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
_SMALL += " fifteen sixteen seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = {word: float(value) for value, word in enumerate(_SMALL.split())} | {
    word: 10.0 * value for value, word in enumerate(_TENS.split(), 2)
}
_SCALES = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_WHOLE = {"dozen": 12.0, "half": 0.5, "twice": 2.0, "couple": 2.0, "pair": 2.0}
_VAGUE = frozenset({"one", "zero"})  # "one" is a pronoun more often than a number
_CODE = re.compile("[0-9]")
_DIGITS = re.compile(r"[^\w]?(\d[\d,]*(?:\.\d+)?)(?:st|nd|rd|th|%|k|m)?", re.ASCII)


def negations(pool: Pool) -> NDArray[np.int64]:
    """How many words of each text deny something, two at most."""
    denies = np.array([word.lower() in _NEGATIONS for word in pool.words], np.int64)
    return np.minimum(_per_text(pool, denies), _MOST)


def repetition(pool: Pool) -> Array:
    """Share of the pairs of neighbours in each text that the text has had before, or that are the
    same word twice.
    """
    sizes = np.diff(pool.bounds)
    pairs = np.maximum(sizes - 1, 0)
    if not len(sizes) or not pairs.any():
        return np.zeros(len(sizes))
    text = np.repeat(np.arange(len(sizes)), pairs)
    ends = np.cumsum(sizes) - 1
    inside = np.ones(len(pool.tokens), bool)
    inside[ends[sizes > 0]] = False
    begin = np.flatnonzero(inside)
    first, second = pool.tokens[begin].astype(np.int64), pool.tokens[begin + 1]
    words = np.array([_native.has_alphanumeric(word) for word in pool.words], bool)
    other = (first != second) | ~words[first]
    text, pair = text[other], (first << 32 | second)[other]
    order = np.lexsort((pair, text))
    text, pair = text[order], pair[order]
    is_new = np.ones(len(text), bool)
    is_new[1:] = (text[1:] != text[:-1]) | (pair[1:] != pair[:-1])
    distinct = np.bincount(text[is_new], minlength=len(sizes))
    share = np.divide(distinct, pairs, out=np.ones(len(sizes)), where=pairs > 0)
    return np.asarray(1.0 - share)


def numbers_apart(
    pool: Pool, left: NDArray[np.int64], right: NDArray[np.int64]
) -> NDArray[np.int64]:
    """For each pair how many numbers of the left text the right one lacks, and the reverse."""
    counts = np.array([_is_number(word) for word in pool.words], bool)
    values = _values(pool, counts)
    having = _per_text(pool, counts.astype(np.int64)) > 0
    found = np.zeros((len(left), 2), np.int64)
    for pair in np.flatnonzero(having[left] | having[right]).tolist():
        mine = values.get(int(left[pair]), frozenset())
        theirs = values.get(int(right[pair]), frozenset())
        if mine != theirs:
            found[pair] = len(mine - theirs), len(theirs - mine)
    return found


def _values(pool: Pool, counts: NDArray[np.bool_]) -> dict[int, frozenset[float | str]]:
    """The numbers of the texts that have some. Any other word ends a number, so words of numbers in
    a row are read by themselves.
    """
    if not counts.any():
        return {}
    places = np.flatnonzero(counts[pool.tokens])
    texts = np.searchsorted(pool.bounds, places, side="right") - 1
    is_first = np.ones(len(places), bool)
    is_first[1:] = (np.diff(places) > 1) | (np.diff(texts) > 0)
    starts = np.flatnonzero(is_first)
    tokens = pool.tokens[places].tolist()
    known: dict[tuple[int, ...], frozenset[float | str]] = {}
    values: dict[int, frozenset[float | str]] = {}
    ends = [*starts[1:].tolist(), len(places)]
    for text, begin, end in zip(texts[starts].tolist(), starts.tolist(), ends, strict=True):
        run = tuple(tokens[begin:end])
        if run not in known:
            known[run] = values_of([pool.words[token] for token in run])
        values[text] = values[text] | known[run] if text in values else known[run]
    return values


def values_of(words: Sequence[str]) -> frozenset[float | str]:
    """The numbers that a text has, in digits or words, and other words with digits in them.

    >>> sorted(values_of("He paid two hundred and 1,500 for a dozen .".split()))
    [12.0, 200.0, 1500.0]
    >>> values_of(["the", "49ers"])
    frozenset({'49ers'})
    """
    found: list[float | str] = []
    current: float | None = None
    for word in [*map(str.lower, words), ""]:
        if word in _SCALES and current is not None:
            current *= _SCALES[word]
            continue
        value = _UNITS.get(word)
        if value is not None and word not in _VAGUE:
            joins = current is not None and current % 10 == 0 and 20 <= current < 100 and value < 10
            if current is not None and not joins:
                found.append(current)
            current = value + (current or 0.0) if joins else value
            continue
        if current is not None:
            found.append(current)
            current = None
        if word in _WHOLE or word in _SCALES:
            found.append(_WHOLE.get(word) or _SCALES[word])
        elif digits := _DIGITS.fullmatch(word):
            current = float(digits[1].replace(",", ""))
        elif _CODE.search(word):
            found.append(word)
    return frozenset(found)


def _is_number(word: str) -> bool:
    lower = word.lower()
    return lower in _UNITS or lower in _SCALES or lower in _WHOLE or bool(_CODE.search(lower))


def _per_text(pool: Pool, counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """The sum over the words of each text."""
    sums = np.zeros(len(pool.tokens) + 1, np.int64)
    if len(pool.tokens):
        np.cumsum(counts[pool.tokens], out=sums[1:])
    return sums[pool.bounds[1:]] - sums[pool.bounds[:-1]]
