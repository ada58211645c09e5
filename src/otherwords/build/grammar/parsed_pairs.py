"""Synchronous parsing where kernels run in other processes: one row per sentence pair."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
from numpy.typing import NDArray

from otherwords.build.engine.base import Engine
from otherwords.build.grammar.index import KIND, GrammarIndex
from otherwords.build.grammar.sync_parser import Parse, SyncParser, Verdict
from otherwords.models.container import Model

__all__ = ["parse_rows"]

AT_ONCE = 256  # pairs of a batch, which is the least that a task gets
_PAIRS = pa.schema({"place": pa.int64(), "source": pa.string(), "target": pa.string()})
_PARSES = pa.schema({"place": pa.int64(), "verdict": pa.string(), "steps": pa.int64()})


def parse_rows(
    engine: Engine, parser: SyncParser, pairs: Sequence[tuple[Sequence[str], Sequence[str]]]
) -> list[Parse]:
    """A parse for every pair of sentences, which are words, in order.

    The index of the grammar is sent to the workers, whole.
    """
    rows = pa.RecordBatchReader.from_batches(_PAIRS, _batches(pairs))
    kernel = ParseKernel(dict(parser.index.model.arrays), parser.options)
    engine.map("parsed_pairs", rows, kernel, _PARSES)
    found = engine.run("SELECT verdict, steps FROM parsed_pairs ORDER BY place")
    return [
        Parse(Verdict(verdict), steps)
        for batch in found
        for verdict, steps in zip(*(column.to_pylist() for column in batch.columns), strict=True)
    ]


def _batches(
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
) -> Iterator[pa.RecordBatch]:
    """Rows whose sentences have a word per line."""
    for begin in range(0, len(pairs), AT_ONCE):
        some = pairs[begin : begin + AT_ONCE]
        sides = (["\n".join(pair[side]) for pair in some] for side in (0, 1))
        yield pa.RecordBatch.from_arrays(
            [pa.array(range(begin, begin + len(some)), pa.int64()), *map(pa.array, sides)],
            schema=_PAIRS,
        )


@dataclass(frozen=True)
class ParseKernel:
    """Parses rows of sentence pairs with a grammar, of which it has the index."""

    arrays: dict[str, NDArray[Any]]
    options: dict[str, Any]

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """A verdict and a number of steps for each row."""
        index = GrammarIndex(Model(Path("sent to a worker"), KIND, "", {}, self.arrays))
        parser = SyncParser(index, **self.options)
        for batch in batches:
            sides = (
                [text.split("\n") for text in batch[name].to_pylist()]
                for name in ("source", "target")
            )
            parses = parser.parse(*sides)
            columns = {
                "place": batch["place"],
                "verdict": [parse.verdict.value for parse in parses],
                "steps": [parse.steps for parse in parses],
            }
            yield pa.RecordBatch.from_pydict(columns, schema=_PARSES)
