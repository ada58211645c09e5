"""All phrase pairs consistent with a word alignment, counted a block of text at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords import _native
from otherwords.build.bitext.corpus import Side
from otherwords.build.bitext.links import Links
from otherwords.build.phrases.aligned import LONGEST, aligned_text
from otherwords.build.phrases.aligned_rows import Lexicon, sides_of
from otherwords.io.arguments import check_whole
from otherwords.models.strings import Strings

__all__ = [
    "COUNTS",
    "PhraseKernel",
    "extract",
    "extract_lines",
    "order_keys",
    "packed_texts",
    "rounds",
]

BLOCK_TOKENS = 1 << 18  # of both sides: what one thread holds in memory at a time

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


def extract(
    left: Side, right: Side, links: Links, *, max_length: int = 4, threads: int = 1
) -> Iterator[pa.RecordBatch]:
    """The phrase pairs of up to `max_length` words per side, counted within each batch.

    A row is a pair of phrases with the links between them; the same row may come in several
    batches, whose number is that of blocks of text and not of threads. `lex_source` and
    `lex_target` are the lexical weights of the source (left) phrase given the target (right)
    phrase and the other way round (Koehn, Och & Marcu 2003, §4.4), over the whole bitext.
    """
    check_whole("max_length", max_length, 1, LONGEST)
    check_whole("threads", threads, 1, 1024)
    text = aligned_text(left, right, links)
    yield from _counted(text, text.word_links(), (left, right), max_length, threads)


@dataclass(frozen=True)
class PhraseKernel:
    """Counts the phrase pairs of rows of a bitext, with the lexicon of the whole of it."""

    words: tuple[Strings, Strings]
    lexicon: Lexicon
    max_length: int
    threads: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Batches of `COUNTS`, from batches of the table `aligned`."""
        lexicon = _native.WordLinks(*self.lexicon)
        for batch in batches:
            left, right, links = sides_of(batch)
            text = aligned_text(left, right, links, self.words)
            yield from _counted(text, lexicon, (left, right), self.max_length, self.threads)


def _counted(
    text: _native.AlignedText,
    lexicon: _native.WordLinks,
    sides: tuple[Side, Side],
    max_length: int,
    threads: int,
) -> Iterator[pa.RecordBatch]:
    for starts in rounds(*sides, BLOCK_TOKENS, threads):
        for block in text.count_phrases(lexicon, starts, max_length, threads):
            yield _batch(block)


def extract_lines(
    left: Side, right: Side, links: Links, *, max_length: int = 4, threads: int = 1
) -> Iterator[bytes]:
    """The phrase pairs one by one as lines `source ||| target ||| links`, many at a time."""
    check_whole("max_length", max_length, 1, LONGEST)
    check_whole("threads", threads, 1, 1024)
    text = aligned_text(left, right, links)
    for starts in rounds(left, right, BLOCK_TOKENS, threads):
        yield from text.phrase_lines(starts, max_length, threads)


def rounds(left: Side, right: Side, block: int, threads: int) -> Iterator[list[int]]:
    """Where blocks of sentences start and end, as many in a round as there are threads.

    A block has about so many tokens of both sides together, and one sentence at least.
    """
    tokens_before = np.asarray(left.bounds, np.int64) + np.asarray(right.bounds, np.int64)
    starts = np.searchsorted(tokens_before, np.arange(0, tokens_before[-1], block))
    edges = sorted({*starts.tolist(), 0, len(tokens_before) - 1})
    for first in range(0, len(edges) - 1, threads):
        yield edges[first : first + threads + 1]


def _batch(block: dict[str, Any]) -> pa.RecordBatch:
    alignments, places = np.unique(block["links"], return_inverse=True)
    columns = [
        packed_texts(*block["lefts"]).take(pa.array(block["left"])),
        packed_texts(*block["rights"]).take(pa.array(block["right"])),
        packed_texts(*_native.links_texts(alignments)).take(pa.array(places)),
        pa.array(order_keys(alignments)[places]),
        pa.array(block["count"]),
        pa.array(block["left_given_right"]),
        pa.array(block["right_given_left"]),
    ]
    arrays = [column.cast(field.type) for column, field in zip(columns, COUNTS, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=COUNTS)


def packed_texts(text: NDArray[np.uint8], bounds: NDArray[np.int64]) -> pa.Array:
    """The texts that lie one after the other in an array of bytes."""
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(text)]
    return pa.Array.from_buffers(pa.large_string(), len(bounds) - 1, buffers)


def order_keys(links: NDArray[np.int64]) -> NDArray[np.int64]:
    """Numbers that sort alignments as Moses does, which of equally frequent ones takes the last.

    Moses compares, target word by target word, the sorted source words it is linked to.
    Links are bits: source word s and target word t are bit 7 t + s.

    >>> order_keys(np.array([0b11, 0b10, 0b01 << 7])).argsort().tolist()
    [2, 0, 1]
    """
    keys = np.zeros(len(links), np.int64)
    for word in range(LONGEST):
        linked = links >> word * LONGEST & len(_places()) - 1
        keys = keys * len(_places()) + _places()[linked]
    return keys


@cache
def _places() -> NDArray[np.int64]:
    """The place of each set of source words, as bits, among all sets in their sorted order."""
    sets = list(_sets(0, 0))
    places = np.empty(len(sets), np.int64)
    places[sets] = np.arange(len(sets))
    return places


def _sets(prefix: int, first: int) -> Iterator[int]:
    yield prefix
    for word in range(first, LONGEST):
        yield from _sets(prefix | 1 << word, word + 1)
