"""Extracted rules counted, with Thrax's features: parts of the grammar, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import FileIO
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from otherwords.build.grammar.table import rule_schema
from otherwords.build.phrases.extraction import packed_texts
from otherwords.errors import OtherwordsError
from otherwords.io.processes import in_order

if TYPE_CHECKING:
    from otherwords.build.engine.base import Engine
    from otherwords.build.grammar.extraction import ExtractedRules

__all__ = ["FEATURES", "count_rules", "rule_text"]

# e is the target and f the source, as Thrax names them; probabilities and lexical weights are
# negative natural logarithms.
FEATURES = (
    "count",
    "e_given_f_lex",
    "e_given_f_phrase",
    "f_given_e_lex",
    "f_given_e_phrase",
    "rarity",
    "lexical",
    "phrasal",
    "syntactic",
    "word_difference",
    "character_difference",
)

_Rows = NDArray[np.uint8]
_Made = TypeVar("_Made")


def count_rules(
    extracted: ExtractedRules, engine: Engine, *, min_count: int = 1, identity: bool = True
) -> Iterator[pa.RecordBatch]:
    """The rows of a grammar, sorted by label, source and target.

    Rules that were seen less than `min_count` times are left out before anything else, and those
    whose sides are the same unless `identity`. Columns are those of `rule_schema(FEATURES)`.
    """

    def columns(part: _Rows) -> pa.RecordBatch:
        texts, _, features = extracted.native.columns(part, min_count, identity)
        return _batch(texts, features)

    yield from _parts(extracted, engine, min_count, columns)


def rule_text(
    extracted: ExtractedRules, engine: Engine, *, min_count: int = 1, identity: bool = True
) -> Iterator[memoryview]:
    """The same rows as Joshua's lines, many at a time."""

    def lines(part: _Rows) -> memoryview:
        return extracted.native.lines(part, list(FEATURES), min_count, identity).data

    yield from _parts(extracted, engine, min_count, lines)


def _parts(
    extracted: ExtractedRules,
    engine: Engine,
    min_count: int,
    make: Callable[[_Rows], _Made],
) -> Iterator[_Made]:
    """What is made of the rows of each part; they follow each other in the grammar's order."""
    with (engine.folder / "rules").open("w+b", buffering=0) as file:
        written = _Written(file)
        for rows, bounds in extracted:
            if len(rows):  # parts are known from the first rows on
                written.add(rows, bounds)
        try:
            if min_count > 1:  # a side was seen as often as its rules that are kept
                extracted.native.forget_totals()
                for part in range(written.parts):
                    extracted.native.add_totals(written.part(part), min_count)
            parts = map(written.part, range(written.parts))
            yield from in_order(make, parts, engine.threads if engine.threads > 1 else 0)
        except RuntimeError as error:
            raise OtherwordsError(str(error)) from error


class _Written:
    """Rows on disk: those of a block of text by part, one block after the other."""

    def __init__(self, file: FileIO) -> None:
        self._file = file
        self._bounds: list[NDArray[np.int64]] = []  # of the parts of each block, in the file
        self._end = 0

    @property
    def parts(self) -> int:
        """How many there are."""
        return len(self._bounds[0]) - 1 if self._bounds else 0

    def add(self, rows: _Rows, bounds: NDArray[np.int64]) -> None:
        """Append the rows of a block."""
        view = rows.data
        while view:
            view = view[self._file.write(view) :]
        self._bounds.append(bounds + self._end)
        self._end += len(rows)

    def part(self, number: int) -> _Rows:
        """The rows of a part of all blocks."""
        places = [(int(one[number]), int(one[number + 1])) for one in self._bounds]
        rows = np.empty(sum(end - begin for begin, end in places), np.uint8)
        left = rows.data
        for begin, end in places:
            self._file.seek(begin)
            while begin < end:
                size = self._file.readinto(left[: end - begin])
                if not size:
                    raise OtherwordsError("a temporary file is truncated")
                begin, left = begin + size, left[size:]
        return rows


def _batch(
    texts: list[tuple[_Rows, NDArray[np.int64]]], features: list[NDArray[np.float64]]
) -> pa.RecordBatch:
    schema = rule_schema(FEATURES)
    packed = [packed_texts(*one).cast(pa.string()) for one in texts]
    relation = pa.nulls(len(packed[0]), pa.string())
    return pa.RecordBatch.from_arrays([*packed, relation, *map(pa.array, features)], schema=schema)
