"""Extraction of phrase pairs consistent with a word alignment, counted block by block.

An aligned bitext is stored as arrays for the native kernels, or as rows, one per sentence pair,
which engines split among kernels.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords import _build
from otherwords.build.bitext.corpus import Side
from otherwords.build.bitext.links import Links
from otherwords.build.engine.base import Engine
from otherwords.errors import InputError
from otherwords.io.arguments import check_whole
from otherwords.models.arrays import Strings

LONGEST = 7  # words per phrase; the links of a pair are bits of a 64-bit number
BLOCK_TOKENS = 1 << 18  # tokens of both sides per block of a thread
_ROWS_AT_ONCE = 1 << 13  # sentence pairs

COUNTS = pa.schema(
    {
        "source": pa.large_string(),
        "target": pa.large_string(),
        "alignment": pa.string(),
        "alignment_order": pa.int64(),
        "count": pa.int64(),
        "lex_source": pa.float64(),
        "lex_target": pa.float64(),
    }
)
_ALIGNED = ("left", "right", "links_left", "links_right")
_LINKED = pa.schema({"left_word": pa.int64(), "right_word": pa.int64(), "times": pa.int64()})
_ADDED = """
SELECT left_word, right_word, CAST(SUM(times) AS BIGINT) AS times
FROM linked_words
GROUP BY left_word, right_word
ORDER BY left_word, right_word
"""

Spans = tuple[NDArray[Any], NDArray[np.int64]]  # values, and where those of each sentence start


def aligned_text(
    left: Side, right: Side, links: Links, words: Sequence[Strings] | None = None
) -> _build.AlignedText:
    """Check a bitext for the native kernels: ids, bounds and links must be in range.

    `words` are those of both sides if already packed.
    """
    try:
        packed = [Strings.of(side.words) for side in (left, right)] if words is None else words
        arrays: list[NDArray[Any]] = []
        for (tokens, bounds, _), strings in zip((left, right), packed, strict=True):
            arrays += [np.asarray(tokens, np.uint32), np.asarray(bounds, np.int64), *strings]
        arrays += [np.asarray(links[0], np.uint32), np.asarray(links[1], np.uint32)]
        arrays += [np.asarray(links[2], np.int64)]
        return _build.AlignedText(*map(np.ascontiguousarray, arrays))
    except (ValueError, OverflowError) as error:
        raise InputError(f"this is not an aligned bitext: {error}") from error


def extract(
    left: Side, right: Side, links: Links, *, max_length: int = 4, threads: int = 1
) -> Iterator[pa.RecordBatch]:
    """Yield the phrase pairs of an aligned bitext, counted within each batch.

    A row is a pair of phrases with the links between them. The same row may occur in several
    batches; their number depends on blocks of text, not on threads. `lex_source` and
    `lex_target` are the lexical weights of the source (left) phrase given the target (right)
    phrase and the other way round (Koehn, Och & Marcu 2003, §4.4), over the whole bitext.

    Parameters
    ----------
    left, right, links
        The bitext and its links.
    max_length
        The most words in a phrase of either side, up to 7.
    threads
        The number of threads; results do not depend on it.
    """
    check_whole("max_length", max_length, 1, LONGEST)
    check_whole("threads", threads, 1, 1024)
    text = aligned_text(left, right, links)
    yield from _count_phrases(text, text.word_links(), (left, right), max_length, threads)


def _count_phrases(
    text: _build.AlignedText,
    lexicon: _build.WordLinks,
    sides: tuple[Side, Side],
    max_length: int,
    threads: int,
) -> Iterator[pa.RecordBatch]:
    for starts in rounds(*sides, BLOCK_TOKENS, threads):
        for block in text.count_phrases(lexicon, starts, max_length, threads):
            alignments, places = np.unique(block["links"], return_inverse=True)
            columns = [
                packed_texts(*block["lefts"]).take(pa.array(block["left"])),
                packed_texts(*block["rights"]).take(pa.array(block["right"])),
                packed_texts(*_build.links_texts(alignments)).take(pa.array(places)),
                pa.array(order_keys(alignments)[places]),
                pa.array(block["count"]),
                pa.array(block["left_given_right"]),
                pa.array(block["right_given_left"]),
            ]
            cast = [column.cast(field.type) for column, field in zip(columns, COUNTS, strict=True)]
            yield pa.RecordBatch.from_arrays(cast, schema=COUNTS)


def rounds(left: Side, right: Side, block: int, threads: int) -> Iterator[list[int]]:
    """Yield the bounds of blocks of sentences, in rounds of one block per thread.

    A block has about `block` tokens of both sides together, and at least one sentence.
    """
    tokens_before = np.asarray(left.bounds, np.int64) + np.asarray(right.bounds, np.int64)
    starts = np.searchsorted(tokens_before, np.arange(0, tokens_before[-1], block))
    edges = sorted({*starts.tolist(), 0, len(tokens_before) - 1})
    for first in range(0, len(edges) - 1, threads):
        yield edges[first : first + threads + 1]


def packed_texts(text: NDArray[np.uint8], bounds: NDArray[np.int64]) -> pa.Array:
    """Make a column of texts from their concatenated bytes."""
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(text)]
    return pa.Array.from_buffers(pa.large_string(), len(bounds) - 1, buffers)


def order_keys(links: NDArray[np.int64]) -> NDArray[np.int64]:
    """Number alignments in the order of Moses, which takes the last of equally frequent ones.

    Moses compares, target word by target word, the sorted source words it is linked to.
    Links are bits: source word s and target word t are bit 7 t + s.

    >>> order_keys(np.array([0b11, 0b10, 0b01 << 7])).argsort().tolist()
    [2, 0, 1]
    """
    places = _word_set_places()
    keys = np.zeros(len(links), np.int64)
    for word in range(LONGEST):
        keys = keys * len(places) + places[links >> word * LONGEST & len(places) - 1]
    return keys


@cache
def _word_set_places() -> NDArray[np.int64]:
    """Return the rank of each set of source words, as bits, among all sorted sets."""

    def sets(prefix: int, first: int) -> Iterator[int]:
        yield prefix
        for word in range(first, LONGEST):
            yield from sets(prefix | 1 << word, word + 1)

    in_order = list(sets(0, 0))
    places = np.empty(len(in_order), np.int64)
    places[in_order] = np.arange(len(in_order))
    return places


class Lexicon(NamedTuple):
    """Counts of linked words in a whole bitext: the arguments of the kernels' `WordLinks`."""

    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    times: NDArray[np.int64]
    left_words: int
    right_words: int


