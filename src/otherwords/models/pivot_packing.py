"""Packs the rows of a phrase table into the arrays of a pivot table (`docs/models.md`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from otherwords import _native
from otherwords.errors import InputError, ModelError
from otherwords.io.arguments import check_number, check_whole
from otherwords.models.arrays import Strings
from otherwords.models.paraphrase_model import LONGEST_PHRASE

LARGEST_BUCKET = 256
MOST_EDGES = 255
THRESHOLDS = (0.1, 0.01)  # PEM §6.1; quantising keeps probabilities on the same side
_LOAD = 8  # largest mean number of entries per bucket
_SLACK = 1e-6  # by how much a sum of probabilities may miss 1

Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Packing:
    """Limits for packing, which drops unlikely translations, long lists of them and rare phrases.

    `min_probability` is the least p(f|e), `top` the number of translations kept per phrase (the
    most likely), `min_count` the least N(e), `min_phrase_count` the least N(e) of phrases of
    several words, which make up most of a table. `key_bytes` (2 to 4) is the number of bytes stored
    of each key, besides the bits that choose its bucket. Probabilities are exact or, with
    `quantise`, one byte, at most 3.7 % off and on the same side of PEM's thresholds, .1 and .01.
    Counts are exact or, with `quantise`, at most 4.4 % and half a count off.
    """

    min_probability: float = 0.0
    top: int = MOST_EDGES
    min_count: int = 1
    min_phrase_count: int = 1
    key_bytes: int = 4
    quantise: bool = False

    def __post_init__(self) -> None:
        check_number("min_probability", self.min_probability, 0, 1)
        check_whole("top", self.top, 1, MOST_EDGES)
        check_whole("min_count", self.min_count, 1, 2**31)
        check_whole("min_phrase_count", self.min_phrase_count, 1, 2**31)
        check_whole("key_bytes", self.key_bytes, 2, 4)


@dataclass(frozen=True)
class Packed:
    """The arrays of a packed table, and their provenance."""

    arrays: dict[str, NDArray[Any]]
    provenance: dict[str, Any]


class _Edges(NamedTuple):
    """Rows of a phrase table with numbers for phrases and pivot phrases."""

    phrase: Integers
    pivot: Integers
    forward: NDArray[np.float64]
    backward: NDArray[np.float64]

    def where(self, chosen: NDArray[Any]) -> _Edges:
        return _Edges(*(column[chosen] for column in self))


def pack(
    phrases: Sequence[str] | Any,
    pivots: Sequence[str] | Any,
    counts: ArrayLike,
    forward: ArrayLike,
    backward: ArrayLike,
    packing: Packing | None = None,
    totals: Sequence[int] | None = None,
) -> Packed:
    """Pack the rows (phrase e, pivot phrase f, N(e), p(f|e), p(e|f)) of a phrase table.

    The order of the rows does not matter: the same rows give the same bytes.

    Parameters
    ----------
    phrases, pivots
        e and f, words with single spaces between them: lists or Arrow columns.
    counts, forward, backward
        N(e), p(f|e) and p(e|f).
    packing
        What is left out and rounded (default: nothing).
    totals
        If the rows were chosen from a larger table: its sums of N(e) over phrases of 1, 2, ...
        words.
    """
    packing = packing or Packing()
    english, foreign = Strings.of(phrases), Strings.of(pivots)
    english_words, english_hashes = _words_and_hashes(english, "phrase")
    _, foreign_hashes = _words_and_hashes(foreign, "pivot phrase")
    keys, first, phrase = np.unique(english_hashes, return_index=True, return_inverse=True)
    pivot_keys, pivot_first, pivot = np.unique(
        foreign_hashes, return_index=True, return_inverse=True
    )
    edges = _Edges(
        phrase,
        pivot,
        _probabilities(forward, len(phrase), "p(f|e)"),
        _probabilities(backward, len(phrase), "p(e|f)"),
    )
    seen = _phrase_counts(counts, phrase, len(keys))
    _refuse_repeated_rows(edges, len(pivot_keys), english)
    here = np.bincount(english_words[first] - 1, weights=seen).astype(np.uint64)

    needed = np.where(english_words[first] > 1, packing.min_phrase_count, packing.min_count)
    frequent = seen >= np.maximum(needed, packing.min_count)
    edges, dropped = _prune(edges, frequent, pivot_keys, packing)
    distinct, bits = _drop_collisions(np.unique(edges.phrase), keys, seen, packing.key_bytes)
    alone = np.isin(edges.phrase, distinct)
    dropped["rows_of_colliding_phrases"] = int((~alone).sum())
    edges = edges.where(alone)
    arrays, renumbered = _pack_pivots(foreign, pivot_first, edges)
    arrays |= _pack_entries(keys[distinct], seen[distinct], bits, packing, distinct, renumbered)
    provenance = {
        "phrases": len(distinct),
        "edges": len(renumbered.phrase),
        "pivot_phrases": int(arrays["pivot_starts"][-1]),
        "pivot_words": len(arrays["word_bounds"]) - 1,
        "rows": len(phrase),
        "packing": asdict(packing),
        "dropped": dropped,
        "key_bits": bits + 8 * packing.key_bytes,
    }
    return Packed({**arrays, "totals": _totals(here, totals)}, provenance)


def _totals(here: NDArray[np.uint64], totals: Sequence[int] | None) -> NDArray[np.uint64]:
    """The caller's totals, which must not be below those of the rows, or else the rows'."""
    if totals is None:
        return here
    wider = np.array(totals, dtype=np.uint64)
    if len(wider) < len(here) or np.any(wider[: len(here)] < here):
        raise InputError("the totals are less than the counts of the rows")
    return wider


def _words_and_hashes(strings: Strings, what: str) -> tuple[Integers, NDArray[np.uint64]]:
    words = _native.count_words(strings.bytes, strings.bounds).astype(np.int64)
    bad = np.flatnonzero((words == 0) | (words > LONGEST_PHRASE))
    if len(bad):
        text = strings.text(int(bad[0]))
        raise InputError(
            f"row {bad[0] + 1}: the {what} {text!r} is not 1 to {LONGEST_PHRASE} words "
            "with single spaces between them"
        )
    return words, strings.hashes


def _probabilities(column: ArrayLike, rows: int, name: str) -> NDArray[np.float64]:
    values = np.asarray(column, dtype=np.float64)
    if values.shape != (rows,):
        raise InputError(f"{rows} rows but {values.size} values of {name}")
    bad = np.flatnonzero(~((values > 0) & (values <= 1 + _SLACK)))
    if len(bad):
        raise InputError(f"row {bad[0] + 1}: {name} is {values[bad[0]]}, not above 0 and up to 1")
    return np.minimum(values, 1.0)


def _phrase_counts(column: ArrayLike, phrase: Integers, phrases: int) -> NDArray[np.float64]:
    values = np.asarray(column, dtype=np.float64)
    if values.shape != phrase.shape:
        raise InputError(f"{len(phrase)} rows but {values.size} counts")
    bad = np.flatnonzero(~((values >= 1) & (values < 2**31)))
    if len(bad):
        raise InputError(f"row {bad[0] + 1}: the count is {values[bad[0]]}, not 1 or more")
    seen = np.zeros(phrases)
    seen[phrase] = values
    unlike = np.flatnonzero(seen[phrase] != values)
    if len(unlike):
        raise InputError(f"row {unlike[0] + 1}: its phrase has another count in another row")
    return seen


def _refuse_repeated_rows(edges: _Edges, pivots: int, english: Strings) -> None:
    pairs, first = np.unique(edges.phrase * pivots + edges.pivot, return_index=True)
    if len(pairs) != len(edges.phrase):
        again = int(np.setdiff1d(np.arange(len(edges.phrase)), first)[0])
        raise InputError(f"row {again + 1}: {english.text(again)!r} has this translation twice")


def _prune(
    edges: _Edges, often: NDArray[np.bool_], pivot_keys: NDArray[np.uint64], packing: Packing
) -> tuple[_Edges, dict[str, int]]:
    """The edges that are kept, by phrase, and the number dropped for each reason."""
    frequent = often[edges.phrase]
    likely = edges.forward >= packing.min_probability
    order = np.lexsort((pivot_keys[edges.pivot], -edges.backward, -edges.forward, edges.phrase))
    by_phrase = edges.where(order)
    starts = np.flatnonzero(np.r_[True, np.diff(by_phrase.phrase) != 0][: len(order)])
    lengths = np.diff(np.r_[starts, len(order)])
    rank = np.arange(len(order)) - np.repeat(starts, lengths)
    short = rank < packing.top
    dropped = {
        "rows_of_rare_phrases": int((~frequent).sum()),
        "unlikely_rows": int((frequent & ~likely).sum()),
        "surplus_rows": int(((frequent & likely)[order] & ~short).sum()),
    }
    return by_phrase.where((frequent & likely)[order] & short), dropped


def _drop_collisions(
    phrases: Integers, keys: NDArray[np.uint64], seen: NDArray[np.float64], key_bytes: int
) -> tuple[Integers, int]:
    """The phrases sorted by the stored bits of their keys, and the number of bits for the bucket.

    Of two phrases with the same bits, the more frequent is kept.
    """
    bits = max(1, int(-(-len(phrases) // _LOAD) - 1).bit_length())
    short = keys[phrases] >> np.uint64(64 - bits - 8 * key_bytes)
    order = np.lexsort((phrases, -seen[phrases], short))
    first = np.r_[True, np.diff(short[order]) != 0][: len(order)]
    return phrases[order][first], bits


def _pack_pivots(
    foreign: Strings, first: Integers, edges: _Edges
) -> tuple[dict[str, NDArray[Any]], _Edges]:
    """The arrays of pivot phrases and words; the edges with the packed pivot numbers.

    Phrases are sorted by length, then by their words, words by hash.
    """
    used, pivot = np.unique(edges.pivot, return_inverse=True)
    strings = foreign.take(first[used])
    lengths = _native.count_words(strings.bytes, strings.bounds).astype(np.int64)
    hashes, begins, ends = _native.split_words(strings.bytes, strings.bounds)
    if not len(used):
        hashes, begins, ends = hashes[:0], begins[:0], ends[:0]
    _, first_word, word = np.unique(hashes, return_index=True, return_inverse=True)
    words = [
        bytes(strings.bytes[begin:end])
        for begin, end in zip(begins[first_word], ends[first_word], strict=True)
    ]
    word_starts = np.cumsum(lengths) - lengths
    number = np.empty(len(used), dtype=np.int64)
    starts, rows = [0], [np.empty(0, dtype=np.int64)]
    for length in range(1, int(lengths.max(initial=0)) + 1):
        members = np.flatnonzero(lengths == length)
        table = word[word_starts[members, None] + np.arange(length)]
        order = np.lexsort(table.T[::-1])
        number[members[order]] = starts[-1] + np.arange(len(members))
        rows.append(table[order].ravel())
        starts.append(starts[-1] + len(members))
    bounds = np.cumsum([0, *map(len, words)])
    arrays: dict[str, NDArray[Any]] = {
        "pivot_starts": np.array(starts, dtype=np.uint32),
        "pivot_words": _narrow(np.concatenate(rows), len(words)),
        "word_bounds": _narrow(bounds, int(bounds[-1])),
        "words": np.frombuffer(b"".join(words), np.uint8),
    }
    return arrays, edges._replace(pivot=number[pivot])


def _pack_entries(
    keys: NDArray[np.uint64],
    seen: NDArray[np.float64],
    bits: int,
    packing: Packing,
    phrases: Integers,
    edges: _Edges,
) -> dict[str, NDArray[Any]]:
    """The arrays of phrases and edges; `phrases` are in the order of their keys."""
    position = np.zeros(int(phrases.max(initial=-1)) + 1, dtype=np.int64)
    position[phrases] = np.arange(len(phrases))
    entry = position[edges.phrase]
    edges = edges.where(np.lexsort((edges.pivot, entry)))
    degrees = np.bincount(entry, minlength=len(phrases))
    bucket = (keys >> np.uint64(64 - bits)).astype(np.int64)
    first_entry = np.searchsorted(bucket, np.arange(2**bits + 1))
    if np.diff(first_entry).max() > LARGEST_BUCKET:
        raise ModelError("too many phrases have keys that begin alike")
    first_edge = np.r_[0, np.cumsum(degrees)][first_entry]
    rest = (keys << np.uint64(bits)) >> np.uint64(64 - 8 * packing.key_bytes)
    pivot_bytes = _width(int(edges.pivot.max(initial=0)), 2)
    return {
        "buckets": np.column_stack([first_entry, first_edge]).astype(np.uint32).ravel(),
        "entries": np.hstack(
            [_bytes(rest, packing.key_bytes), _counts(seen, packing), _bytes(degrees, 1)]
        ),
        "edges": np.hstack(
            [
                _bytes(edges.pivot, pivot_bytes),
                _values(edges.forward, packing),
                _values(edges.backward, packing),
            ]
        ),
    }


def _values(probabilities: NDArray[np.float64], packing: Packing) -> NDArray[np.uint8]:
    """Probabilities as rows of bytes: a code each, or the double itself."""
    if packing.quantise:
        return code_probabilities(probabilities, THRESHOLDS)[:, None]
    return np.ascontiguousarray(probabilities.astype("<f8")).view(np.uint8).reshape(-1, 8)


def _counts(seen: NDArray[np.float64], packing: Packing) -> NDArray[np.uint8]:
    """Counts as rows of bytes: a code each, or the nearest whole number."""
    return _code_counts(seen)[:, None] if packing.quantise else _bytes(np.rint(seen), 4)


def code_probabilities(
    values: NDArray[np.float64], thresholds: Sequence[float] = ()
) -> NDArray[np.uint8]:
    """p as the byte c with 2^(-c/16) nearest to it, at most 255.

    A code stays on its value's side of each threshold: where the nearest code is on the other side,
    the next one is taken.

    >>> 2 ** (code_probabilities(np.array([0.1, 0.1001]), [0.1]) / -16) > 0.1
    array([False,  True])
    """
    codes = np.minimum(np.rint(-16 * np.log2(values)), 255)
    for threshold in thresholds:
        below = np.ceil(-16 * np.log2(threshold))  # the first code not above the threshold
        codes = np.where(values > threshold, np.minimum(codes, below - 1), np.maximum(codes, below))
    return np.asarray(codes, dtype=np.uint8)


def _code_counts(values: NDArray[np.float64]) -> NDArray[np.uint8]:
    """n as the byte c with 2^(c/8) nearest to it."""
    codes: NDArray[np.uint8] = np.minimum(np.rint(8 * np.log2(values)), 255).astype(np.uint8)
    return codes


def _width(largest: int, least: int = 1) -> int:
    """The number of bytes for numbers up to `largest`."""
    return max(least, -(-largest.bit_length() // 8))


def _narrow(values: Integers, largest: int) -> NDArray[np.uint8]:
    return _bytes(values, _width(largest))


def _bytes(values: NDArray[Any], width: int) -> NDArray[np.uint8]:
    """Each number as a row of its `width` lowest bytes."""
    wide = np.ascontiguousarray(values.astype("<u8")).view(np.uint8).reshape(-1, 8)
    return np.ascontiguousarray(wide[:, :width])
