"""A word-aligned bitext as rows, one for each sentence pair: what engines split among kernels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.build.bitext.corpus import Side
from otherwords.build.bitext.links import Links
from otherwords.build.engine.base import Engine
from otherwords.build.phrases.aligned import aligned_text
from otherwords.models.strings import Strings

__all__ = ["Lexicon", "Spans", "arrays_of", "linked_words", "list_rows", "put_aligned", "sides_of"]

BATCH = 1 << 13  # sentence pairs
_NAMES = ("left", "right", "links_left", "links_right")
_LINKED = pa.schema({"left_word": pa.int64(), "right_word": pa.int64(), "times": pa.int64()})
_ADDED = """
SELECT left_word, right_word, CAST(SUM(times) AS BIGINT) AS times
FROM linked_words
GROUP BY left_word, right_word
ORDER BY left_word, right_word
"""

Spans = tuple[NDArray[Any], NDArray[np.int64]]  # numbers, and where those of each sentence start


class Lexicon(NamedTuple):
    """How often words are linked in a whole bitext: the arguments of the kernels' `WordLinks`."""

    left: NDArray[np.uint32]
    right: NDArray[np.uint32]
    times: NDArray[np.int64]
    left_words: int
    right_words: int


def put_aligned(engine: Engine, left: Side, right: Side, links: Links, **more: Spans) -> None:
    """A bitext as the table `aligned`: ids of words, linked positions, and more numbers.

    It is refused if an id, a bound or a link points outside.
    """
    aligned_text(left, right, links)
    spans = [(left.tokens, left.bounds), (right.tokens, right.bounds)]
    spans += [(links.left, links.bounds), (links.right, links.bounds)]
    columns = dict(zip(_NAMES, spans, strict=True)) | more
    schema = pa.schema({name: pa.list_(pa.int32()) for name in columns})
    engine.put("aligned", list_rows(columns, schema), schema)


def list_rows(columns: dict[str, Spans], schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """Rows of lists of numbers."""
    size = len(next(iter(columns.values()))[1]) - 1
    for begin in range(0, size, BATCH):
        lists = []
        for numbers, bounds in columns.values():
            cut = np.asarray(bounds[begin : begin + BATCH + 1], np.int64)
            part = np.asarray(numbers[cut[0] : cut[-1]]).astype(np.int32)
            offsets = pa.array((cut - cut[0]).astype(np.int32))
            lists.append(pa.ListArray.from_arrays(offsets, pa.array(part)))
        yield pa.RecordBatch.from_arrays(lists, schema=schema)


def arrays_of(batch: pa.RecordBatch, names: Sequence[str]) -> list[Spans]:
    """The numbers of columns of lists, and where those of each row start."""
    found = []
    for name in names:
        column = batch[name]
        offsets = column.offsets.to_numpy().astype(np.int64)
        found.append((column.flatten().to_numpy(), offsets - offsets[0]))
    return found


def sides_of(batch: pa.RecordBatch) -> tuple[Side, Side, Links]:
    """The sentence pairs of rows of `aligned`, without their words."""
    left, right, links_left, links_right = arrays_of(batch, _NAMES)
    links = Links(links_left[0].astype(np.uint32), links_right[0].astype(np.uint32), links_left[1])
    return (
        Side(left[0].astype(np.uint32), left[1], ()),
        Side(right[0].astype(np.uint32), right[1], ()),
        links,
    )


@dataclass(frozen=True)
class _LinkedWords:
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
    """The lexicon of the table `aligned`: parts of it are counted, and their counts added."""
    kernel = _LinkedWords(left_words, right_words)
    engine.map("linked_words", "SELECT * FROM aligned", kernel, _LINKED)
    added = engine.run(_ADDED).read_all()
    left, right, times = (added[name].to_numpy() for name in _LINKED.names)
    return Lexicon(
        np.ascontiguousarray(left, np.uint32),
        np.ascontiguousarray(right, np.uint32),
        np.ascontiguousarray(times, np.int64),
        left_words,
        right_words,
    )