def put_aligned(engine: Engine, left: Side, right: Side, links: Links, **more: Spans) -> None:
    """Write a bitext as the table `aligned`: word ids, linked positions, and more lists."""
    aligned_text(left, right, links)  # refuses values out of range
    spans = [(left.tokens, left.bounds), (right.tokens, right.bounds)]
    spans += [(links.left, links.bounds), (links.right, links.bounds)]
    columns = dict(zip(_ALIGNED, spans, strict=True)) | more
    schema = pa.schema({name: pa.list_(pa.int32()) for name in columns})
    engine.put("aligned", list_rows(columns, schema), schema)


def list_rows(columns: dict[str, Spans], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Yield rows of lists of numbers."""
    size = len(next(iter(columns.values()))[1]) - 1
    for begin in range(0, size, _ROWS_AT_ONCE):
        lists = []
        for numbers, bounds in columns.values():
            cut = np.asarray(bounds[begin : begin + _ROWS_AT_ONCE + 1], np.int64)
            part = np.asarray(numbers[cut[0] : cut[-1]]).astype(np.int32)
            offsets = pa.array((cut - cut[0]).astype(np.int32))
            lists.append(pa.ListArray.from_arrays(offsets, pa.array(part)))
        yield pa.RecordBatch.from_arrays(lists, schema=schema)


def arrays_of(batch: pa.RecordBatch, names: Sequence[str]) -> list[Spans]:
    """Return the values of list columns, and where those of each row start."""
    spans = []
    for name in names:
        offsets = batch[name].offsets.to_numpy().astype(np.int64)
        spans.append((batch[name].flatten().to_numpy(), offsets - offsets[0]))
    return spans


def sides_of(batch: pa.RecordBatch) -> tuple[Side, Side, Links]:
    """Return the sentence pairs of rows of `aligned`, without their words."""
    left, right, links_left, links_right = arrays_of(batch, _ALIGNED)
    links = Links(links_left[0].astype(np.uint32), links_right[0].astype(np.uint32), links_left[1])
    return (
        Side(left[0].astype(np.uint32), left[1], ()),
        Side(right[0].astype(np.uint32), right[1], ()),
        links,
    )


@dataclass(frozen=True)
class _LinkKernel:
    """Counts the links between words of a part of a bitext."""

    left_words: int
    right_words: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        empty = np.zeros(0, np.uint8)
        sizes = self.left_words + 1, self.right_words + 1
        words = [Strings(empty, np.zeros(size, np.int64)) for size in sizes]
        for batch in batches:
            text = aligned_text(*sides_of(batch), words)
            columns = [pa.array(column.astype(np.int64)) for column in text.word_links().table()]
            yield pa.RecordBatch.from_arrays(columns, schema=_LINKED)


def linked_words(engine: Engine, left_words: int, right_words: int) -> Lexicon:
    """Count the links between words of the table `aligned`, part by part."""
    kernel = _LinkKernel(left_words, right_words)
    engine.map("linked_words", "SELECT * FROM aligned", kernel, _LINKED)
    counts = engine.run(_ADDED).read_all()
    left, right, times = (counts[name].to_numpy() for name in _LINKED.names)
    return Lexicon(
        np.ascontiguousarray(left, np.uint32),
        np.ascontiguousarray(right, np.uint32),
        np.ascontiguousarray(times, np.int64),
        left_words,
        right_words,
    )


@dataclass(frozen=True)
class PhraseKernel:
    """Counts the phrase pairs of rows of a bitext, with the lexicon of the whole bitext."""

    words: tuple[Strings, Strings]
    lexicon: Lexicon
    max_length: int
    threads: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield batches of `COUNTS`, from batches of the table `aligned`."""
        lexicon = _build.WordLinks(*self.lexicon)
        for batch in batches:
            left, right, links = sides_of(batch)
            text = aligned_text(left, right, links, self.words)
            yield from _count_phrases(text, lexicon, (left, right), self.max_length, self.threads)
